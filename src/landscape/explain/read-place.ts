import { Problem } from '../../lib/errors.ts';
import type { NamedRaster, Placement, PointValues, RasterPoints } from '../../maps/service/raster-points.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { zoningInputs, zoningNodes } from '../graph/zoning-inputs.ts';
import { type PixelShift, pixelShift, type ReferenceGrid } from '../grid/reference-grid.ts';
import { positionsOn } from '../grid/sample.ts';
import { centresOf, newCoordinates } from '../grid/transform-block.ts';
import type { Band } from '../model/bands.ts';
import { elevation } from '../model/leaves.ts';
import { resolvePoints } from '../runs/resolve-points.ts';
import type { StoredRun } from '../runs/run-rows.ts';
import { noDataOf } from './pixel.ts';

/** The value of an input raster of a run at a place. */
export interface InputAtPlace {
  readonly band: Band;
  readonly datasetId: string;
  readonly raster: NamedRaster;
  /** The value as in kernels, with the nodata value if it is missing. */
  readonly value: number;
  /** The reason for a missing value; undefined if there is a value. */
  readonly missing: 'outside' | 'no_data' | 'not_valid' | undefined;
  readonly resampling: 'none' | 'nearest' | 'bilinear';
  /** False for a raster in another CRS, in which the place is located approximately. */
  readonly isExact: boolean;
}

/** The output of a node of a run at a place. */
export interface OutputAtPlace {
  readonly band: Band;
  readonly datasetId: string;
  readonly value: number;
}

export interface PlaceOfRun {
  /** Undefined outside the grid; nothing is read then. */
  readonly pixel: { readonly column: number; readonly row: number } | undefined;
  /** Leaves and pinned outputs on which the zoning depends, in the order of the graph. */
  readonly inputs: readonly InputAtPlace[];
  /** Outputs of the nodes of the zoning, in the order of their codes. */
  readonly outputs: readonly OutputAtPlace[];
}

interface PlaceRequest {
  readonly run: StoredRun;
  readonly lon: number;
  readonly lat: number;
}

/**
 * Reads the rasters of a run at the pixel that contains a place: outputs unchanged, inputs aligned as in the run.
 * @throws {Problem} `not_found` when a raster was deleted, `conflict` while one is not ready.
 */
export async function readPlaceOfRun(
  rasterPoints: RasterPoints,
  { run, lon, lat }: PlaceRequest,
  signal: AbortSignal,
): Promise<PlaceOfRun> {
  const { grid, inputs, outputs } = await openRasters(rasterPoints, run, signal);
  const views = [grid, ...inputs.map(({ raster }) => raster)];
  const { pixel, placements } = await rasterPoints.locate(grid, views, { lon, lat, signal });
  const [gridPlacement, ...lain] = placements;
  if (pixel === undefined) return { pixel, inputs: [], outputs: [] };
  const centre = [pixel.column + 0.5, pixel.row + 0.5] as const;
  const laid = inputs.map(({ band }, i) => layOn(band, gridPlacement, lain[i], pixel));
  const places = { lons: Float64Array.of(lon), lats: Float64Array.of(lat) };
  const read = async (rasters: readonly NamedRaster[], at: readonly At[], affinity: string) => {
    const found = await rasterPoints.read(rasters, places, { snapTo: grid, at, affinity, signal });
    return found.rasters;
  };
  // Two threads share the work; each keeps its data for the next place.
  const [ofInputs, ofOutputs] = await Promise.all([
    read(
      inputs.map(({ raster }) => raster),
      laid.map(({ at }) => at),
      grid.meshKey,
    ),
    read(
      outputs.map(({ raster }) => raster),
      outputs.map(() => centre),
      outputs.at(-1)?.raster.cogKey ?? grid.meshKey,
    ),
  ]);
  return {
    pixel,
    inputs: inputs.map((input, i) => {
      const [values, how] = [known(ofInputs[i]), known(laid[i])];
      const value = resolvePoints(input.band, values)[0] ?? noDataOf(input.band);
      return { ...input, value, missing: missingIn(input.band, value, values), ...how };
    }),
    outputs: outputs.map(({ band, datasetId }, i) => ({
      band,
      datasetId,
      value: resolvePoints(band, known(ofOutputs[i]))[0] ?? noDataOf(band),
    })),
  };
}

