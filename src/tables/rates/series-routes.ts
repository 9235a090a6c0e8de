import { sendCurrentObject } from '../../http/answer/object.ts';
import { fileResponses } from '../../http/openapi/responses.ts';
import { RateQuery } from '../../http/request/rate-query.ts';
import type { App } from '../../http/request/schemas.ts';
import { IdParams } from '../../validation/fields.ts';
import { KatoSeries } from '../kato-map/kato-series.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { CurrentFiles } from '../kato-map/current-files.ts';
import type { Rates } from './rate-series.ts';
import type { DrawnAnswers } from '../../http/answer/drawn.ts';

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
