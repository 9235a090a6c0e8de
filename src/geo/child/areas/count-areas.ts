import type { RasterBand } from 'gdal-async';
import { createPixelAreas, type PixelAreas } from '../../area/pixel-areas.ts';
import { refuseUnreasonableTiff } from '../../formats/tiff/limits.ts';
import { type GdalLog, openGdalLog, refusePixelErrors, unreadablePixels } from '../../gdal/log-file.ts';
import type { AreaCounts } from '../../engine.ts';
import type { AreasRequest } from '../../protocol.ts';
import type { RasterWindow } from '../../raster-reader.ts';
import { areaProblems } from '../../../messages/hectares.ts';
import { describeRaster, isSignedByte, openSource } from '../raster/description.ts';
import { earthOf } from '../raster/georeference.ts';
import { readMask, windowsOf } from '../raster/pixels.ts';
import { createCounter } from './counter.ts';
import { createFrame } from './frame.ts';
import { openGrid } from './grid.ts';
import { outlineOf } from './outline.ts';
import { createTupleCodes, type TupleCodes } from './tuples.ts';
import { readUnits, type UnitPolygon } from './unit-polygons.ts';
import { isSmallType } from './value-codes.ts';

/** GDAL's mask flag: there is a value everywhere. */
const allValid = 0x01;
/** There is none where the value is that of no data, and nowhere else. */
const byNoData = 0x08;

/**
 * Counts the area of every tuple of values in every unit, at full resolution: the area of each pixel on the ellipsoid times the share of it
 * that a unit covers. The figures have the same bits however the rasters are stored.
 * @throws {Problem} when the rasters are not of classes, not of one grid, or not on the earth; for polygons that cannot be counted.
 */
export async function countAreas(request: AreasRequest): Promise<AreaCounts> {
  const { inputPaths, unitsPath, maxClasses, withUnion, scratch } = request;
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
  const bands = sources.map((source) => source.bands.get(1));
  const tuples = createTupleCodes(
    bands.map((band) => ({
      dataType: isSignedByte(band) ? 'Int8' : (band.dataType ?? 'Byte'),
      // The binding's types promise numbers, it says null where there are none.
      scale: band.scale ?? 1,
      offset: band.offset ?? 0,
      // GDAL's mask knows no negative value of signed bytes.
      noData: isSignedByte(band) || hasPlainHoles(band) ? (band.noDataValue ?? undefined) : undefined,
    })),
    maxClasses,
  );
  const counter = createCounter({ units, outlines, quantum: areas.quantum, width: raster.width });
  // Earlier entries are not about pixels.
  await gdalLog.take();
  let band: RasterWindow | undefined;
  for (const window of windowsOf({ ...raster, bands: { length: bands.length } })) {
    if (window.y !== band?.y)
      counter.beginBand({ top: window.y, bottom: window.y + window.height, width: raster.width });
    band = window;
    const codes = await readCodes(bands, { window, tuples, gdalLog });
    const areasOfRow = new Float64Array(window.width);
    for (let row = 0; row < window.height; row += 1) {
      areas.fillRow(window.y + row, window.x, areasOfRow);
      const own = codes.subarray(row * window.width, (row + 1) * window.width);
      counter.addRow({ row: window.y + row, column: window.x, codes: own, areas: areasOfRow });
    }
  }
  for (const source of sources) source.close();
  const { values, rank } = tuples.finish();
  return { tuples: values, ...counter.result(rank) };
}

interface Reading {
  readonly window: RasterWindow;
  readonly tuples: TupleCodes;
  readonly gdalLog: GdalLog;
}

async function readCodes(
  bands: readonly RasterBand[],
  { window, tuples, gdalLog }: Reading,
): Promise<Uint16Array> {
  const { x, y, width, height } = window;
  const pixels = [];
  for (const band of bands) {
    if (band.dataType?.startsWith('C') !== false) throw areaProblems.notClasses(tuples.mostClasses);
    try {
      const hasMask = (band.getMaskFlags() & allValid) === 0 && !hasPlainHoles(band);
      const mask = hasMask ? await readMask(band, window) : undefined;
      const values = await band.pixels.readAsync(x, y, width, height);
      pixels.push({ values: isSignedByte(band) ? Int8Array.from(values) : values, mask });
    } catch (cause) {
      throw unreadablePixels(cause);
    }
  }
  refusePixelErrors(await gdalLog.take());
  return tuples.encode(pixels, width * height);
}

/** Returns whether a look at its values tells where a band has none, without a mask. */
function hasPlainHoles(band: RasterBand): boolean {
  return band.getMaskFlags() === byNoData && isSmallType(band.dataType ?? '');
}

/** Shares of the area of a unit that the bends of its lines may take away. */
const bendShare = 1e-7;
const [leastTolerance, mostTolerance] = [3e-6, 1e-3];
const metresPerDegree = 111_000;

/**
 * Returns how many pixels a line may be beside its place, which is one for all units: neighbours then share their borders. A line that
 * bends takes away two thirds of its rise, all along the border of a unit.
 */
function toleranceOf(
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

/** Metres, roughly. */
function lengthOf(ring: Float64Array): number {
  let length = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [lon0 = 0, lat0 = 0, lon1 = 0, lat1 = 0] = ring.subarray(i, i + 4);
    length += Math.hypot((lon1 - lon0) * Math.cos((lat0 * Math.PI) / 180), lat1 - lat0);
  }
  return Math.max(1e-9, length) * metresPerDegree;
}
