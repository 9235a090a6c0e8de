import { Denominator, DenominatorInput } from '../../datasets/rates/denominator-schema.ts';
import { describeDenominator, removeDenominator, setDenominator } from '../../datasets/rates/denominators.ts';
import { z } from 'zod';
import { IdParams } from '../../validation/fields.ts';
import { answerIn } from '../language/language.ts';
import { errorResponses, ok } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

const tags = ['tables by KATO'];

const setText = `What the values of a table are divided by when a rate is asked for (\`rate=1\`): the area of each unit, geodesic on the ellipsoid of WGS 84, or the
values of another table for the same unit. A denominator is never guessed, and no answer changes without \`rate=1\`.

Of another table, the period is used that is valid for the date of a value: the same period; else the shortest one that has all of it; else the first point in time
within it, as a population at the beginning of a year is for that year. Where none is valid there is no rate. A dataset of another type is 422; a
\`dataset_id\` that names no table, or this one, is 409.`;

/** Registers what the values of tables are divided by. */
export function registerDenominatorRoutes(app: App, { db }: Services): void {
  app.get('/datasets/:id/denominator', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getDenominator',
      summary: 'Read what the values of a table are divided by',
      description: `\`state\` is \`none\` without a choice, and \`gone\` when the other table has been deleted. \`counts\` says whether the values seem to be counts, which are
compared by rates; nothing follows from it. Of another table, \`periods\` names the period that is used for each date. A dataset of another type is 422.`,
      params: IdParams,
      response: ok('The denominator', Denominator, 400, 404, 422),
    },
    handler: async (request, reply) =>
      await describeDenominator(db, request.params.id, answerIn(request, reply)),
  });

  app.put('/datasets/:id/denominator', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'setDenominator',
      summary: 'Choose what the values of a table are divided by',
      description: setText,
      params: IdParams,
      body: DenominatorInput,
      response: ok('The denominator', Denominator, 400, 404, 409, 413, 422),
    },
    handler: async (request, reply) => {
      await setDenominator(db, request.params.id, request.body);
      return await describeDenominator(db, request.params.id, answerIn(request, reply));
    },
  });

  app.delete('/datasets/:id/denominator', {
    config: { scope: 'data:write' },
    schema: {
      tags,
      operationId: 'removeDenominator',
      summary: 'Take back what the values of a table are divided by',
      description: 'The table and the other one stay as they are.',
      params: IdParams,
      response: { 204: z.null().describe('It has no denominator'), ...errorResponses(400, 404) },
    },
    handler: async ({ params }, reply) => {
      await removeDenominator(db, params.id);
      return await reply.code(204).send(null);
    },
  });
}
