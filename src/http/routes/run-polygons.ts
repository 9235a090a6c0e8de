import { z } from 'zod';
import { listPolygons, polygonsOf } from '../../landscape/polygons/polygons.ts';
import { PolygonsInput, RunPolygons } from '../../landscape/polygons/polygons-schema.ts';
import { IdParams } from '../../validation/fields.ts';
import { languageAsked, languageHeaders, LanguageQuery } from '../language/language.ts';
import { pendingResponse, waitQuery } from '../long-poll/result-waiters.ts';
import { errorResponses, jsonResponse, ok } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import type { Services } from './services.ts';

const tags = ['landscape'];

const createDescription = `A job makes a GeoPackage with one polygon for each contiguous zone of a class raster of the run, and a \`vector\` dataset of it. Pixels are
contiguous that share an edge. The layer \`zones\` is in longitude and latitude on WGS 84; nothing is simplified: an outline has a position at each corner of the pixels
that it runs along, so that neighbours share their borders. Attributes: \`zone\`, \`sector\`, \`S\` and \`E\` (the suitability and sensitivity that most of its pixels have),
\`code\`, titles in three languages, \`kato\` and \`name\` of the unit, \`ha_polygon\` and \`ha_pixels\`.

- **\`min_area_ha\`** is off by default. With it, zones that are smaller are merged, the smallest first: each takes the class that it shares the longest border with. This
  moves hectares between classes, and the answer says how many. A zone without a neighbour stays.
- **\`by\`** cuts zones at the borders of units: a pixel belongs to the unit in which its middle lies, and zones of two units do not merge.
- **Hectares** of polygons and of pixels are both those of the ellipsoid, and agree to a millionth.
- **More than 100,000 zones**, or 3 million positions, are 422: the answer says how many there are, and the \`min_area_ha\` with which they are few enough.

The same request again has the same polygons: they are made once for each raster, state of the units and parameters. The first answer waits up to \`wait\` seconds, then it
is 202; send the same request again. The polygons of an adopted run can be deleted as any dataset: its raster cannot, and the same file can be made of it again.`;

const listDescription = `What was asked for of the rasters of the run, by itself or by another run with the same rasters: the newest first, at most 100. Polygons whose dataset or raster
was deleted are not among them.`;

export function registerRunPolygonRoutes(app: App, services: Services): void {
  const { db, resultWaiters } = services;

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
      const look = async () => await polygonsOf(services, request.params.id, request.body);
      const found = await resultWaiters.readyOr202(request, reply, { wait: request.query.wait, look });
      if (found === undefined) return reply;
      const language = languageAsked(request, request.query);
      reply.headers(languageHeaders(language));
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
      const language = languageAsked(request, request.query);
      reply.headers(languageHeaders(language));
      return await listPolygons(db, request.params.id, language);
    },
  });
}
