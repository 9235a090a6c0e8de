import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type AskedTile,
  createTileSender,
  drawnTile,
  emptyQuery,
  noTile,
  type TiledPicture,
} from './pixel-tiles.ts';
import type { ViewWait } from '../service/drawn-datasets.ts';
import type { MapRaster, Maps } from '../service/maps.ts';
import { CalendarDate } from '../../validation/fields.ts';
import { clientOf } from '../../http/access/authentication.ts';
import type { DrawnAnswers } from '../../http/answer/drawn.ts';
import { leftOutHeaders } from '../../http/files/content-headers.ts';
import { drawnResponses } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import { RasterTileParams, rasterTileOf } from '../../http/request/tile-params.ts';
import { untilGone } from '../../http/request/until-gone.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import type { AccessPolicy } from '../../http/access/access-policy.ts';

const TileQuery = z.object(emptyQuery);
const DatasetTileQuery = TileQuery.extend({
  v: z.string().optional().describe('Version from TileJSON: caches may keep such a tile forever'),
});
const GroupTileQuery = TileQuery.extend({
  time: CalendarDate.optional().describe('The raster whose period ends on this day, instead of the freshest'),
});

const description = `WebMercatorQuad of OGC's Two Dimensional Tile Matrix Set, 256 pixels per side, 512 with \`@2x\`. Each pixel has the colour of the nearest
pixel of the raster: by its own style, otherwise by the style of its group, otherwise by the colours of the file, otherwise by a ramp from the 2nd to the 98th percentile. No data is
transparent. \`X-Style-Left-Out\` names the parts of the style that are not drawn. The ETag changes with the raster and with the style.`;

interface Dependencies {
  readonly maps: Maps;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
  readonly access: AccessPolicy;
}

export function registerRasterTileRoutes(app: App, parts: Dependencies): void {
  const { maps, access } = parts;
  const lasting = lastingOf(access);
  const sendTile = createRasterTileSender(parts);

  app.get('/datasets/:id/tiles/:z/:x/:y.png', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['maps'],
      operationId: 'getRasterTile',
      summary: 'Draw a tile of a raster',
      description,
      params: RasterTileParams,
      querystring: DatasetTileQuery,
      response: { ...drawnResponses(drawnTile, 400, 404, 409, 422, 429), ...noTile },
    },
    handler: async (request, reply) => {
      const place = { ...rasterTileOf(request.params, request.url), empty: request.query.empty };
      return await sendTile(request, reply, place, async (wait) => {
        const raster = await maps.raster(request.params.id, wait);
        return { raster, lasting: request.query.v === raster.version ? lasting : undefined };
      });
    },
  });

  app.get('/dataset-groups/:id/tiles/:z/:x/:y.png', {
    config: { scope: 'data:read' },
    schema: {
      tags: ['maps'],
      operationId: 'getGroupTile',
      summary: 'Draw a tile of the freshest raster of a group',
      description: `Like a tile of the raster itself, which \`Content-Location\` names. ${description}`,
      params: RasterTileParams,
      querystring: GroupTileQuery,
      response: { ...drawnResponses(drawnTile, 400, 404, 422, 429), ...noTile },
    },
    handler: async (request, reply) => {
      const place = { ...rasterTileOf(request.params, request.url), empty: request.query.empty };
      const { id: groupId, z: zoom, x, y } = request.params;
      return await sendTile(
        request,
        reply,
        place,
        async (wait) =>
          await maps.ofMember(groupId, request.query.time, async (id) => ({
            raster: await maps.raster(id, wait),
            headers: { 'content-location': `/datasets/${id}/tiles/${zoom}/${x}/${y}.png` },
          })),
      );
    },
  });
}

interface FoundRaster {
  readonly raster: MapRaster;
  readonly lasting?: 'public' | 'private' | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the caches that may keep immutable tiles. */
export function lastingOf({ authentication }: AccessPolicy): 'public' | 'private' {
  return authentication.mode === 'off' ? 'public' : 'private';
}

/** Creates the sender of raster tiles. Its `lookUp` finds the current raster. */
export function createRasterTileSender(parts: Omit<Dependencies, 'access'>) {
  const { maps, tileBudget } = parts;
  const send = createTileSender(parts);
  return async function sendTile(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: AskedTile,
    findRaster: (wait: ViewWait) => Promise<FoundRaster>,
  ): Promise<FastifyReply> {
    const wait = { signal: untilGone(reply), begin: () => tileBudget.charge(clientOf(request)) };
    const lookUp = async (): Promise<TiledPicture> => {
      const { raster, lasting, headers } = await findRaster(wait);
      return {
        parts: [raster.version],
        lasting,
        headers: { ...leftOutHeaders(raster.style?.style.leftOut), ...headers },
        draw: async (place, signal) => await maps.tile(raster, place, signal),
      };
    };
    return await send(request, reply, asked, { lookUp, forget: maps.forgetAll });
  };
}
