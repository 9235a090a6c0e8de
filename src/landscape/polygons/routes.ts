import { z } from 'zod';
import { listPolygons, polygonsOf } from './polygons.ts';
import { PolygonsInput, RunPolygons } from './polygons-schema.ts';
import { IdParams } from '../../validation/fields.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { pendingResponse, waitQuery, type ResultWaiters } from '../../http/long-poll/result-waiters.ts';
import { errorResponses, jsonResponse, ok } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';

const tags = ['landscape'];

const createDescription = `A job makes a GeoPackage with one polygon for each contiguous zone of a class raster of the run, and a \`vector\` dataset of it. Pixels that share an edge are
contiguous. The layer \`zones\` is in longitude and latitude on WGS 84; nothing is simplified: an outline has a position at each corner of the pixels
that it runs along, so that neighbours share their borders. Attributes: \`zone\`, \`sector\`, \`S\` and \`E\` (the most frequent suitability and sensitivity of its pixels),
\`code\`, titles in three languages, \`kato\` and \`name\` of the unit, \`ha_polygon\` and \`ha_pixels\`.

- **\`min_area_ha\`** is off by default. With it, smaller zones are merged, the smallest first: each takes the class of the neighbour with which it shares the longest border. This
  moves hectares between classes, and the answer reports how many. A zone without a neighbour stays.
- **\`by\`** cuts zones at the borders of units: a pixel belongs to the unit that contains its centre, and zones of two units do not merge.
- **Hectares** of polygons and of pixels are both those of the ellipsoid, and agree to a millionth.
- **More than 100,000 zones**, or 3 million positions, are refused with 422: the answer gives their number, and a \`min_area_ha\` that makes few enough of them.

The same request returns the same polygons: they are made once for each raster, version of the units and parameters. The first answer waits up to \`wait\` seconds, then it
is 202; send the same request again. The polygons of an adopted run can be deleted like any dataset; its raster cannot, so the same file can be made again.`;

const listDescription = `The polygons of the rasters of the run, requested for it or for another run with the same rasters: the newest first, at most 100. Polygons whose dataset or raster
was deleted are left out.`;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly resultWaiters: ResultWaiters;
}

export function registerRunPolygonRoutes(app: App, parts: Dependencies): void {
  const { db, resultWaiters } = parts;

  app.post('/landscape/runs/:id/polygons', {
    config: { scope: 'landscape:run' },
    schema: {
      tags,
      operationId: 'makeRunPolygons',
      summary: 'Make polygons of the zones of a run',
      description: createDescription,
      params: IdParams,
      querystring: z.object({ ...waitQuery, ...LanguageQuery.shape }),
      body: PolygonsInput,
      response: {
        200: jsonResponse('The polygons, with their dataset', RunPolygons),
        ...pendingResponse,
        ...errorResponses(400, 404, 409, 413, 422, 429),
      },
    },
    handler: async (request, reply) => {
      const poll = async () => await polygonsOf(parts, request.params.id, request.body);
      const found = await resultWaiters.readyOr202(request, reply, { wait: request.query.wait, poll });
      if (found === undefined) return reply;
      const language = answerIn(request, reply);
      return found.view(language);
    },
  });

  app.get('/landscape/runs/:id/polygons', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'listRunPolygons',
      summary: 'List the polygons that were made of the zones of a run',
      description: listDescription,
      params: IdParams,
      querystring: LanguageQuery,
      response: ok('The polygons', z.array(RunPolygons), 400, 404),
    },
    handler: async (request, reply) => {
      const language = answerIn(request, reply);
      return await listPolygons(db, request.params.id, language);
    },
  });
}
