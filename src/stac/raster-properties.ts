import { z } from 'zod';
import type { BandFacts, ClassFacts, ItemRow } from './item-rows.ts';
import { mostBands } from './item-rows.ts';

/** The members of a report that describe a raster; earlier reports lack some. */
const Report = z.object({
  width: z.int().positive(),
  height: z.int().positive(),
  bands: z.int().positive(),
  data_type: z.string().catch('other'),
  nodata: z.union([z.number(), z.string()]).nullable().catch(null),
  scale: z
    .union([z.number(), z.array(z.number())])
    .nullable()
    .catch(null)
    .default(null),
  offset: z
    .union([z.number(), z.array(z.number())])
    .nullable()
    .catch(null)
    .default(null),
  band_names: z.array(z.string().nullable()).catch([]).default([]),
  band_units: z.array(z.string().nullable()).catch([]).default([]),
  crs: z.string().nullable().catch(null),
  extent: z.array(z.number()).length(4).nullable().catch(null),
  resolution: z.array(z.number()).length(2).nullable().catch(null),
});
type Report = z.infer<typeof Report>;

export function readRasterReport({ report }: Pick<ItemRow, 'report'>): Report | undefined {
  if (report === null) return undefined;
  const parsed = Report.safeParse(JSON.parse(report));
  return parsed.success ? parsed.data : undefined;
}

/** Data types of STAC by those of GDAL. */
const dataTypes: Readonly<Record<string, string>> = {
  Byte: 'uint8',
  Int8: 'int8',
  UInt16: 'uint16',
  Int16: 'int16',
  UInt32: 'uint32',
  Int32: 'int32',
  UInt64: 'uint64',
  Int64: 'int64',
  Float16: 'float16',
  Float32: 'float32',
  Float64: 'float64',
  CInt16: 'cint16',
  CInt32: 'cint32',
  CFloat32: 'cfloat32',
  CFloat64: 'cfloat64',
};

/**
 * Returns the fields of the projection extension. They belong to the asset with the pixels: readers take any image of an item with a
 * projection of its own for a band. Both fields are present: readers that precede `proj:code` know only `proj:epsg`, and one version of
 * the extension has both.
 */
export function projectionOf({
  crs,
  width,
  height,
  extent,
  resolution,
}: Report): Readonly<Record<string, unknown>> {
  const [minX, minY, maxX, maxY] = extent ?? [];
  const transform = transformOf({ width, height, extent, resolution });
  return {
    ...(crs === null
      ? {}
      : /^EPSG:\d+$/.test(crs)
        ? { 'proj:code': crs, 'proj:epsg': Number(crs.slice('EPSG:'.length)) }
        : { 'proj:code': null, 'proj:epsg': null, 'proj:wkt2': crs }),
    'proj:shape': [height, width],
    ...(transform === undefined
      ? {}
      : { 'proj:transform': transform, 'proj:bbox': [minX, minY, maxX, maxY] }),
  };
}

/** Returns the affine transform of a north-up raster; undefined for a rotated raster or one without georeference. */
function transformOf({
  width,
  height,
  extent,
  resolution,
}: Pick<Report, 'width' | 'height' | 'extent' | 'resolution'>) {
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = extent ?? [];
  const [resX = 0, resY = 0] = resolution ?? [];
  const fits = (length: number, pixels: number, size: number) =>
    Math.abs(length / pixels - size) <= size * 1e-6;
  if (extent === null || !fits(maxX - minX, width, resX) || !fits(maxY - minY, height, Math.abs(resY)))
    return undefined;
  return [(maxX - minX) / width, 0, minX, 0, (minY - maxY) / height, maxY];
}

