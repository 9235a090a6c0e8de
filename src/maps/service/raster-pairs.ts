import { createCache } from '../../../common/cache.ts';
import { findFile } from '../../datasets/files.ts';
import type { ChangeColours, ChangedTileRequest } from '../thread/raster/changed-tile.ts';
import type { RasterGrid } from '../thread/tiff/placement.ts';
import { type RasterView, readRaster, type ViewWait, type WaitingDatasets } from './drawn-datasets.ts';
import type { DrawingPool } from './pool.ts';

export type { ChangeColours, RasterGrid };

/** A single change to show: from one class to another; null means no class. */
export type ShownChange = NonNullable<ChangedTileRequest['only']>;

type TileOptions = Pick<ChangedTileRequest, 'colours' | 'only' | 'tile' | 'size'>;

/** A raster to draw and to count. */
export interface PairedRaster extends RasterView {
  /** Key of the COG for clients, which has all pixels. */
  readonly storedCogKey: string;
}

export type RasterPairs = ReturnType<typeof createRasterPairs>;

const maxGrids = 1000;

/** Creates the comparison of rasters in the drawing threads, for one process. */
export function createRasterPairs({
  pool,
  datasets,
}: {
  readonly pool: DrawingPool;
  readonly datasets: WaitingDatasets;
}) {
  const grids = createCache<RasterGrid | undefined>({ max: maxGrids });
  return {
    /** Returns the objects of a raster, optionally waiting while they are prepared. @throws {Problem} */
    async open(id: string, wait: ViewWait): Promise<PairedRaster> {
      const { cogKey, meshKey, files } = await readRaster(datasets, id, wait);
      return { cogKey, meshKey, storedCogKey: findFile(files, 'cog') ?? cogKey };
    },
    /** Reads the grid of a raster; undefined unless it is north-up. @throws {Problem} */
    gridOf: async ({ cogKey }: RasterView): Promise<RasterGrid | undefined> =>
      await grids.get(cogKey, async () => await pool.run('raster-grid', { cogKey }, { affinity: cogKey })),
    /**
     * Draws a tile of the changes between two rasters on one grid as PNG; undefined if neither has a class.
     * @param signal cancels the request.
     * @throws {Problem} if it cannot be drawn, or not now.
     */
    async tile(
      [a, b]: readonly [RasterView, RasterView],
      options: TileOptions,
      signal: AbortSignal,
    ): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const { z, x, y } = options.tile;
      const request = { from: a.cogKey, to: b.cogKey, meshKey: a.meshKey, ...options };
      const affinity = `${a.cogKey} ${z} ${x >> 2} ${y >> 2}`;
      return await pool.run('changed-tile', request, { affinity, signal });
    },
  };
}
