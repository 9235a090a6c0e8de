import { z } from 'zod';
import type { BandFacts, ClassFacts, ItemRow } from './item-rows.ts';
import { mostBands } from './item-rows.ts';

/** What a report says of a raster; reports of before lack some. */
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
  crs: z.string().nullable().catch(null),
  extent: z.array(z.number()).length(4).nullable().catch(null),
  resolution: z.array(z.number()).length(2).nullable().catch(null),
});
type Report = z.infer<typeof Report>;

export function readRasterReport({ report }: ItemRow): Report | undefined {
  if (report === null) return undefined;
  const parsed = Report.safeParse(JSON.parse(report));
  return parsed.success ? parsed.data : undefined;
}

/** Names of GDAL and those of STAC. */
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

/** The properties of the projection extension. */
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
        ? { 'proj:code': crs }
        : { 'proj:code': null, 'proj:wkt2': crs }),
    'proj:shape': [height, width],
    ...(transform === undefined
      ? {}
      : { 'proj:transform': transform, 'proj:bbox': [minX, minY, maxX, maxY] }),
  };
}

/** Returns the affine transform of a north-up raster; undefined for one that is turned or has no place. */
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

/** Describes the bands of a raster, as STAC 1.1 and the raster extension do. */
export function bandsOf(
  report: Report,
  { bands, unit }: Pick<ItemRow, 'bands' | 'unit'>,
  classes: readonly ClassFacts[],
) {
  if (report.bands > mostBands) return undefined;
  return Array.from({ length: report.bands }, (_, index) => ({
    name: `band_${index + 1}`,
    data_type: dataTypes[report.data_type] ?? 'other',
    ...nodataOf(report.nodata),
    ...(unit === null ? {} : { unit }),
    ...statisticsOf(bands?.find((band) => band.index === index + 1)),
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

function statisticsOf(band: BandFacts | undefined) {
  if (band === undefined) return {};
  const { min, max, mean, valid, nodata } = band;
  return {
    statistics: {
      ...(min === null ? {} : { minimum: min }),
      ...(max === null ? {} : { maximum: max }),
      ...(mean === null ? {} : { mean }),
      count: valid,
      valid_percent: valid + nodata === 0 ? 0 : (100 * valid) / (valid + nodata),
    },
  };
}

function scaledBy(name: string, values: number | readonly number[] | null, index: number) {
  const value = typeof values === 'number' ? values : values?.[index];
  return value === undefined ? {} : { [name]: value };
}

/** Names may have Latin letters, digits, `-` and `_` alone. */
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
