import type { PendingResult } from '../../jobs/results.ts';
import { createCache } from '../../../common/cache.ts';
import { zoningWords } from '../../messages/zoning/english.ts';
import { layerOfRun, type MadeLayer, readZonedRun } from '../layers/layers.ts';
import type { StoredRun } from '../runs/run-rows.ts';
import type { AreaLevels } from '../../areas/areas-schema.ts';
import { readUnits } from '../../areas/by-unit.ts';
import { refusePinned } from './case-query.ts';
import { areasOf } from '../../areas/area-counts.ts';
import { type CellTable, cellTableOf } from './land.ts';

/** A run whose zones follow from its cells. */
export interface ZonedRun {
  readonly run: StoredRun;
  readonly layer: MadeLayer | PendingResult;
}

/** The counted land of a run; `read` fetches the figures. */
export interface CountedLand {
  readonly isPending: false;
  readonly run: StoredRun;
  readonly layer: MadeLayer;
  /** Equal keys have equal figures. */
  readonly key: string;
  read(): Promise<CellTable>;
}

/** Cache time: a map requests dozens of tiles at once, and a finished run changes only when its rasters are deleted. */
const keepMs = 1000;
const maxRuns = 200;
/** All cells, land that cannot be allotted, and some to spare. */
const maxClasses = 1024;
/** Limit of cached tables; each has one or two megabytes. */
const maxTables = 8;

export type ZonedRuns = ReturnType<typeof createZonedRuns>;

/** Creates the reader of runs and their land, for one process. */
export function createZonedRuns(dependencies: Parameters<typeof layerOfRun>[0]) {
  const { db } = dependencies;
  const runs = createCache<ZonedRun>({
    max: maxRuns,
    ttlMs: keepMs,
    isLasting: ({ layer }) => !layer.isPending,
  });
  const tables = createCache<CellTable>({ max: maxTables });

  const read = async (id: string): Promise<ZonedRun> =>
    await runs.get(id, async () => {
      const run = await readZonedRun(db, id);
      refusePinned(run);
      return { run, layer: await layerOfRun(dependencies, run, 'cells') };
    });

  return {
    /**
     * Returns a run and the layer of its cells, which is enqueued if it does not exist.
     * @throws {Problem} as `layerOf` does; `conflict` for a run whose zones do not follow from cells.
     */
    read,
    /** Returns the land of a run, or has it counted. @throws {Problem} as `read` does, and when it cannot be counted. */
    async land(id: string, by: AreaLevels): Promise<CountedLand | PendingResult> {
      const { run, layer } = await read(id);
      if (layer.isPending) return layer;
      const counted = await areasOf(dependencies, { cogs: [layer.cogKey], maxClasses });
      if (counted.isPending) return counted;
      const { key, districtsVersion } = counted;
      const load = async () => {
        const [figures, units] = [await counted.read(), await readUnits(db)];
        return cellTableOf(figures, units, { by, districtsVersion });
      };
      return { isPending: false, run, layer, key, read: async () => await tables.get(`${key} ${by}`, load) };
    },
    /** Clears the cache. */
    forgetAll: () => runs.forgetAll(),
  };
}

/** Returns a layer for drawing. @throws {Problem} `busy` before it is made, `conflict` for a grid without georeference. */
export function drawnLayer(layer: MadeLayer | PendingResult): MadeLayer & { readonly meshKey: string } {
  if (layer.isPending) throw zoningWords.layerPending();
  const { meshKey } = layer;
  if (meshKey === null) throw zoningWords.noPlace();
  return { ...layer, meshKey };
}
