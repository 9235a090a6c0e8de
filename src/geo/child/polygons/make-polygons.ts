import { join } from 'node:path';
import type { Dataset } from 'gdal-async';
import { authalicPlacesOf, squaredRadius } from '../../area/authalic.ts';
import { createPixelAreas, type PixelAreas } from '../../area/pixel-areas.ts';
import { refuseUnreasonableTiff } from '../../formats/tiff/limits.ts';
import { type GdalLog, openGdalLog } from '../../gdal/log-file.ts';
import { nameOfCrs } from '../../gdal/transformation.ts';
import type { MadePolygons } from '../../polygons.ts';
import type { PolygonsRequest } from '../../protocol.ts';
import { polygonProblems } from '../../../messages/zoning/english.ts';
import { toleranceOf } from '../areas/walk-raster.ts';
import { createFrame } from '../areas/frame.ts';
import { openGrid, type SharedGrid } from '../areas/grid.ts';
import { outlineOf, type Outline } from '../areas/outline.ts';
import { readUnits } from '../areas/unit-polygons.ts';
import { openSource, describeRaster } from '../raster/image/description.ts';
import { earthOf } from '../raster/image/georeference.ts';
import { type EdgeLengths, mergeSmall } from './merge.ts';
import { createRegionFinder, type Regions } from './regions.ts';
import { findRings } from './rings.ts';
import { writeZones } from './write-zones.ts';
import { openClasses } from '../areas/class-codes.ts';
import { windowsOf } from '../raster/image/pixels.ts';

/** Limit of memory: a label per pixel, besides the zones. */
const mostPixels = 2 ** 26;
const mostClasses = 256;

/**
 * Makes a polygon of each contiguous zone of a class raster. An outline has a position at each pixel corner along it,
 * so that neighbours share the positions of their borders.
 * @throws {Problem} if the raster is not classes, is too large or not on the earth, or has too many zones.
 */
export async function makePolygons(request: PolygonsRequest): Promise<MadePolygons> {
  const { classesPath, minAreaM2, maxZones, scratch } = request;
  const opened = async (path: string | undefined) => {
    if (path === undefined) return undefined;
    await refuseUnreasonableTiff(path);
    return await openSource(path);
  };
  const gdalLog = await openGdalLog(scratch);
  const classSource = await opened(classesPath);
  const others = [await opened(request.suitabilityPath), await opened(request.sensitivityPath)];
  const sources = [classSource, ...others].filter((source) => source !== undefined);
  const grid = openGrid(sources);
  const { width, height } = grid;
  if (width * height > mostPixels) throw polygonProblems.tooManyPixels(width * height, mostPixels);
  const areas = createPixelAreas(grid, earthOf(grid.wkt));
  const units = await placeUnits(request, grid, areas);

  const finder = createRegionFinder(width, height);
  const [areasOfRow, unitsOfRow, keysOfRow] = [
    new Float64Array(width),
    new Int32Array(width),
    new Int32Array(width),
  ];
  const classes = readRows(grid.first, { maxClasses: mostClasses, gdalLog });
  for await (const { row, codes } of classes.rows) {
    areas.fillRow(row, 0, areasOfRow);
    units.fillRow(row, unitsOfRow);
    for (let i = 0; i < width; i += 1) {
      const code = codes[i] ?? 0;
      keysOfRow[i] = code === 0 || areasOfRow[i] === 0 ? 0 : regionKey(code, unitsOfRow[i] ?? 0);
    }
    finder.addRow(keysOfRow, areasOfRow);
  }
  const before = finder.finish();
  const valueOfCode = classes.finish();
  const valueOf = (key: number) => valueOfCode(codeOfKey(key)) ?? 0;
  const found = totals(before, valueOf);
  const after = mergeSmall(before, {
    minArea: minAreaM2,
    most: maxZones,
    mayJoin: (key, other) => unitOfKey(key) === unitOfKey(other),
    lengths: edgesOf(grid),
  });
  const rings = findRings(after);
  if (rings.edges > request.maxPositions)
    throw polygonProblems.tooManyPositions(rings.edges, request.maxPositions);
  const [suitability, sensitivity] = others;
  const path = join(scratch, 'zones.gpkg');
  const polygons = writeZones(path, {
    regions: after,
    rings,
    grid,
    request,
    crs: nameOfCrs(grid.wkt),
    valueOf: (region) => valueOf(after.keys[region] ?? 0),
    unitOf: (region) => units.ids[unitOfKey(after.keys[region] ?? 0) - 1],
    suitabilityOf: suitability && (await prevailingClasses(suitability, after, gdalLog)),
    sensitivityOf: sensitivity && (await prevailingClasses(sensitivity, after, gdalLog)),
  });
  for (const source of sources) source.close();
  const left = totals(after, valueOf);
  return {
    path,
    zones: after.count,
    positions: rings.edges,
    belowMinimum: after.areas.subarray(1).reduce((sum, area) => sum + (area < minAreaM2 ? 1 : 0), 0),
    classes: [...found.keys()]
      .toSorted((one, other) => one - other)
      .map((value) => ({
        value,
        before: found.get(value) ?? none,
        after: left.get(value) ?? none,
        polygons_m2: polygons.get(value) ?? 0,
      })),
  };
}

