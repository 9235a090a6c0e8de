import { z } from 'zod';
import type { PendingResult } from '../../jobs/results.ts';
import { drawnLayer } from '../balance/zoned-runs.ts';
import { readRunWarning } from '../runs/run-warning.ts';
import { titleOf } from '../groups/titles.ts';
import type { MadeLayer } from '../layers/layers.ts';
import { limitLegend, limitStyle, whereStyle } from './limit-colours.ts';
import { limitLayerOf, refuseUnlimited, sectorNode } from './limits.ts';
import { whereLayerOf } from './where.ts';
import { createCache } from '../../../common/cache.ts';
import { createTileSender, drawnTile, emptyQuery, noTile } from '../../maps/routes/pixel-tiles.ts';
import { pictureOf, type LayerTiles } from '../../maps/service/layer-tiles.ts';
import { Legend, toLegendJson } from '../../maps/service/legend-json.ts';
import { translate } from '../../messages/languages/translate.ts';
import { limitPhrases } from '../../messages/zoning/english.ts';
import { IdParams } from '../../validation/fields.ts';
import { sendText } from '../../http/answer/answer.ts';
import { answerIn, LanguageQuery } from '../../http/language/language.ts';
import { drawnResponses, jsonResponse } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import { RasterTileParams, rasterTileOf } from '../../http/request/tile-params.ts';
import { conditionsQuery, sectorQuery } from './routes.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import type { DrawnAnswers } from '../../http/answer/drawn.ts';

const tags = ['landscape', 'maps'];

const tileText = `WebMercatorQuad, 256 pixels a side, 512 with \`@2x\`; each pixel has the colour of the nearest pixel of the run. No data is transparent. Before the
layer is made, which the first request begins, the answer is 503 with \`Retry-After\`.`;

/** Cache time: a map requests dozens of tiles at once, and a layer changes only when it is deleted. */
const keepMs = 1000;
const maxLayers = 200;

interface Dependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
  readonly layerTiles: LayerTiles;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
}

/** Registers the maps of limits, and of places that meet conditions. */
export function registerLimitMapRoutes(
  app: App,
  { db, messageQueue, drawnAnswers, layerTiles, tileBudget }: Dependencies,
): void {
  const dependencies = { db, messageQueue };
  const sendTile = createTileSender({ tileBudget, drawnAnswers });

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
      const language = answerIn(request, reply);
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
          warning: await readRunWarning(db, [request.params.id], language),
          etagParts: [],
        },
        language,
      );
      return await sendText(request, reply, { body: legend });
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
        ...drawnResponses(drawnTile, 400, 404, 409, 429),
        ...noTile,
      },
    },
    handler: async (request, reply) => {
      const { sector, empty } = request.query;
      const runId = request.params.id;
      const find = async () => await limitLayerOf(dependencies, runId, sector);
      const compiled = limitStyle(sectorNode(sector));
      const place = rasterTileOf(request.params, request.url);
      const source = mapOf({ name: `${runId} ${sector}`, find, compiled });
      return await sendTile(request, reply, { ...place, empty }, source);
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
        ...drawnResponses(drawnTile, 400, 404, 409, 429),
        ...noTile,
      },
    },
    handler: async (request, reply) => {
      const { conditions, empty } = request.query;
      const runId = request.params.id;
      const find = async () => await whereLayerOf(dependencies, { runId, conditions });
      const place = rasterTileOf(request.params, request.url);
      const source = mapOf({ name: `${runId} where ${conditions}`, find, compiled: whereStyle });
      return await sendTile(request, reply, { ...place, empty }, source);
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
  }

  /** Returns the look-up of the layer of a map, and its drawing in these colours. */
  const mapOf = ({ name, find, compiled }: LayerMap) => ({
    lookUp: async () => pictureOf(layerTiles, drawnLayer(await layers.get(name, find)), compiled),
    forget: () => layers.forgetAll(),
  });
}
