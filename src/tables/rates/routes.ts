import { z } from 'zod';
import { Denominator, DenominatorInput } from './denominator-schema.ts';
import { describeDenominator, removeDenominator, setDenominator } from './denominators.ts';
import { IdParams } from '../../validation/fields.ts';
import { answerIn } from '../../http/language/language.ts';
import { errorResponses, ok, fileResponses } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import { sendCurrentObject } from '../../http/answer/object.ts';
import { RateQuery } from '../../http/request/rate-query.ts';
import { KatoSeries } from '../kato-map/kato-series.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { CurrentFiles } from '../kato-map/current-files.ts';
import type { Rates } from './rate-series.ts';
import type { DrawnAnswers } from '../../http/answer/drawn.ts';

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

const seriesDescription = `The values of the GeoJSON of a \`vector_with_kato\`, by the same rules, for clients that already have the borders
(\`GET /districts.geojson\`). Another type is answered with 422, a dataset that is not \`ready\` with 409. Encodings, conditions and ranges are as for the
GeoJSON; both change with the districts. The first request after a mapping takes longer.

With \`rate=1\` values are divided by the denominator that was chosen with \`PUT /datasets/{id}/denominator\`; 409 if the table has none, or if it is
deleted or not ready. \`rate\` names the denominator, and the period that is used for each date; if a unit has no rate, \`reasons\` gives the reason.
Such an answer has no encodings and no ranges.`;

interface Dependencies {
  readonly objectStore: ObjectStore;
  readonly currentFiles: CurrentFiles;
  readonly rates: Rates;
  readonly drawnAnswers: DrawnAnswers;
}

export function registerSeriesRoute(
  app: App,
  { objectStore, currentFiles, drawnAnswers, rates }: Dependencies,
): void {
  app.get('/datasets/:id/series', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['tables by KATO'],
      operationId: 'getDatasetSeries',
      summary: 'Read the values of a table by KATO without geometry',
      description: seriesDescription,
      params: IdParams,
      querystring: RateQuery,
      response: fileResponses('The series', 'application/json', KatoSeries, 404, 409, 422),
    },
    async handler(request, reply) {
      const { id } = request.params;
      const contentType = 'application/json';
      if (request.query.rate === '1')
        return await drawnAnswers.send(request, reply, async () => {
          const { version, series } = await rates.of(id);
          return {
            parts: [version],
            draw: async () => ({ contentType, bytes: Buffer.from(await series()) }),
          };
        });
      return await sendCurrentObject(request, reply, objectStore, async () => ({
        ...(await currentFiles.seriesKeysOf(id)),
        contentType,
      }));
    },
  });
}
