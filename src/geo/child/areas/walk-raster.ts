import type { Dataset } from 'gdal-async';
import type { AreaCounts } from '../../engine.ts';
import { refuseUnreasonableTiff } from '../../formats/tiff/limits.ts';
import { type GdalLog, openGdalLog } from '../../gdal/log-file.ts';
import type { RasterWindow } from '../../raster-reader.ts';
import { createPixelAreas, type PixelAreas } from '../../area/pixel-areas.ts';
import { describeRaster, openSource } from '../raster/image/description.ts';
import { earthOf } from '../raster/image/georeference.ts';
import { windowsOf } from '../raster/image/pixels.ts';
import { createCounter, type PixelListener } from './counter.ts';
import { createFrame } from './frame.ts';
import { openGrid } from './grid.ts';
import { outlineOf } from './outline.ts';
import { readUnits, type UnitPolygon } from './unit-polygons.ts';

export interface WalkRequest {
  readonly inputPaths: readonly string[];
  readonly unitsPath: string;
  readonly withUnion: boolean;
  readonly scratch: string;
}

/** State of a walk over rasters. */
export interface OpenRasters {
  readonly sources: readonly Dataset[];
  readonly gdalLog: GdalLog;
  /** Number of units, and of the pixels of a raster. */
  readonly units: number;
  readonly pixels: number;
  /** All areas are multiples of it, in square metres. */
  readonly quantum: number;
}

/** Processes pixels window by window. */
export interface PixelReader<T> {
  /** Returns the tuple number of each pixel of a window. */
  read(window: RasterWindow): Promise<Uint16Array>;
  /** Called before the pixels of each row of the window, with their index in it. */
  beginRow?(from: number): void;
  readonly listener?: PixelListener;
  /** Returns the result, and the position of each tuple by number. */
  finish(): { readonly found: T; readonly rank: Int32Array };
}

/**
 * Visits all pixels of rasters at full resolution, and sums the area of every tuple in every unit: the ellipsoidal area of each pixel times
 * its share in the unit. The result is bit-identical for any storage of the rasters.
 * @throws {Problem} if the rasters differ in their grid or are not on the earth, and for polygons that cannot be counted.
 */
export async function walkRaster<T>(
  { inputPaths, unitsPath, withUnion, scratch }: WalkRequest,
  openReader: (open: OpenRasters) => PixelReader<T>,
): Promise<Pick<AreaCounts, 'raster' | 'units' | 'sets'> & { readonly found: T }> {
  for (const path of inputPaths) await refuseUnreasonableTiff(path);
  const gdalLog = await openGdalLog(scratch);
  const sources = await Promise.all(inputPaths.map(openSource));
  const grid = openGrid(sources);
  const units = await readUnits(unitsPath, withUnion);
  const areas = createPixelAreas(grid, earthOf(grid.wkt));
  const frame = createFrame(grid);
  const tolerance = toleranceOf(units, areas, grid);
  const outlines = units.map((unit) => outlineOf(unit, frame, tolerance));
  const raster = describeRaster(grid.first);
  const { quantum } = areas;
  const reader = openReader({
    sources,
    gdalLog,
    units: units.length,
    pixels: raster.width * raster.height,
    quantum,
  });
  const { listener } = reader;
  const counter = createCounter({
    units,
    outlines,
    quantum,
    width: raster.width,
    ...(listener === undefined ? {} : { listener }),
  });
  // Earlier entries are not about pixels.
  await gdalLog.take();
  let band: RasterWindow | undefined;
  for (const window of windowsOf({ ...raster, bands: { length: sources.length } })) {
    if (window.y !== band?.y)
      counter.beginBand({ top: window.y, bottom: window.y + window.height, width: raster.width });
    band = window;
    const codes = await reader.read(window);
    const areasOfRow = new Float64Array(window.width);
    for (let row = 0; row < window.height; row += 1) {
      areas.fillRow(window.y + row, window.x, areasOfRow);
      const from = row * window.width;
      reader.beginRow?.(from);
      const own = codes.subarray(from, from + window.width);
      counter.addRow({ row: window.y + row, column: window.x, codes: own, areas: areasOfRow });
    }
  }
  for (const source of sources) source.close();
  const { rank, found } = reader.finish();
  return { ...counter.result(rank), found };
}

/** Maximum relative error of a unit's area from approximated lines. */
const bendShare = 1e-7;
const [leastTolerance, mostTolerance] = [3e-6, 1e-3];
const metresPerDegree = 111_000;

/**
 * Returns the tolerance of lines in pixels, the same for all units, so that neighbours share their borders. A parabolic
 * approximation loses two thirds of its sagitta along the border of a unit.
 */
export function toleranceOf(
  units: readonly UnitPolygon[],
  areas: PixelAreas,
  { width, height }: { readonly width: number; readonly height: number },
) {
  const middle = new Float64Array(1);
  areas.fillRow(Math.floor(height / 2), Math.floor(width / 2), middle);
  const pixelMetres = Math.sqrt(middle[0] || 1);
  const least = units.reduce((sofar, { area, rings }) => {
    const length = rings.reduce((sum, ring) => sum + lengthOf(ring), 0);
    return Math.min(sofar, area / length / pixelMetres);
  }, Infinity);
  return Math.max(leastTolerance, Math.min(mostTolerance, 1.5 * bendShare * least));
}

/** Returns the approximate length in metres. */
function lengthOf(ring: Float64Array): number {
  let length = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [lon0 = 0, lat0 = 0, lon1 = 0, lat1 = 0] = ring.subarray(i, i + 4);
    length += Math.hypot((lon1 - lon0) * Math.cos((lat0 * Math.PI) / 180), lat1 - lat0);
  }
  return Math.max(1e-9, length) * metresPerDegree;
}
