import { open } from 'node:fs/promises';
import gdal, { type Dataset, type RasterBand } from 'gdal-async';
import { MiB } from '../../../lib/units.ts';
import { sourceProblems } from '../../../messages/sources/english.ts';
import { isoOf, periodsOf, readTimeAxis } from '../../formats/cf/calendar.ts';
import { wrapLongitudes } from '../../formats/cf/axes.ts';
import { refuseUnreasonableTiff } from '../../formats/tiff/limits.ts';
import { checkGribGrids } from '../../formats/grib/grids.ts';
import { quietly } from '../../gdal/last-error.ts';
import { sourceLimits, type SourceAxis, type SourceVariable } from '../../source.ts';
import { describeRaster, isSignedByte } from '../raster/image/description.ts';
import { createAxisList } from './array-source.ts';
import type { PlannedRaster, RasterType, Source } from './source.ts';
import { withoutOpeningFiles } from './without-opening-files.ts';

/** Bands that are one variable, in the order of its axis. */
interface BandVariable {
  readonly name: string;
  readonly title: string;
  readonly unit: string | undefined;
  readonly bands: readonly number[];
  readonly axis: SourceAxis | undefined;
}

/** Opens fields of GRIB 1 or 2 in the units of the file. @throws {Problem} for grids without even cells. */
export async function openGrib(path: string): Promise<Source> {
  const { isGeographic } = await checkGribGrids(path);
  // GDAL would turn kelvin into degrees Celsius, and cut longitudes as it sees fit.
  gdal.config.set('GRIB_NORMALIZE_UNITS', 'NO');
  gdal.config.set('GRIB_ADJUST_LONGITUDE_RANGE', 'NO');
  const dataset = openDataset(path);
  const fields = dataset.bands.map(readField);
  const groups = Map.groupBy(fields, ({ name }) => name);
  const variables = [...groups].map(([name, own]): BandVariable => {
    const ordered = own.toSorted((one, other) => one.valid - other.valid || one.reference - other.reference);
    const [{ title, unit } = { title: name, unit: undefined }] = ordered;
    return { name, title, unit, bands: ordered.map(({ band }) => band), axis: timesOf(ordered) };
  });
  return createBandSource(dataset, variables, { isGeographic });
}

type Field = ReturnType<typeof readField>;

function readField(band: RasterBand, number: number) {
  const facts = quietly((): unknown => band.getMetadata());
  const text = (name: string): string => {
    const value = typeof facts === 'object' && facts !== null ? Reflect.get(facts, name) : undefined;
    return typeof value === 'string' ? value.trim() : '';
  };
  const seconds = (name: string): number => Number(/-?\d+/.exec(text(name))?.[0] ?? NaN);
  const unit = text('GRIB_UNIT').replaceAll(/[[\]]/g, '');
  return {
    band: number,
    name:
      [text('GRIB_ELEMENT'), text('GRIB_SHORT_NAME')].filter((part) => part !== '').join(' ') ||
      `band ${number}`,
    title: [text('GRIB_COMMENT'), band.description].filter((part) => part !== '').join(', '),
    unit: unit === '' || unit === '-' ? undefined : unit,
    valid: seconds('GRIB_VALID_TIME'),
    reference: seconds('GRIB_REF_TIME'),
  };
}

/** Returns the times of fields; fields of one time, such as members of an ensemble, are numbered. */
function timesOf(fields: readonly Field[]): SourceAxis | undefined {
  const axis = readTimeAxis('seconds since 1970-01-01', 'proleptic_gregorian');
  if ('unknown' in axis || fields.some(({ valid }) => !Number.isFinite(valid))) return undefined;
  const dates = fields.map(({ valid }) => axis.dateOf(valid));
  const periods = periodsOf(dates, axis.calendar).map(({ start, end }) => [start, end] as const);
  return {
    name: 'time',
    size: dates.length,
    calendar: axis.calendar,
    values: dates.map((date, index) => nameOf(isoOf(date), index, fields)),
    periods,
  };
}

function nameOf(date: string, index: number, fields: readonly Field[]): string {
  const before = fields.slice(0, index).filter(({ valid }) => valid === fields[index]?.valid).length;
  return before === 0 ? date : `${date} (${before + 1})`;
}

/** Opens a raster of Erdas Imagine. @throws {Problem} if its pixels are in another file. */
export async function openImagine(path: string): Promise<Source> {
  await refuseExternalPixels(path);
  const dataset = openDataset(path);
  return createBandSource(dataset, bandsOf(dataset), { isGeographic: false });
}

const bandsOf = (dataset: Dataset): readonly BandVariable[] =>
  dataset.bands.map((band, number) => ({
    name: `band ${number}`,
    title: band.description === '' ? `Band ${number}` : band.description,
    unit: band.unitType || undefined,
    bands: [number],
    axis: undefined,
  }));

/** Opens a GeoTIFF. @throws {Problem} if it would take hours or all memory, or if values are in a mask beside it. */
export async function openGeoTiff(path: string): Promise<Source> {
  await refuseUnreasonableTiff(path);
  const dataset = openDataset(path);
  if (describeRaster(dataset).hasMask) throw sourceProblems.masked();
  return createBandSource(dataset, bandsOf(dataset), { isGeographic: false, namesNoFiles: true });
}

/** The type of an entry, filled up with zeros; the dictionary of a file names it with a comma. */
const externalEntry = Buffer.from('ExternalRasterDMS'.padEnd(20, '\0'), 'latin1');
const chunkBytes = 4 * MiB;

