import { Problem } from '../../../lib/errors.ts';
import { sourceProblems } from '../../../messages/sources/english.ts';
import { type ArrayFile, type ArrayType, type FileArray, nameOf, numbersOf, textOf } from '../array-file.ts';
import { type RegularAxis, regularAxis, type WrappedAxis, wrapLongitudes } from './axes.ts';
import { type Calendar, isoOf, type Period, periodBetween, periodsOf, readTimeAxis } from './calendar.ts';
import { type CoordinateReader, createCoordinateReader, type Role, roleOf } from './coordinates.ts';
import { readGridMapping } from './grid-mapping.ts';

/** A dimension of a variable besides its rows and columns. */
export interface OtherAxis {
  /** Index of the dimension in the array. */
  readonly dimension: number;
  readonly name: string;
  readonly size: number;
  readonly title: string | undefined;
  readonly units: string | undefined;
  /** Numbers of its coordinate; of times the dates, in their own calendar. Without a coordinate, the positions from 0 on. */
  readonly values: readonly (number | string)[];
  readonly calendar: Calendar | undefined;
  /** Days of each time; undefined for other axes. */
  readonly periods: readonly Period[] | undefined;
}

export interface PlacedGrid {
  readonly rows: number;
  readonly columns: number;
  readonly x: WrappedAxis;
  readonly y: RegularAxis;
  /** CRS as a text for PROJ or in WKT; EPSG:4326 for longitude and latitude without another statement. */
  readonly crs: string;
  /** From the units of the coordinates to those of the CRS. */
  readonly unitFactor: number;
}

/** Rules by which stored values become numbers. */
export interface Packing {
  readonly scale: number | undefined;
  readonly offset: number | undefined;
  /** Stored values that mean none. */
  readonly missing: readonly number[];
  readonly least: number;
  readonly most: number;
  /** Number of bits of values that are unsigned, though stored as signed. */
  readonly unsignedBits: number | undefined;
  readonly type: ArrayType;
}

/** A variable of which rasters can be made, or the reason why not. */
export interface GridVariable {
  readonly array: FileArray;
  readonly name: string;
  readonly title: string | undefined;
  readonly units: string | undefined;
  readonly packing: Packing;
  readonly others: readonly OtherAxis[];
  readonly rowDimension: number;
  readonly columnDimension: number;
  readonly placed: PlacedGrid | Problem;
  /** A single time that belongs to no dimension. */
  readonly time: OtherAxis | undefined;
}

/** Reads how rows, columns and further dimensions of all variables are meant, by the CF conventions. */
export async function readGridVariables(file: ArrayFile): Promise<readonly GridVariable[]> {
  const reader = createCoordinateReader(file);
  const helpers = new Set<FileArray>();
  for (const array of file.arrays) {
    for (const name of ['bounds', 'climatology', 'grid_mapping'])
      for (const one of reader.named(array, textOf(array, name) ?? '')) helpers.add(one);
    for (const one of reader.named(array, textOf(array, 'coordinates') ?? ''))
      if (roleOf(one) !== undefined) helpers.add(one);
  }
  const found: GridVariable[] = [];
  for (const array of file.arrays) {
    if (array.type === 'other' || array.dimensions.length < 2 || helpers.has(array)) continue;
    if (roleOf(array) !== undefined && !array.attributes.has('grid_mapping')) continue;
    found.push(await readVariable(array, reader));
  }
  return found;
}

