import type { Placement } from '../thread/tiff/placement.ts';
import type { LocateResult, PointsResult, PointValues } from '../thread/raster/read-points.ts';
import type { GridSample } from '../thread/raster/sample-grid.ts';
import { type RasterView, readRaster, type WaitingDatasets } from './drawn-datasets.ts';
import type { DrawingPool } from './pool.ts';

/** Points in degrees on WGS 84. */
export interface Places {
  readonly lons: Float64Array;
  readonly lats: Float64Array;
}

interface ReadOptions {
  /** A raster to whose pixel centres the points are moved; points outside it have no value. */
  readonly snapTo?: RasterView;
  /** For a single point: its position on each raster, `[column, row]`; undefined to use the mesh. */
  readonly at?: readonly (readonly [number, number] | undefined)[];
  /** Maximum number of decoded blocks per raster: a coarser level is read if it would take more. */
  readonly maxBlocks?: number;
  /** Calls of equal affinity go to the same thread, which has cached the data of earlier ones. */
  readonly affinity: string;
  readonly signal: AbortSignal;
}

export type { GridSample, Placement, PointsResult, PointValues };

/** A raster to read values from, with its name. */
export interface NamedRaster extends RasterView {
  readonly name: string;
  readonly filename: string | null;
}

export type RasterPoints = ReturnType<typeof createRasterPoints>;

/** The pixels around a point lie in at most four blocks. */
const blocksOfPlace = 4;

/** Creates the reader of raster values at points, in the drawing threads, for one process. */
export function createRasterPoints({ pool, datasets }: { pool: DrawingPool; datasets: WaitingDatasets }) {
  return {
    /**
     * Returns the objects from which pixels of a raster are read, optionally waiting while they are prepared.
     * @throws {Problem}
     */
    async open(id: string, signal: AbortSignal): Promise<NamedRaster> {
      const { cogKey, meshKey, name, filename } = await readRaster(datasets, id, { signal });
      return { cogKey, meshKey, name, filename };
    },
    /** Finds the pixel of `grid` at a point in degrees, and the placements of the rasters. @throws {Problem} */
    async locate(
      grid: RasterView,
      rasters: readonly RasterView[],
      { lon, lat, signal }: { readonly lon: number; readonly lat: number; readonly signal: AbortSignal },
    ): Promise<LocateResult> {
      const cogKeys = rasters.map(({ cogKey }) => cogKey);
      const request = { meshKey: grid.meshKey, cogKeys, lon, lat };
      return await pool.run('raster-place', request, { affinity: grid.meshKey, signal });
    },
    /** Reads band 1 of each raster around each point. @throws {Problem} if one is damaged, or not now. */
    async read(
      rasters: readonly RasterView[],
      { lons, lats }: Places,
      { snapTo, at, maxBlocks = blocksOfPlace * lons.length, affinity, signal }: ReadOptions,
    ): Promise<PointsResult> {
      const request = { rasters, lons, lats, snapTo: snapTo?.meshKey, at, maxBlocks };
      return await pool.run('raster-points', request, { affinity, signal });
    },
    /** Divides the grid of a raster into at most `side` by `side` cells. @throws {Problem} */
    async sample({ meshKey }: RasterView, side: number, signal: AbortSignal): Promise<GridSample> {
      return await pool.run('raster-sample', { meshKey, side }, { affinity: meshKey, signal });
    },
  };
}