async function refuseExternalPixels(path: string): Promise<void> {
  await using file = await open(path);
  const { size } = await file.stat();
  const buffer = Buffer.alloc(chunkBytes + externalEntry.length);
  for (let at = 0; at < size; at += chunkBytes) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (buffer.subarray(0, bytesRead).includes(externalEntry)) throw sourceProblems.otherFiles('.ige');
  }
}

function openDataset(path: string): Dataset {
  const dataset = quietly(() => gdal.open(path));
  if (dataset === undefined || dataset.bands.count() === 0) throw sourceProblems.damaged();
  return dataset;
}

const rasterTypes: readonly string[] = ['Byte', 'UInt16', 'Int16', 'UInt32', 'Int32', 'Float32', 'Float64'];

function isRasterType(type: string | null): type is RasterType {
  return type !== null && rasterTypes.includes(type);
}

interface FormatFacts {
  /** True if places are longitudes and latitudes, whatever the file says. */
  readonly isGeographic: boolean;
  /** True for a format whose files cannot name others as the place of their values. */
  readonly namesNoFiles?: boolean;
}

function createBandSource(
  dataset: Dataset,
  all: readonly BandVariable[],
  { isGeographic, namesNoFiles = false }: FormatFacts,
): Source {
  const variables = all.slice(0, sourceLimits.variables);
  const axes = createAxisList();
  const grid = placeOf(dataset, isGeographic);
  const planOf = (variable: BandVariable, position: number): PlannedRaster => {
    const band = dataset.bands.get(variable.bands[position] ?? 1);
    const type = band.dataType;
    if (!isRasterType(type) || isSignedByte(band)) throw sourceProblems.noVariable(variable.name);
    const { width, fileColumns, startColumn } = grid;
    const { noDataValue: noData, scale, offset } = band;
    return {
      ...grid,
      type,
      noData: noData ?? undefined,
      scale: scale === 1 ? undefined : (scale ?? undefined),
      offset: offset === 0 ? undefined : (offset ?? undefined),
      unit: variable.unit,
      title: variable.title,
      async readRows(first, count) {
        const read = readBand(band, { first, count, fileColumns, namesNoFiles });
        if (startColumn === 0 && width === fileColumns) return read;
        const values = new Float64Array(count * width);
        for (let row = 0; row < count; row += 1)
          for (let column = 0; column < width; column += 1)
            values[row * width + column] = read[row * fileColumns + ((startColumn + column) % width)] ?? NaN;
        return values;
      },
    };
  };
  const described = variables.map((variable): SourceVariable => {
    const { type, scale, offset, width, height, left, top, cellWidth, cellHeight, crs } = planOf(variable, 0);
    return {
      name: variable.name,
      title: variable.title,
      unit: variable.unit,
      type,
      scale,
      offset,
      width,
      height,
      grid: { left, top, cell_width: cellWidth, cell_height: cellHeight },
      crs,
      axes: variable.axis === undefined ? [] : [axes.indexOf(variable.axis)],
    };
  });
  return {
    description: () => ({ variables: described, axes: axes.list, left_out: all.length - variables.length }),
    plan({ variable: name, positions }) {
      const variable = variables.find((one) => one.name === name);
      if (variable === undefined) throw sourceProblems.noVariable(name);
      const { axis } = variable;
      const position = axis === undefined ? 0 : (positions[axis.name] ?? (axis.size === 1 ? 0 : -1));
      if (!Number.isInteger(position) || position < 0 || position >= variable.bands.length)
        throw sourceProblems.noPosition(axis?.name ?? '');
      return planOf(variable, position);
    },
    close: async () => dataset.close(),
  };
}

/** Reads the place of all bands. @throws {Problem} for a grid without one, or that is not north up. */
function placeOf(dataset: Dataset, isGeographic: boolean) {
  const { x: fileColumns, y: height } = dataset.rasterSize;
  const [left = NaN, cellWidth = NaN, skewX = 0, top = NaN, skewY = 0, negative = NaN] =
    dataset.geoTransform ?? [];
  if (!(cellWidth > 0 && negative < 0) || skewX !== 0 || skewY !== 0) throw sourceProblems.noCoordinates();
  const axis = { first: left + cellWidth / 2, step: cellWidth, size: fileColumns, isFlipped: false };
  const x = isGeographic ? wrapLongitudes(axis) : { ...axis, startColumn: 0 };
  return {
    width: x.size,
    height,
    fileColumns,
    startColumn: x.startColumn,
    left: x.first - x.step / 2,
    top,
    cellWidth,
    cellHeight: -negative,
    crs: isGeographic ? 'EPSG:4326' : dataset.srs?.toWKT(),
  };
}

interface Rows {
  readonly first: number;
  readonly count: number;
  readonly fileColumns: number;
  readonly namesNoFiles: boolean;
}

/** @throws {Problem} if the rows cannot be read */
function readBand(band: RasterBand, { first, count, fileColumns, namesNoFiles }: Rows): Float64Array {
  const data = new Float64Array(count * fileColumns);
  const read = (): unknown =>
    band.pixels.read(0, first, fileColumns, count, data, {
      data_type: 'Float64',
      buffer_width: fileColumns,
      buffer_height: count,
    });
  try {
    if (namesNoFiles) read();
    else withoutOpeningFiles(read);
  } catch (error) {
    throw sourceProblems.damaged().because(error);
  }
  return data;
}