async function readVariable(array: FileArray, reader: CoordinateReader): Promise<GridVariable> {
  const coordinates = array.dimensions.map((_, index) => reader.along(array, index));
  const find = (role: Role): Found | undefined => {
    // Rows and columns are usually the last dimensions.
    for (let index = array.dimensions.length - 1; index >= 0; index -= 1) {
      const coordinate = coordinates[index]?.find((candidate) => roleOf(candidate) === role);
      if (coordinate !== undefined) return { index, coordinate };
    }
    return undefined;
  };
  const [longitude, latitude] = [find('longitude'), find('latitude')];
  const hasPlaces = longitude !== undefined && latitude !== undefined;
  const [x, y] = hasPlaces ? [longitude, latitude] : [find('x'), find('y')];
  // GDAL names an ellipsoid of 1866 for longitudes and latitudes of MODIS.
  const isGeographic = hasPlaces || array.crs?.startsWith('GEOG') === true;
  const rank = array.dimensions.length;
  const [columnDimension, rowDimension] = [x?.index ?? rank - 1, y?.index ?? rank - 2];
  const others: OtherAxis[] = [];
  let refusal: Problem | undefined;
  for (const [dimension, { name, size }] of array.dimensions.entries()) {
    if (dimension === columnDimension || dimension === rowDimension) continue;
    const along = coordinates[dimension] ?? [];
    const coordinate = along.find((one) => roleOf(one) === 'time') ?? along[0];
    const own = { dimension, name: nameOf(name) || `dimension ${dimension}`, size };
    const read = await readOtherAxis(own, coordinate, reader).catch(problemOf);
    if (read instanceof Problem) refusal ??= read;
    others.push(read instanceof Problem ? plainAxis(own) : read);
  }
  const time = await readScalarTime(array, others, reader).catch(problemOf);
  if (time instanceof Problem) refusal ??= time;
  const placed = await place(array, { x, y, isGeographic }, reader).catch(problemOf);
  return {
    array,
    name: array.path.replace(/^\//, ''),
    title: textOf(array, 'long_name') ?? textOf(array, 'standard_name')?.replaceAll('_', ' '),
    units: textOf(array, 'units'),
    packing: packingOf(array),
    others,
    rowDimension,
    columnDimension,
    placed: refusal ?? placed,
    time: time instanceof Problem ? undefined : time,
  };
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

interface Found {
  readonly index: number;
  readonly coordinate: FileArray;
}

interface FoundAxes {
  readonly x: Found | undefined;
  readonly y: Found | undefined;
  readonly isGeographic: boolean;
}

/** @throws {Problem} if the cells have no even rows and columns on the earth. */
async function place(
  array: FileArray,
  { x, y, isGeographic }: FoundAxes,
  reader: CoordinateReader,
): Promise<PlacedGrid> {
  const [mappingArray] = reader.named(array, textOf(array, 'grid_mapping') ?? '');
  const mapping = mappingArray && readGridMapping(mappingArray);
  const isRotated = [x, y].some(
    (one) => one && textOf(one.coordinate, 'standard_name')?.startsWith('grid_l') === true,
  );
  if (mapping?.kind === 'rotated' || isRotated) throw sourceProblems.rotatedPole();
  if (x === undefined || y === undefined) throw withoutAxes(array, reader);
  if (x.index === y.index) throw sourceProblems.reducedGrid('unstructured');
  const ownCrs = array.crs ?? crsAttributeOf(array);
  if (!isGeographic && mapping === undefined && ownCrs === undefined) throw withoutAxes(array, reader);
  if (mapping?.kind === 'unsupported') throw sourceProblems.projection(mapping.name);
  const xAxis = await readRegular(x, reader);
  const yAxis = await readRegular(y, reader);
  const unitFactor = isGeographic ? 1 : unitFactorOf(textOf(x.coordinate, 'units') ?? 'm');
  if (unitFactor === undefined) throw sourceProblems.projection('geostationary');
  // Longitude and latitude of a projected grid would have two dimensions.
  const isOfMapping =
    mapping !== undefined && 'definition' in mapping && (mapping.kind === 'geographic' || !isGeographic);
  const ofMapping = isOfMapping ? mapping.definition : undefined;
  return {
    rows: yAxis.size,
    columns: isGeographic ? wrapLongitudes(xAxis).size : xAxis.size,
    x: isGeographic ? wrapLongitudes(xAxis) : { ...xAxis, startColumn: 0 },
    y: yAxis,
    crs: ofMapping ?? (isGeographic ? 'EPSG:4326' : (ownCrs ?? '')),
    unitFactor,
  };
}

/** Programs without grid mappings write the CRS as an attribute of the variable. */
function crsAttributeOf(array: FileArray): string | undefined {
  return ['crs', 'crs_wkt', 'spatial_ref', 'proj4']
    .map((name) => textOf(array, name))
    .find((text) => text !== undefined && /^(?:\+.*\+proj=|\+proj=|\+init=|EPSG:\d+$|PROJC)/is.test(text));
}

/** Returns the reason why a variable has no axes: places of cells one by one, or none at all. */
function withoutAxes(array: FileArray, reader: CoordinateReader): Problem {
  const [rows, columns] = array.dimensions.slice(-2);
  const isPlace = (one: FileArray): boolean =>
    ['longitude', 'latitude'].includes(roleOf(one) ?? '') &&
    one.dimensions.length >= 2 &&
    one.dimensions.at(-1)?.size === columns?.size &&
    one.dimensions.at(-2)?.size === rows?.size;
  const named = reader.named(array, textOf(array, 'coordinates') ?? '');
  return [...named, ...reader.file.arrays].some(isPlace)
    ? sourceProblems.curvilinear()
    : sourceProblems.noCoordinates();
}

async function readRegular({ coordinate }: Found, reader: CoordinateReader): Promise<RegularAxis> {
  const centres = await reader.valuesOf(coordinate);
  const [bounds] = reader.named(coordinate, textOf(coordinate, 'bounds') ?? '');
  const edges = centres.length === 1 && bounds !== undefined ? await reader.valuesOf(bounds) : undefined;
  const width = edges?.length === 2 ? Math.abs((edges[1] ?? NaN) - (edges[0] ?? NaN)) : undefined;
  const axis = regularAxis(centres, width);
  if (axis === undefined) throw sourceProblems.uneven(nameOf(coordinate.path));
  return axis;
}

function unitFactorOf(units: string): number | undefined {
  if (/^(?:m|metres?|meters?|)$/i.test(units)) return 1;
  return /^(?:km|kilomet(?:re|er)s?)$/i.test(units) ? 1000 : undefined;
}

type Named = Pick<OtherAxis, 'dimension' | 'name' | 'size'>;

/** An axis without a coordinate. */
function plainAxis(named: Named): OtherAxis {
  const values = Array.from({ length: Math.min(named.size, maxSteps) }, (_, index) => index);
  return { ...named, title: undefined, units: undefined, values, calendar: undefined, periods: undefined };
}

/** A daily series of 136 years. */
const maxSteps = 50_000;

/** @throws {Problem} for times that are not understood. */
async function readOtherAxis(
  named: Named,
  coordinate: FileArray | undefined,
  reader: CoordinateReader,
): Promise<OtherAxis> {
  if (coordinate === undefined || named.size > maxSteps) return plainAxis(named);
  const units = textOf(coordinate, 'units');
  const values = await reader.valuesOf(coordinate);
  const about = { ...named, title: textOf(coordinate, 'long_name'), units };
  if (roleOf(coordinate) !== 'time')
    return { ...about, values: [...values], calendar: undefined, periods: undefined };
  return { ...about, ...(await readTimes(coordinate, values, reader)) };
}

async function readTimes(coordinate: FileArray, values: Float64Array, reader: CoordinateReader) {
  const units = textOf(coordinate, 'units') ?? '';
  const axis = readTimeAxis(units, textOf(coordinate, 'calendar'));
  if ('unknown' in axis)
    throw axis.unknown === 'calendar'
      ? sourceProblems.calendar(axis.text)
      : sourceProblems.timeUnits(axis.text);
  const { calendar } = axis;
  if (values.some((value) => !(Math.abs(value) < 1e12))) throw sourceProblems.timeUnits(units);
  const dates = Array.from(values, axis.dateOf);
  const names = textOf(coordinate, 'bounds') ?? textOf(coordinate, 'climatology') ?? '';
  const [bounds] = reader.named(coordinate, names);
  const edges = bounds && (await reader.valuesOf(bounds));
  const hasEdges = edges?.length === 2 * values.length && edges.every((edge) => Math.abs(edge) < 1e12);
  const periods = hasEdges
    ? dates.map((date, index) => {
        const [from, to] = [edges[2 * index] ?? NaN, edges[2 * index + 1] ?? NaN];
        return from < to
          ? periodBetween(axis.dateOf(from), axis.dateOf(to), calendar)
          : periodsOf([date], calendar)[0];
      })
    : periodsOf(dates, calendar);
  return {
    values: dates.map(isoOf),
    calendar,
    periods: periods.filter((period) => period !== undefined),
  };
}

/** Reads the time of a variable that has one time and no axis of times. */
async function readScalarTime(
  array: FileArray,
  others: readonly OtherAxis[],
  reader: CoordinateReader,
): Promise<OtherAxis | undefined> {
  if (others.some(({ periods }) => periods !== undefined)) return undefined;
  const named = reader.named(array, `${textOf(array, 'coordinates') ?? ''} time`);
  const scalar = named.find(
    (one) => roleOf(one) === 'time' && one.type !== 'other' && one.dimensions.every(({ size }) => size === 1),
  );
  if (scalar === undefined || textOf(scalar, 'units') === undefined) return undefined;
  return await readOtherAxis({ dimension: -1, name: nameOf(scalar.path), size: 1 }, scalar, reader);
}

/** Values that the NetCDF library writes where none was written. */
const defaultFills: Readonly<Partial<Record<ArrayType, number>>> = {
  Int16: -32_767,
  UInt16: 65_535,
  Int32: -2_147_483_647,
  UInt32: 4_294_967_295,
  Int64: Number(-9_223_372_036_854_775_806n),
  Float32: Math.fround(9.969209968386869e36),
  Float64: 9.969209968386869e36,
};
const unsignedTypes: Readonly<Partial<Record<ArrayType, readonly [type: ArrayType, bits: number]>>> = {
  Int8: ['Byte', 8],
  Int16: ['UInt16', 16],
  Int32: ['UInt32', 32],
};

/** Reads scale, offset and missing values. The valid range is in stored values. */
function packingOf(array: FileArray): Packing {
  const [type, unsignedBits] = (textOf(array, '_Unsigned')?.toLowerCase() === 'true'
    ? unsignedTypes[array.type]
    : undefined) ?? [array.type, undefined];
  const stored = (value: number): number => {
    if (unsignedBits !== undefined && value < 0) return value + 2 ** unsignedBits;
    return type === 'Float32' ? Math.fround(value) : value;
  };
  const numbers = (name: string): readonly number[] => numbersOf(array, name).map(stored);
  const fills = numbers('_FillValue');
  const ofLibrary = fills.length === 0 ? [defaultFills[array.type]].filter((fill) => fill !== undefined) : [];
  const range = numbers('valid_range');
  const isPlain = (value: number | undefined, plain: number) => value === undefined || value === plain;
  const [scale] = numbersOf(array, 'scale_factor');
  const [offset] = numbersOf(array, 'add_offset');
  return {
    scale: isPlain(scale, 1) ? undefined : scale,
    offset: isPlain(offset, 0) ? undefined : offset,
    missing: [...fills, ...numbers('missing_value'), ...ofLibrary],
    least: (range.length === 2 ? range[0] : numbers('valid_min')[0]) ?? -Infinity,
    most: (range.length === 2 ? range[1] : numbers('valid_max')[0]) ?? Infinity,
    unsignedBits,
    type,
  };
}
