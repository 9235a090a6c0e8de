import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { PendingResult } from '../../jobs/results.ts';
import { drawnLayer } from '../balance/zoned-runs.ts';
import { titleOf } from '../groups/titles.ts';
import type { MadeLayer } from '../layers/layers.ts';
import { limitLegend, limitStyle, whereStyle } from './limit-colours.ts';
import { limitLayerOf, refuseUnlimited, sectorNode } from './limits.ts';
import { whereLayerOf } from './where.ts';
import { createCache } from '../../../common/cache.ts';
import { emptyPng } from '../../maps/png/png.ts';
import { styleKeyOf, type LayerTiles } from '../../maps/service/layer-tiles.ts';
import { Legend, toLegendJson } from '../../maps/service/legend-json.ts';
import { drawingVersion } from '../../maps/service/maps.ts';
import { translate } from '../../messages/languages/translate.ts';
import { limitPhrases } from '../../messages/landscape/limits.ts';
import { IdParams } from '../../validation/fields.ts';
import { clientOf } from '../../http/access/authentication.ts';
import { languageAsked, languageHeaders, LanguageQuery } from '../../http/language/language.ts';
import { bytesResponse, drawnResponses, jsonResponse } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import { RasterTileParams, rasterTileOf } from '../../http/request/tile-params.ts';
import { untilGone } from '../../http/request/until-gone.ts';
import { conditionsQuery, sectorQuery } from './routes.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import type { DrawnAnswers } from '../../http/files/drawn-response.ts';

const tags = ['landscape', 'maps'];
const json = 'application/json; charset=utf-8';

const tileText = `WebMercatorQuad, 256 pixels a side, 512 with \`@2x\`; each pixel has the colour of the nearest pixel of the run. No data is transparent. Before the
layer is made, which the first request begins, the answer is 503 with \`Retry-After\`.`;

const emptyQuery = {
  empty: z
    .literal('204')
    .optional()
    .describe('With `204`, an empty tile is answered with 204 instead of a transparent picture'),
};
const noTile = { 204: z.null().describe('The tile is empty, and the client requested 204') };

/** A map asks for dozens of tiles at once; a layer changes by its deletion alone. */
const keepMs = 1000;
const maxLayers = 200;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly layerTiles: LayerTiles;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
}

/** Registers the maps of what limits a run, and of where it meets conditions. */
export function registerLimitMapRoutes(
  app: App,
  { db, messageQueue, drawnAnswers, layerTiles, tileBudget }: Dependencies,
): void {
  const dependencies = { db, messageQueue };

  app.get('/landscape/runs/:id/limits/legend.json', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeLimitsLegend',
      summary: 'Read the legend of the map of the limits of a sector',
      description:
        'The colours of its tiles: one for each factor that limits alone, and one for several equal limits.',
      params: IdParams,
      querystring: LanguageQuery.extend(sectorQuery),
      response: drawnResponses(jsonResponse('The legend', Legend), 400, 404, 409),
    },
    handler: async (request, reply) => {
      const { sector } = request.query;
      const language = languageAsked(request, request.query);
      await refuseUnlimited(db, request.params.id, sector);
      const node = sectorNode(sector);
      const { group, title } = node.output;
      const legend = toLegendJson(
        {
          title: translate(limitPhrases.title(titleOf(group, language) ?? title), language),
          unit: null,
          model: limitLegend(node, language),
          hasNoData: true,
          leftOut: [],
          etagParts: [],
        },
        language,
      );
      const text = JSON.stringify(legend);
      return await drawnAnswers.send(request, reply, async () => ({
        parts: [drawingVersion, request.routeOptions.url ?? '', text],
        headers: languageHeaders(language),
        draw: async () => ({ contentType: json, bytes: Buffer.from(text) }),
      }));
    },
  });

  app.get('/landscape/runs/:id/limits/tiles/:z/:x/:y.png', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeLimitsTile',
      summary: 'Draw a tile of the limits of a sector',
      description: `Land is coloured by the factor that limits the sector alone; \`legend.json\` names the factors. ${tileText}`,
      params: RasterTileParams,
      querystring: z.object({ ...sectorQuery, ...emptyQuery }),
      response: {
        ...drawnResponses(bytesResponse('The tile', 'image/png'), 400, 404, 409, 429),
        ...noTile,
      },
    },
    handler: async (request, reply) => {
      const { sector, empty } = request.query;
      const runId = request.params.id;
      const find = async () => await limitLayerOf(dependencies, runId, sector);
      const compiled = limitStyle(sectorNode(sector));
      const place = rasterTileOf(request.params, request.url);
      return await sendTile({ request, reply }, place, { name: `${runId} ${sector}`, find, compiled, empty });
    },
  });

  app.get('/landscape/runs/:id/where/tiles/:z/:x/:y.png', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeWhereTile',
      summary: 'Draw a tile of the places that meet conditions',
      description: `Land that meets all conditions is red, other land is transparent. ${tileText}`,
      params: RasterTileParams,
      querystring: z.object({ ...conditionsQuery, ...emptyQuery }),
      response: {
        ...drawnResponses(bytesResponse('The tile', 'image/png'), 400, 404, 409, 429),
        ...noTile,
      },
    },
    handler: async (request, reply) => {
      const { conditions, empty } = request.query;
      const runId = request.params.id;
      const find = async () => await whereLayerOf(dependencies, { runId, conditions });
      const place = rasterTileOf(request.params, request.url);
      const map = { name: `${runId} where ${conditions}`, find, compiled: whereStyle, empty };
      return await sendTile({ request, reply }, place, map);
    },
  });

  const layers = createCache<MadeLayer | PendingResult>({
    max: maxLayers,
    ttlMs: keepMs,
    isLasting: ({ isPending }) => !isPending,
  });

  interface LayerMap {
    readonly name: string;
    readonly find: () => Promise<MadeLayer | PendingResult>;
    readonly compiled: string;
    readonly empty: '204' | undefined;
  }

  async function sendTile(
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    { tile, size }: ReturnType<typeof rasterTileOf>,
    { name, find, compiled, empty }: LayerMap,
  ): Promise<FastifyReply> {
    const signal = untilGone(reply);
    const lookUp = async () => {
      const { cogKey, meshKey } = drawnLayer(await layers.get(name, find));
      const draw = async () => {
        const drawing = async () =>
          await layerTiles.draw({ cogKey, meshKey, compiled }, { tile, size }, signal);
        const drawn = await tileBudget.spend(clientOf(request), drawing, signal);
        if (drawn === undefined && empty !== undefined) return undefined;
        return { contentType: 'image/png', bytes: drawn ?? emptyPng(size) };
      };
      const place = [tile.z, tile.x, tile.y, size, empty ?? null];
      return { parts: [drawingVersion, cogKey, meshKey, styleKeyOf(compiled), ...place], draw };
    };
    return await drawnAnswers.send(request, reply, lookUp, () => layers.forgetAll());
  }
}