function known<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('a raster was not read');
  return found;
}

async function openRasters(rasterPoints: RasterPoints, run: StoredRun, signal: AbortSignal) {
  const datasets = new Map(run.nodes.flatMap(({ inputs }) => [...inputs]));
  const outputIds = new Map(run.nodes.map(({ code, outputId }) => [code, outputId]));
  const isPinned = (group: string) => Object.hasOwn(run.overrides, group);
  const open = async (band: Band, datasetId: string | null | undefined) => {
    if (datasetId === null || datasetId === undefined) throw landscapeProblems.rasterOfRunGone(band.group);
    const raster = await rasterPoints.open(datasetId, signal).catch((error: unknown) => {
      const isGone = error instanceof Problem && error.code === 'not_found';
      throw isGone ? landscapeProblems.rasterOfRunGone(band.group) : error;
    });
    return { band, datasetId, raster };
  };
  const [grid, inputs, outputs] = await Promise.all([
    open(elevation, datasets.get(elevation.group)),
    Promise.all(zoningInputs(isPinned).map(async (band) => await open(band, datasets.get(band.group)))),
    Promise.all(
      zoningNodes(isPinned).map(async ({ output, code }) => await open(output, outputIds.get(code))),
    ),
  ]);
  return { grid: grid.raster, inputs, outputs };
}

type At = readonly [number, number] | undefined;
type Laid = Pick<InputAtPlace, 'resampling' | 'isExact'> & { readonly at: At };

const nowhere = [Number.NaN, Number.NaN] as const;

/** Locates the centre of a pixel of the grid on a raster, with the arithmetic of runs. */
function layOn(
  band: Band,
  grid: Placement | undefined,
  raster: Placement | undefined,
  { column, row }: { readonly column: number; readonly row: number },
): Laid {
  const resampling = band.type === 'float32' ? 'bilinear' : 'nearest';
  if (grid === undefined || raster === undefined || grid.crs !== raster.crs)
    return { resampling, isExact: false, at: undefined };
  const reference = referenceOf(grid);
  const shift = pixelShift(reference, raster);
  if (shift !== undefined)
    return { resampling: 'none', isExact: true, at: shifted(raster, shift, column, row) };
  const centre = centresOf(reference, { x: column, y: row, width: 1, height: 1 });
  const make = (length: number) => {
    const { xs: columns, ys: rows } = newCoordinates(length);
    return { columns, rows };
  };
  const { columns, rows } = positionsOn(raster, centre, make);
  return { resampling, isExact: true, at: [columns[0] ?? Number.NaN, rows[0] ?? Number.NaN] };
}

function shifted({ width, height }: Placement, shift: PixelShift, column: number, row: number): At {
  const [x, y] = [column + shift.columns, row + shift.rows];
  return x >= 0 && x < width && y >= 0 && y < height ? [x + 0.5, y + 0.5] : nowhere;
}

/** Returns the grid of a run, as defined by its elevation. Sizes on the ground are not needed. */
function referenceOf({ width, height, affine: [left, resX, , top, , minusResY] }: Placement): ReferenceGrid {
  const crs = { kind: 'projected', metresPerUnit: 1 } as const;
  return { width, height, left, top, resX, resY: -minusResY, crs, wkt: '' };
}

function missingIn(band: Band, value: number, { values, columns }: PointValues): InputAtPlace['missing'] {
  if (value !== noDataOf(band)) return undefined;
  if (band.type === 'uint8' && band.zeroWhereMissing === true) return undefined;
  if (Number.isNaN(columns[0])) return 'outside';
  return values.every((each) => Number.isNaN(each)) ? 'no_data' : 'not_valid';
}
