import { z } from 'zod';
import { caseOf, caseQuery } from './case-query.ts';
import { cellStyle, conflictColours, stabilityColoursOf, whatIfColours } from './cell-colours.ts';
import { largestSets } from './conflicts.ts';
import { drawnLayer, type ZonedRuns } from './zoned-runs.ts';
import type { ZoningCase } from '../../../common/landscape/zoning.ts';
import { isLayerName, layerNames, layerOf } from '../layers/layers.ts';
import { createCache } from '../../../common/cache.ts';
import { createTileSender, drawnTile, emptyQuery, noTile } from '../../maps/routes/pixel-tiles.ts';
import { pictureOf, type LayerTiles } from '../../maps/service/layer-tiles.ts';
import { zoningWords } from '../../messages/zoning/english.ts';
import { Guid } from '../../validation/fields.ts';
import { sendCurrentObject } from '../../http/answer/object.ts';
import { pendingResponse, waitQuery, type ResultWaiters } from '../../http/long-poll/result-waiters.ts';
import { drawnResponses, FileBytes, fileResponses } from '../../http/openapi/responses.ts';
import type { App } from '../../http/request/schemas.ts';
import { RasterTileParams, rasterTileOf } from '../../http/request/tile-params.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import type { TileBudget } from '../../http/limits/tile-budget.ts';
import type { DrawnAnswers } from '../../http/answer/drawn.ts';

const tags = ['landscape'];

const layerDescription = `An internal raster of the run, on its grid; it is not a dataset. \`cells\`: whole numbers of 16 bits. With the greatest suitability S, the
sensitivity E and the mask of the sectors that reach S (bit k - 1 for sector k), a place has \`31 (5 (S - 1) + E - 1) + mask\`, from 1 to 775; land that
cannot be allotted has 776, and 0 is no data. Nodes 31 to 34 follow from it and the parameters.

At the first request, a job makes it; the answer waits up to \`wait\` seconds, then it is 202. Ranges are answered.`;

const CaseTileQuery = z.object({ ...caseQuery, ...emptyQuery });

const tileText = `WebMercatorQuad, 256 pixels a side, 512 with \`@2x\`; each pixel has the colour of the nearest pixel of the run. No data is transparent. Before the
land of the run is prepared, which the first request begins, the answer is 503 with \`Retry-After\`. The case is that of the run, with the thresholds and the order of the query.`;

const maps = [
  {
    name: 'whatif',
    operationId: 'getLandscapeWhatIfTile',
    summary: 'Draw a tile of the functional zoning with other parameters',
    description: `In the colours of the functional zoning. ${tileText}`,
  },
  {
    name: 'conflicts',
    operationId: 'getLandscapeConflictsTile',
    summary: 'Draw a tile of the land that suits several sectors equally well',
    description: `Land is coloured by the set of sectors that share the greatest suitability, from 3 on: \`sets\` of the conflicts is the legend. Other land is
transparent. ${tileText}`,
  },
  {
    name: 'stability',
    operationId: 'getLandscapeStabilityTile',
    summary: 'Draw a tile of the parameters that move the zones of a run',
    description: `Land is coloured by the change that gives it another code: none, a threshold moved by one, two neighbours of the order swapped, or either; \`legend\` of the
stability. ${tileText}`,
  },
] as const;

/** Limit of cached styles; each has about 20 KB. */
const maxStyles = 100;

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
  readonly resultWaiters: ResultWaiters;
  readonly layerTiles: LayerTiles;
  readonly zonedRuns: ZonedRuns;
  readonly tileBudget: TileBudget;
  readonly drawnAnswers: DrawnAnswers;
}

/** Registers the internal rasters of runs and their maps. */
export function registerLayerRoutes(
  app: App,
  {
    db,
    messageQueue,
    objectStore,
    resultWaiters,
    zonedRuns,
    layerTiles,
    tileBudget,
    drawnAnswers,
  }: Dependencies,
): void {
  app.get('/landscape/runs/:id/layers/:layer.cog', {
    config: { scope: 'data:read' },
    schema: {
      tags,
      operationId: 'getLandscapeLayer',
      summary: 'Read an internal raster of a run as a Cloud-Optimized GeoTIFF',
      description: layerDescription,
      params: z.object({
        id: Guid.describe('Id of the run: a uuid in either case'),
        layer: z.string().describe('Name of the layer: `cells`'),
      }),
      querystring: z.object(waitQuery),
      response: {
        ...fileResponses('The COG', 'image/tiff', FileBytes, 404, 409),
        ...pendingResponse,
      },
    },
    handler: async (request, reply) => {
      const { id, layer: name } = request.params;
      if (!isLayerName(name)) throw zoningWords.noSuchLayer(layerNames);
      const poll = async () => await layerOf({ db, messageQueue }, id, name);
      const layer = await resultWaiters.readyOr202(request, reply, { wait: request.query.wait, poll });
      if (layer === undefined) return reply;
      return await sendCurrentObject(request, reply, objectStore, async () => {
        const now = await poll();
        return { key: (now.isPending ? layer : now).cogKey, contentType: 'image/tiff' };
      });
    },
  });

  const sendTile = createTileSender({ tileBudget, drawnAnswers });
  const styles = createCache<string>({ max: maxStyles });

  for (const { name, ...documented } of maps) {
    app.get(`/landscape/runs/:id/${name}/tiles/:z/:x/:y.png`, {
      config: { scope: 'data:read' },
      schema: {
        ...documented,
        tags: ['landscape', 'maps'],
        params: RasterTileParams,
        querystring: CaseTileQuery,
        response: {
          ...drawnResponses(drawnTile, 400, 404, 409, 429),
          ...noTile,
        },
      },
      handler: async (request, reply) => {
        const { params, query } = request;
        const lookUp = async () => {
          const { run, layer } = await zonedRuns.read(params.id);
          const drawn = drawnLayer(layer);
          const zoning = caseOf(run.params, query);
          return pictureOf(layerTiles, drawn, await styleOf(name, params.id, zoning));
        };
        const asked = { ...rasterTileOf(params, request.url), empty: query.empty };
        return await sendTile(request, reply, asked, { lookUp, forget: zonedRuns.forgetAll });
      },
    });
  }

  async function styleOf(
    name: (typeof maps)[number]['name'],
    id: string,
    zoning: ZoningCase,
  ): Promise<string> {
    if (name === 'conflicts') return await styleOfConflicts(id);
    const coloursOf = name === 'whatif' ? whatIfColours : stabilityColoursOf;
    const key = `${name} ${JSON.stringify(zoning)}`;
    return await styles.get(key, async () => cellStyle(coloursOf(zoning)));
  }

  /** The legend contains the largest sets, so the land must be counted first. */
  async function styleOfConflicts(id: string): Promise<string> {
    const land = await zonedRuns.land(id, 'all');
    if (land.isPending) throw zoningWords.layerPending();
    const sets = async () => conflictColours(largestSets(await land.read()));
    return await styles.get(`conflicts ${land.key}`, async () => cellStyle(await sets()));
  }
}
