import { Denominator, DenominatorInput } from './denominator-schema.ts';
import { describeDenominator, removeDenominator, setDenominator } from './denominators.ts';
import { z } from 'zod';
import { IdParams } from '../../validation/fields.ts';
import { answerIn } from '../../http/language/language.ts';
import { errorResponses, ok } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';

const tags = ['tables by KATO'];

const setText = `The denominator of the values of a table when a client requests a rate (\`rate=1\`): the area of each unit, geodesic on the ellipsoid of WGS 84, or the
values of another table for the same unit. A denominator is never guessed, and no answer changes without \`rate=1\`.

From another table, the service uses the period that is valid for the date of a value: the same period; otherwise the shortest period that contains it; otherwise the first
point in time within it, such as a population at the beginning of a year for that year. Without a valid period there is no rate. A dataset of another type is answered with 422, a
\`dataset_id\` that names no table, or this one, with 409.`;

export function registerDenominatorRoutes(app: App, { db }: { readonly db: Database }): void {
  app.get('/datasets/:id/denominator', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getDenominator',
      summary: 'Read the denominator of the values of a table',
      description: `\`state\` is \`none\` without a choice, and \`gone\` if the other table has been deleted. \`counts\` reports evidence that the values are counts, which should be
compared by rates; it has no effect. For another table, \`periods\` names its period for each date. A dataset of another type is answered with 422.`,
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
      summary: 'Choose the denominator of the values of a table',
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
      summary: 'Remove the denominator of the values of a table',
      description: 'Both tables stay as they are.',
      params: IdParams,
      response: { 204: z.null().describe('The table has no denominator'), ...errorResponses(400, 404) },
    },
    handler: async ({ params }, reply) => {
      await removeDenominator(db, params.id);
      return await reply.code(204).send(null);
    },
  });
}