const none = { zones: 0, pixels_m2: 0 };

/** Returns number and pixel area of the regions by value. */
function totals({ keys, areas, count }: Regions, valueOf: (key: number) => number) {
  const found = new Map<number, { zones: number; pixels_m2: number }>();
  for (let region = 1; region <= count; region += 1) {
    const value = valueOf(keys[region] ?? 0);
    const sum = found.get(value) ?? { zones: 0, pixels_m2: 0 };
    found.set(value, { zones: sum.zones + 1, pixels_m2: sum.pixels_m2 + (areas[region] ?? 0) });
  }
  return found;
}

const unitStep = 2 ** 16;
const regionKey = (code: number, unit: number) => unit * unitStep + code;
const codeOfKey = (key: number) => key % unitStep;
const unitOfKey = (key: number) => Math.floor(key / unitStep);

/** Returns the units that cut zones, in the order of the sets. */
async function placeUnits({ cut }: PolygonsRequest, grid: SharedGrid, areas: PixelAreas) {
  if (cut === undefined)
    return { ids: [], fillRow: (_row: number, target: Int32Array) => void target.fill(0) };
  const all = await readUnits(cut.unitsPath, false);
  const units = cut.sets.flatMap((set) => all.filter((unit) => unit.set === set));
  const frame = createFrame(grid);
  const tolerance = toleranceOf(units, areas, grid);
  const outlines = units.map((unit, index) => ({
    number: index + 1,
    outline: outlineOf(unit, frame, tolerance),
  }));
  return { ids: units.map(({ id }) => id), fillRow: createUnitsOfPixels(outlines, grid.width) };
}

/** Returns the edge lengths of the pixel in the middle, in metres. */
function edgesOf({ width, height, affine: [x0, a, b, y0, c, d], wkt }: SharedGrid): EdgeLengths {
  const corners = [
    [0, 0],
    [1, 0],
    [0, 1],
  ].map(([column = 0, row = 0]) => [(width >> 1) + column, (height >> 1) + row] as const);
  const xs = Float64Array.from(corners, ([column, row]) => x0 + a * column + b * row);
  const ys = Float64Array.from(corners, ([column, row]) => y0 + c * column + d * row);
  earthOf(wkt)(xs, ys);
  const places = authalicPlacesOf(xs, ys);
  const metresTo = (corner: number) => {
    const steps = [0, 1, 2].map((axis) => (places[3 * corner + axis] ?? NaN) - (places[axis] ?? NaN));
    // Beyond the earth, all edges count equally.
    return Math.hypot(...steps) * Math.sqrt(squaredRadius) || 1;
  };
  return { betweenRows: metresTo(1), betweenColumns: metresTo(2) };
}

/** S and E have five. */
const mostRatings = 8;

/**
 * Returns the most frequent value of each region in another raster of the same grid; null for none. The smallest wins a
 * tie. @throws {Problem} for a raster of more than eight classes
 */
