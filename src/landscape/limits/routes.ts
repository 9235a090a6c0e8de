import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { unitQuery } from '../balance/balance-schema.ts';
import { LandscapeInputSensitivity } from '../input-moves/input-sensitivity-schema.ts';
import { inputSensitivityOf } from '../input-moves/input-moves.ts';
import type { CountedAnswer } from './land-by-unit.ts';
import { limitsOf } from './limits.ts';
import { LandscapeLimits, LimitationField, SectorCode } from './limits-schema.ts';
import { whereOf } from './where.ts';
import { LandscapeWhere } from './where-schema.ts';
import type { PendingResult } from '../../jobs/results.ts';
import { decimalInteger, IdParams } from '../../validation/fields.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { pendingResponse, waitQuery, type ResultWaiters } from '../../http/long-poll/result-waiters.ts';
import { drawnResponses, jsonResponse, ok } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { type DrawnAnswers, jsonBody } from '../../http/answer/drawn.ts';

const tags = ['landscape'];

/** Part of every ETag: raise it when the answer for the same areas changes. */
const answerVersion = 2;

const counting = `Areas are those of the ellipsoid of WGS 84; a pixel at the border of a unit contributes the share that the unit covers.

At the first request, jobs evaluate and count the land: the answer waits up to \`wait\` seconds, then it is 202; send the same request again later.`;

const limitsDescription = `The suitability of a sector is the least of the ratings of its factors: the factors with this rating limit the sector. Areas by class show
which factors limit alone and which together with others. \`subclasses\` append the letters of all limits to the class, as in the FAO framework for land evaluation:
t topography, m moisture, h snow cover, c warmth, s soil texture, o organic carbon, n salinity, w distance to water, v land cover, g density of vegetation, r distance
to road, a attraction. For a use that needs dryness, m means too much rain. With \`relieved\`, \`relieved_ha\` is the area of each class if that
factor had the rating 5 wherever it has a rating; it is exact, because each rating is a table. A run that has pinned the suitability of the sector is answered with 409. ${counting}`;

const whereDescription = `\`conditions\` are \`NAME COMPARISON NUMBER\` with \`;\` between two, at most eight: \`slope<5;S23>=4;E<=3\`. A name is the key of a slot
(\`soil-salinity\`), the code of a node (\`01\`), the word in the code of its group (\`slope\`), that code itself, or S, E, V and S21 to S25 as in the formulas. Comparisons are
\`<\`, \`<=\`, \`=\`, \`!=\`, \`>=\` and \`>\`. Numbers have the unit of the raster and are compared as stored, in 32 bits; a class is its number. A place fails if one condition
fails, even if other rasters have no value there. Rasters are those that the run has read and made, on its grid.

The layers of the 64 newest conditions are kept; older ones are evaluated again. 429 while 16 conditions wait. ${counting}`;

const sensitivityDescription = `Each input of numbers is moved by \`delta\` percent of its values, down and up, within the range that the slot allows; the zoning is
computed again with it, and compared. The answer shows the inputs on which the zoning depends, not the errors of inputs: errors differ from input to input, and may occur together. Classes are
not moved. The grid is cut into blocks of 64 pixels a side, and four blocks are drawn at random from each of about 64 parts of it, always the same ones:
\`standard_error\` is the expected deviation of the share in another sample. A grid whose parts have at most four blocks is computed as a whole.

At the first request, a job computes the answer, which waits up to \`wait\` seconds, then it is 202. Runs with the same inputs and parameters share the answer.`;

export const sectorQuery = {
  sector: SectorCode.describe('Code of the node that rates the sector, 21 to 25'),
};
export const conditionsQuery = {
  conditions: z
    .string()
    .min(1)
    .max(400)
    .meta({ examples: ['slope<5;S23>=4'] })
    .describe('At most eight conditions, separated by `;`'),
};

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly resultWaiters: ResultWaiters;
  readonly drawnAnswers: DrawnAnswers;
}

/** Registers limits, conditions and sensitivity to inputs. */
export function registerLimitRoutes(
  app: App,
  { db, messageQueue, resultWaiters, drawnAnswers }: Dependencies,
): void {
  const dependencies = { db, messageQueue };

  app.get('/landscape/runs/:id/limits', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeLimits',
      summary: 'Read the limits of a sector, in hectares by class and unit',
      description: limitsDescription,
      params: IdParams,
      querystring: LanguageQuery.extend({
        ...sectorQuery,
        ...unitQuery,
        relieved: LimitationField.optional().describe('A factor of the sector whose rating is replaced by 5'),
        ...waitQuery,
      }),
      response: {
        ...drawnResponses(jsonResponse('The limits of the sector', LandscapeLimits), 400, 404, 409, 422),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { sector, by, kato, relieved, wait } = request.query;
      const language = answerIn(request, reply);
      const asked = { runId: request.params.id, sector, by, kato, relieved, language };
      const poll = async () => await limitsOf(dependencies, asked);
      return await sendCounted({ request, reply, wait }, poll, asked);
    },
  });

  app.get('/landscape/runs/:id/where', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeWhere',
      summary: 'Read the places that meet conditions on slots and nodes, in hectares by unit',
      description: whereDescription,
      params: IdParams,
      querystring: LanguageQuery.extend({ ...conditionsQuery, ...unitQuery, ...waitQuery }),
      response: {
        ...drawnResponses(jsonResponse('Where they are met', LandscapeWhere), 400, 404, 409, 422, 429),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { conditions, by, kato, wait } = request.query;
      const language = answerIn(request, reply);
      const asked = { runId: request.params.id, conditions, by, kato, language };
      const poll = async () => await whereOf(dependencies, asked);
      return await sendCounted({ request, reply, wait }, poll, asked);
    },
  });

  interface Exchange {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly wait: number;
  }

  async function sendCounted(
    { request, reply, wait }: Exchange,
    poll: () => Promise<CountedAnswer<object> | PendingResult>,
    asked: object,
  ): Promise<FastifyReply> {
    const found = await resultWaiters.readyOr202(request, reply, { wait, poll });
    if (found === undefined) return reply;
    return await drawnAnswers.send(request, reply, async () => ({
      parts: [answerVersion, request.routeOptions.url ?? '', found.key, JSON.stringify(asked)],
      draw: async () => jsonBody(await found.read()),
    }));
  }

  app.get('/landscape/runs/:id/input-sensitivity', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeInputSensitivity',
      summary: 'Read how much of the zoning changes when one input is moved',
      description: sensitivityDescription,
      params: IdParams,
      querystring: LanguageQuery.extend({
        delta: decimalInteger(1, 50, 10).describe('The change of each input, in percent of its values'),
        ...waitQuery,
      }),
      response: {
        ...ok('The share of the zoned area that changes', LandscapeInputSensitivity, 400, 404, 409),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { delta, wait } = request.query;
      const language = answerIn(request, reply);
      const asked = { runId: request.params.id, delta, language };
      const poll = async () => await inputSensitivityOf(dependencies, asked);
      const found = await resultWaiters.readyOr202(request, reply, { wait, poll });
      if (found === undefined) return reply;
      return found.answer;
    },
  });
}
