import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { emptyPng } from '../png/png.ts';
import type { ViewWait } from '../service/drawn-datasets.ts';
import type { MapRaster, Maps } from '../service/maps.ts';
import { CalendarDate } from '../../validation/fields.ts';
import { clientOf } from '../../http/access/authentication.ts';
import type { DrawnAnswer, DrawnAnswers } from '../../http/answer/drawn.ts';
import { leftOutHeaders } from '../../http/files/content-headers.ts';
import { bytesResponse, drawnResponses } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import { RasterTileParams, rasterTileOf } from '../../http/request/tile-params.ts';
import { untilGone } from '../../http/request/until-gone.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import type { AccessPolicy } from '../../http/access/access-policy.ts';

const png = 'image/png';

/** Query parameters of every tile of pixels. */
const TileQuery = z.object({
  empty: z
    .literal('204')
    .optional()
    .describe('With `204`, an empty tile is answered with 204 instead of a transparent picture'),
});
const DatasetTileQuery = TileQuery.extend({
  v: z.string().optional().describe('The version that TileJSON names: caches may keep such a tile for ever'),
});
const GroupTileQuery = TileQuery.extend({
  time: CalendarDate.optional().describe('The raster whose period ends on this day, instead of the freshest'),
});

const drawnTile = bytesResponse('The tile', png);
const noTile = { 204: z.null().describe('The tile is empty, and the client requested 204') };

const description = `WebMercatorQuad of OGC's Two Dimensional Tile Matrix Set, 256 pixels a side, 512 with \`@2x\`. Each pixel has the colour of the nearest
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

type AskedTile = ReturnType<typeof rasterTileOf> & { readonly empty?: '204' | undefined };

/** Returns who may keep tiles that never change. */
export function lastingOf({ authentication }: AccessPolicy): 'public' | 'private' {
  return authentication.mode === 'off' ? 'public' : 'private';
}

/** Creates what draws a tile of a raster and answers with it. Its `lookUp` finds the raster as it is now. */
export function createRasterTileSender({ maps, tileBudget, drawnAnswers }: Omit<Dependencies, 'access'>) {
  return async function sendTile(
    request: FastifyRequest,
    reply: FastifyReply,
    { tile, size, empty }: AskedTile,
    lookUp: (wait: ViewWait) => Promise<FoundRaster>,
  ): Promise<FastifyReply> {
    const signal = untilGone(reply);
    const wait = { signal, begin: () => tileBudget.charge(clientOf(request)) };
    const answer = async (): Promise<DrawnAnswer> => {
      const { raster, lasting, headers } = await lookUp(wait);
      return {
        parts: [raster.version, tile.z, tile.x, tile.y, size, empty ?? null],
        lasting,
        headers: { ...leftOutHeaders(raster.style?.style.leftOut), ...headers },
        async draw() {
          const drawn = await tileBudget.spend(
            clientOf(request),
            async () => await maps.tile(raster, { tile, size }, signal),
            signal,
          );
          if (drawn === undefined && empty !== undefined) return undefined;
          return { contentType: png, bytes: drawn ?? emptyPng(size) };
        },
      };
    };
    return await drawnAnswers.send(request, reply, answer, maps.forgetAll);
  };
}