async function prevailingClasses(
  source: Dataset,
  { width, labels, count }: Regions,
  gdalLog: GdalLog,
): Promise<(region: number) => number | null> {
  const step = mostRatings + 1;
  const pixels = new Int32Array((count + 1) * step);
  const classes = readRows(source, { maxClasses: mostRatings, gdalLog });
  for await (const { row, codes } of classes.rows) {
    const from = row * width;
    for (let column = 0; column < width; column += 1) {
      const at = (labels[from + column] ?? 0) * step + (codes[column] ?? 0);
      pixels[at] = (pixels[at] ?? 0) + 1;
    }
  }
  const valueOf = classes.finish();
  return (region) => {
    let best: number | null = null;
    let most = 0;
    for (let code = 1; code < step; code += 1) {
      const [value, found] = [valueOf(code), pixels[region * step + code] ?? 0];
      if (value === null || found === 0) continue;
      if (found > most || (found === most && value < (best ?? Infinity))) [best, most] = [value, found];
    }
    return best;
  };
}

interface Row {
  readonly row: number;
  /** Numbers of values; 0 for gaps. The next row may reuse the array. */
  readonly codes: Uint16Array;
}

/** Reads the values of the first band, row by row. */
function readRows(
  source: Dataset,
  { maxClasses, gdalLog }: { readonly maxClasses: number; readonly gdalLog: GdalLog },
) {
  const classes = openClasses([source], maxClasses, gdalLog);
  const raster = describeRaster(source);
  const { width } = raster;

  async function* rows(): AsyncGenerator<Row> {
    let band = new Uint16Array();
    await gdalLog.take(); // earlier entries are not about pixels
    for (const { x, y, ...size } of windowsOf({ ...raster, bands: [source] })) {
      const codes = await classes.read({ x, y, ...size });
      if (x === 0) band = new Uint16Array(width * size.height);
      for (let row = 0; row < size.height; row += 1)
        band.set(codes.subarray(row * size.width, (row + 1) * size.width), row * width + x);
      if (x + size.width < width) continue;
      for (let row = 0; row < size.height; row += 1)
        yield { row: y + row, codes: band.subarray(row * width, (row + 1) * width) };
    }
  }

  return {
    rows: rows(),
    /** Returns the value of each number, after all rows are read. @throws {Problem} for values that are not integers */
    finish(): (code: number) => number | null {
      const { values, rank } = classes.finish();
      return (code) => values[rank[code] ?? 0]?.[0] ?? null;
    },
  };
}

/** A unit in pixel coordinates of a raster. */
interface UnitOutline {
  readonly number: number;
  readonly outline: Outline;
}

/**
 * Creates a function that writes the number of the unit at the centre of each pixel of a row; 0 for none, the first of
 * several. Rows must be passed in order.
 */
function createUnitsOfPixels(units: readonly UnitOutline[], width: number) {
  const crossings: number[] = [];
  return (row: number, target: Int32Array): void => {
    target.fill(0);
    for (const { number, outline } of units) {
      if (row < outline.firstRow || row >= outline.endRow) continue;
      crossings.length = 0;
      for (const ring of outline.rings) addCrossings(ring, row + 0.5, crossings);
      crossings.sort((one, other) => one - other);
      for (let i = 0; i + 1 < crossings.length; i += 2) {
        const from = Math.max(0, Math.ceil((crossings[i] ?? 0) - 0.5));
        const to = Math.min(width, Math.ceil((crossings[i + 1] ?? 0) - 0.5));
        for (let column = from; column < to; column += 1) if (target[column] === 0) target[column] = number;
      }
    }
  };
}

/** Adds the positions at which a ring crosses a row's centre line; a corner on the line belongs to the part below. */
function addCrossings(ring: Float64Array, y: number, crossings: number[]): void {
  for (let i = 0; i + 3 < ring.length; i += 2) {
    if ((ring[i + 1] ?? NaN) < y === (ring[i + 3] ?? NaN) < y) continue;
    // From top to bottom, so that two units with a common border get identical digits.
    const upper = (ring[i + 1] ?? NaN) < (ring[i + 3] ?? NaN) ? i : i + 2;
    const lower = 2 * i + 2 - upper;
    const [x0 = NaN, y0 = NaN] = [ring[upper], ring[upper + 1]];
    const [x1 = NaN, y1 = NaN] = [ring[lower], ring[lower + 1]];
    crossings.push(x0 + ((x1 - x0) * (y - y0)) / (y1 - y0));
  }
}