/** Describes bands according to STAC 1.1 and the raster extension. */
export function bandsOf(
  report: Report,
  { bands, unit }: Pick<ItemRow, 'bands' | 'unit'>,
  classes: readonly ClassFacts[],
) {
  if (report.bands > mostBands) return undefined;
  const names = namesOf(report);
  return names.map((name, index) => ({
    name,
    data_type: dataTypes[report.data_type] ?? 'other',
    ...nodataOf(report.nodata),
    ...unitOf(report, unit, index),
    ...statisticsOf(
      bands?.find((band) => band.index === index + 1),
      { scale: ofBand(report.scale, index) ?? 1, offset: ofBand(report.offset, index) ?? 0 },
      isWhole(report),
    ),
    ...scaledBy('raster:scale', report.scale, index),
    ...scaledBy('raster:offset', report.offset, index),
    ...(report.resolution === null
      ? {}
      : { 'raster:spatial_resolution': Math.abs(report.resolution[0] ?? 0) }),
    ...(index === 0 && classes.length > 0 ? { 'classification:classes': classes.map(classOf) } : {}),
  }));
}

const infinities: Readonly<Record<string, string>> = {
  nan: 'nan',
  inf: 'inf',
  infinity: 'inf',
  '-inf': '-inf',
  '-infinity': '-inf',
};

function nodataOf(nodata: Report['nodata']) {
  if (typeof nodata === 'number') return { nodata };
  const named = nodata === null ? undefined : infinities[nodata.toLowerCase()];
  return named === undefined ? {} : { nodata: named };
}

/** Returns the names of the bands in the file; a band without a name, or with a duplicate name, is named by its number. */
function namesOf({ bands, band_names: names }: Report): readonly string[] {
  return Array.from({ length: bands }, (_, index) => {
    const name = names[index] ?? null;
    const isOwn = name !== null && names.filter((each) => each === name).length === 1;
    return isOwn ? name : `band_${index + 1}`;
  });
}

/**
 * Returns the unit of a band. A unit that a person has set applies to the only band of a dataset; for several bands, the file takes
 * precedence.
 */
function unitOf({ bands, band_units: units }: Report, said: string | null, index: number) {
  const own = units[index] ?? null;
  const unit = bands === 1 ? (said ?? own) : (own ?? said);
  return unit === null ? {} : { unit };
}

const isWhole = ({ data_type: type }: Report): boolean => /^(?:Byte|U?Int\d+)$/.test(type);

/**
 * Returns the statistics of the stored samples. In the raster extension, statistics refer to stored pixel values, as `data_type` and
 * `nodata` do; scale and offset convert a stored value. The counted values are scaled, so they are converted back.
 */
function statisticsOf(
  band: BandFacts | undefined,
  { scale, offset }: { readonly scale: number; readonly offset: number },
  areWhole: boolean,
) {
  if (band === undefined) return {};
  const { min, max, mean, valid, nodata } = band;
  const stored = (value: number) => (scale === 1 && offset === 0 ? value : (value - offset) / scale);
  const sample = (value: number) => (areWhole ? Math.round(stored(value)) : stored(value));
  const [least, most] = scale < 0 ? [max, min] : [min, max];
  return {
    statistics: {
      ...(least === null ? {} : { minimum: sample(least) }),
      ...(most === null ? {} : { maximum: sample(most) }),
      ...(mean === null ? {} : { mean: stored(mean) }),
      count: valid,
      valid_percent: valid + nodata === 0 ? 0 : (100 * valid) / (valid + nodata),
    },
  };
}

function ofBand(values: number | readonly number[] | null, index: number): number | undefined {
  return typeof values === 'number' ? values : values?.[index];
}

function scaledBy(name: string, values: number | readonly number[] | null, index: number) {
  const value = ofBand(values, index);
  return value === undefined ? {} : { [name]: value };
}

/** Returns a class; its name may contain only Latin letters, digits, `-` and `_`. */
function classOf({ value, label, colour: [red = 0, green = 0, blue = 0] }: ClassFacts) {
  const slug = label
    .toLowerCase()
    .replaceAll(/[^\da-z_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const hint = [red, green, blue]
    .map((part) => Math.round(part).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
  return {
    value,
    name: slug === '' ? `class-${value}` : slug,
    title: label === '' ? String(value) : label,
    description: label === '' ? String(value) : label,
    color_hint: hint,
  };
}
