import { z } from 'zod';
import { hasTile, matrixSet, type TileRange } from '../maps/formats/tile-matrix-set.ts';
import type { Tile } from '../../common/maps/raster/web-mercator.ts';
import { requestProblems } from '../messages/request/english.ts';
import { bytesResponse } from '../http/openapi/responses.ts';
import type { App } from '../http/request/schemas.ts';
import { ogcTileParams, tileOf } from '../http/request/tile-params.ts';
import { standardErrors } from '../http/openapi/standards.ts';
import { standardQuery } from '../http/standards/parameters.ts';
import { CollectionParams } from './collection-routes.ts';
import { tileKinds, TileFormatQuery } from './tile-schemas.ts';
import type { TileSources } from './tile-sources.ts';
import { createRasterTileSender, lastingOf } from '../maps/routes/raster-tiles.ts';
import { createVectorTileSender } from '../maps/routes/vector-tiles.ts';
import type { Maps } from '../maps/service/maps.ts';
import type { VectorMaps } from '../maps/service/vector-maps.ts';
import type { TileBudget } from '../http/limits/tile-budget.ts';
import type { DrawnAnswers } from '../http/answer/drawn.ts';
import type { AccessPolicy } from '../http/access/access-policy.ts';

const tags = ['features'];
const params = CollectionParams.extend(ogcTileParams);
const { vector, map } = tileKinds;

const v = z
  .string()
  .optional()
  .describe('The version in the tileset: caches may keep such a tile permanently');

function answersOf(mediaType: string) {
  return {
    200: bytesResponse('The tile', mediaType),
    304: z.null().describe('The tile has not changed'),
    ...standardErrors(400, 404, 409, 412, 422, 429),
  };
}

const limits =
  'Tiles outside the limits of the tileset are answered with 404. The row comes before the column.';

interface Dependencies {
  readonly maps: Maps;
  readonly vectorMaps: VectorMaps;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
  readonly access: AccessPolicy;
}

/** Registers the tiles of collections at the paths of OGC API - Tiles. */
export function registerOgcTileRoutes(app: App, sources: TileSources, parts: Dependencies): void {
  const lasting = lastingOf(parts.access);
  const sendVectorTile = createVectorTileSender(parts);
  const sendRasterTile = createRasterTileSender(parts);
  const below = `${matrixSet.id}/:tileMatrix/:tileRow/:tileCol`;

  app.get(`/ogc/collections/:collectionId/${vector.path}/${below}`, {
    config: { scope: 'data:read', standardOperationId: 'collection.vector.getTile' },
    schema: {
      tags,
      operationId: 'getCollectionVectorTile',
      summary: 'Read a vector tile of a collection',
      description: `A Mapbox Vector Tile, as in \`/datasets/{id}/tiles\`; for districts and regions with only their layer. ${limits}`,
      params,
      querystring: standardQuery({ f: TileFormatQuery(vector.form), v }),
      response: answersOf(vector.mediaType),
    },
    handler: async (request, reply) => {
      const tile = ogcTileOf(request.params, request.url);
      const lookUp = async () => {
        const found = await sources.vector(request.params.collectionId);
        refuseOutside(found, tile);
        return found.map;
      };
      const { v: version } = request.query;
      return await sendVectorTile(request, reply, { lookUp, tile, datetime: undefined, version });
    },
  });

  app.get(`/ogc/collections/:collectionId/${map.path}/${below}`, {
    config: { scope: 'data:read', standardOperationId: 'collection.map.getTile' },
    schema: {
      tags,
      operationId: 'getCollectionMapTile',
      summary: 'Draw a map tile of a collection',
      description: `256 pixels a side, in the colours of the style, as in \`/datasets/{id}/tiles\`. ${limits}`,
      params,
      querystring: standardQuery({ f: TileFormatQuery(map.form), v }),
      response: answersOf(map.mediaType),
    },
    handler: async (request, reply) => {
      const tile = ogcTileOf(request.params, request.url);
      return await sendRasterTile(request, reply, { tile, size: 256 }, async (wait) => {
        const found = await sources.map(request.params.collectionId, wait);
        refuseOutside(found, tile);
        const { raster, version } = found;
        return { raster, lasting: request.query.v === version ? lasting : undefined };
      });
    },
  });
}

interface OgcTile {
  readonly tileMatrix: string;
  readonly tileRow: number;
  readonly tileCol: number;
}

/** Reads a tile of the path. @throws {Problem} as `tileOf` does. */
function ogcTileOf({ tileMatrix: zoom, tileRow, tileCol }: OgcTile, url: string): Tile {
  return tileOf({ z: zoom, x: String(tileCol), y: String(tileRow) }, url);
}

/** Refuses a tile outside of a tileset. @throws {Problem} `not_found` */
function refuseOutside(range: TileRange, tile: Tile): void {
  if (!hasTile(range, tile)) throw requestProblems.noSuchPath();
}
