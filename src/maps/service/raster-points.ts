import type { RecentDatasets } from '../../datasets/recent-datasets.ts';
import type { PointsResult, PointValues } from '../thread/raster/read-points.ts';
import type { GridSample } from '../thread/raster/sample-grid.ts';
import { type RasterView, readRaster } from './drawn-datasets.ts';
import type { DrawingPool } from './pool.ts';

/** Places in degrees on WGS 84. */
export interface Places {
  readonly lons: Float64Array;
  readonly lats: Float64Array;
}

interface ReadOptions {
  /** A raster to the centres of whose pixels the places are moved; those beside it are nowhere. */
  readonly snapTo?: RasterView;
  /** So many blocks of each raster are decoded at most: a coarser level is read where it takes more. */
  readonly maxBlocks?: number;
  /** Calls of equal affinity go to the same thread, which has what the one before has read. */
  readonly affinity: string;
  readonly signal: AbortSignal;
}

export type { GridSample, PointsResult, PointValues };

export type RasterPoints = ReturnType<typeof createRasterPoints>;

/** Four blocks hold the pixels around a place. */
const blocksOfPlace = 4;

/** Creates what reads pixels of rasters at places, in the threads that draw: for one process. */
export function createRasterPoints({
  pool,
  datasets,
}: {
  pool: DrawingPool;
  datasets: Pick<RecentDatasets, 'read'>;
}) {
  return {
    /** Returns what pixels of a raster are read from, for which it may wait while that is being prepared. @throws {Problem} */
    async open(id: string, signal: AbortSignal): Promise<RasterView> {
      const { cogKey, meshKey } = await readRaster(datasets, id, { signal });
      return { cogKey, meshKey };
    },
    /** Reads band 1 of each raster around each place. @throws {Problem} when one is damaged, or not now. */
    async read(
      rasters: readonly RasterView[],
      { lons, lats }: Places,
      { snapTo, maxBlocks = blocksOfPlace * lons.length, affinity, signal }: ReadOptions,
    ): Promise<PointsResult> {
      const request = { rasters, lons, lats, snapTo: snapTo?.meshKey, maxBlocks };
      return await pool.run('raster-points', request, { affinity, signal });
    },
    /** Cuts the grid of a raster into at most `side` by `side` cells. @throws {Problem} */
    async sample({ meshKey }: RasterView, side: number, signal: AbortSignal): Promise<GridSample> {
      return await pool.run('raster-sample', { meshKey, side }, { affinity: meshKey, signal });
    },
  };
}
