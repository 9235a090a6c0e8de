import type { Placement } from '../thread/tiff/placement.ts';
import type { LocateResult, PointsResult, PointValues } from '../thread/raster/read-points.ts';
import type { GridSample } from '../thread/raster/sample-grid.ts';
import { type RasterView, readRaster, type WaitingDatasets } from './drawn-datasets.ts';
import type { DrawingPool } from './pool.ts';

/** Places in degrees on WGS 84. */
export interface Places {
  readonly lons: Float64Array;
  readonly lats: Float64Array;
}

interface ReadOptions {
  /** A raster to the centres of whose pixels the places are moved; those beside it are nowhere. */
  readonly snapTo?: RasterView;
  /** For one place: where it lies on each raster, `[column, row]`; undefined where the mesh is to say it. */
  readonly at?: readonly (readonly [number, number] | undefined)[];
  /** So many blocks of each raster are decoded at most: a coarser level is read where it takes more. */
  readonly maxBlocks?: number;
  /** Calls of equal affinity go to the same thread, which has what the one before has read. */
  readonly affinity: string;
  readonly signal: AbortSignal;
}

export type { GridSample, Placement, PointsResult, PointValues };

/** A raster that values are read from, and what people call it. */
export interface NamedRaster extends RasterView {
  readonly name: string;
  readonly filename: string | null;
}

export type RasterPoints = ReturnType<typeof createRasterPoints>;

/** Four blocks hold the pixels around a place. */
const blocksOfPlace = 4;

/** Creates what reads pixels of rasters at places, in the threads that draw: for one process. */
export function createRasterPoints({ pool, datasets }: { pool: DrawingPool; datasets: WaitingDatasets }) {
  return {
    /** Returns what pixels of a raster are read from, for which it may wait while that is being prepared. @throws {Problem} */
    async open(id: string, signal: AbortSignal): Promise<NamedRaster> {
      const { cogKey, meshKey, name, filename } = await readRaster(datasets, id, { signal });
      return { cogKey, meshKey, name, filename };
    },
    /** Finds the pixel of `grid` that a place in degrees lies in, and where the rasters lie. @throws {Problem} */
    async locate(
      grid: RasterView,
      rasters: readonly RasterView[],
      { lon, lat, signal }: { readonly lon: number; readonly lat: number; readonly signal: AbortSignal },
    ): Promise<LocateResult> {
      const cogKeys = rasters.map(({ cogKey }) => cogKey);
      const request = { meshKey: grid.meshKey, cogKeys, lon, lat };
      return await pool.run('raster-place', request, { affinity: grid.meshKey, signal });
    },
    /** Reads band 1 of each raster around each place. @throws {Problem} when one is damaged, or not now. */
    async read(
      rasters: readonly RasterView[],
      { lons, lats }: Places,
      { snapTo, at, maxBlocks = blocksOfPlace * lons.length, affinity, signal }: ReadOptions,
    ): Promise<PointsResult> {
      const request = { rasters, lons, lats, snapTo: snapTo?.meshKey, at, maxBlocks };
      return await pool.run('raster-points', request, { affinity, signal });
    },
    /** Cuts the grid of a raster into at most `side` by `side` cells. @throws {Problem} */
    async sample({ meshKey }: RasterView, side: number, signal: AbortSignal): Promise<GridSample> {
      return await pool.run('raster-sample', { meshKey, side }, { affinity: meshKey, signal });
    },
  };
}
