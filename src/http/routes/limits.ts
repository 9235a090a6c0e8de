import { By } from '../../landscape/balance/balance-schema.ts';
import { LandscapeInputSensitivity } from '../../landscape/input-moves/input-sensitivity-schema.ts';
import { inputSensitivityOf } from '../../landscape/input-moves/input-moves.ts';
import { limitsOf } from '../../landscape/limits/limits.ts';
import { LandscapeLimits, LimitationField, SectorCode } from '../../landscape/limits/limits-schema.ts';
import { decimalInteger, IdParams } from '../../validation/fields.ts';
import { languageAsked, languageHeaders, LanguageQuery } from '../language/language.ts';
import { pendingResponse, waitQuery } from '../long-poll/result-waiters.ts';
import { ok } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

const tags = ['landscape'];

const limitsDescription = `The suitability of a sector is the least of the ratings of its factors: those that have it limit the sector. Areas by class say
what limits alone and together with others; \`subclasses\` add the letters of all that limits to the class, as the FAO framework for land evaluation does:
t topography, m moisture, h snow, c warmth, s soil texture, o organic carbon, n salinity, w distance to water, v land cover, g density of vegetation, r distance to
road, a attraction. With \`relieved\`, \`relieved_ha\` is the area of each class if that factor had the rating 5 wherever it has any: exact, because each rating is a
table. The letters of dryness say that a use needs it: where rain suffices, moisture limits irrigation.

The first request has the ratings of the sector made and counted by jobs: it waits up to \`wait\` seconds, then it answers 202. A run that has pinned the
suitability of the sector is 409.`;

const sensitivityDescription = `Each input of numbers is moved by \`delta\` percent of its values, down and up, within the range that the slot allows; the zoning is
computed again with it, and compared. It is an answer about what the zoning depends on, and not about how wrong an input is: errors of measurement differ from input
to input, and go together. Classes are not moved. The grid is cut into blocks of 64 pixels a side, and four of them are drawn at random from each of about 64 parts
of it, always the same ones: \`standard_error\` says how far the share of another sample may lie. A grid of at most 256 blocks is computed as a whole.

The first request has it computed by a job: it waits up to \`wait\` seconds, then it answers 202. Runs with the same inputs and parameters share the answer.`;

/** Registers what limits a run, and what it depends on. */
export function registerLimitRoutes(app: App, { db, messageQueue, resultWaiters }: Services): void {
  app.get('/landscape/runs/:id/limits', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeLimits',
      summary: 'Read what limits a sector, in hectares by class and unit',
      description: limitsDescription,
      params: IdParams,
      querystring: LanguageQuery.extend({
        sector: SectorCode.describe('Code of the node that rates the sector, 21 to 25'),
        by: By.default('district').describe('The units: districts, regions, or both'),
        relieved: LimitationField.optional().describe('A factor of the sector whose rating is taken for 5'),
        ...waitQuery,
      }),
      response: {
        ...ok('What limits the sector', LandscapeLimits, 400, 404, 409, 422),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { sector, by, relieved, wait } = request.query;
      const language = languageAsked(request, request.query);
      const asked = { runId: request.params.id, sector, by, relieved, language };
      const look = async () => await limitsOf({ db, messageQueue }, asked);
      const found = await resultWaiters.readyOr202(request, reply, { wait, look });
      if (found === undefined) return reply;
      reply.headers(languageHeaders(language));
      return found.answer;
    },
  });

  app.get('/landscape/runs/:id/input-sensitivity', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeInputSensitivity',
      summary: 'Read how much of the zoning changes when one input is moved',
      description: sensitivityDescription,
      params: IdParams,
      querystring: LanguageQuery.extend({
        delta: decimalInteger(1, 50, 10).describe('By how many percent of its values each input is moved'),
        ...waitQuery,
      }),
      response: {
        ...ok('The share of the zoned area that changes', LandscapeInputSensitivity, 400, 404, 409, 422),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { delta, wait } = request.query;
      const language = languageAsked(request, request.query);
      const asked = { runId: request.params.id, delta, language };
      const look = async () => await inputSensitivityOf({ db, messageQueue }, asked);
      const found = await resultWaiters.readyOr202(request, reply, { wait, look });
      if (found === undefined) return reply;
      reply.headers(languageHeaders(language));
      return found.answer;
    },
  });
}
