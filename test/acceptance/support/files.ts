import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  ascii,
  doubles,
  type HandmadeTag,
  handmadeTiff,
  imageTags,
  longs,
  shorts,
  tag,
} from '../../support/hostile/hostile-tiffs.ts';

const root = new URL('../../../', import.meta.url);

export interface Feature {
  readonly properties: unknown;
  readonly geometry: unknown;
}

export function collection(features: readonly Feature[], members: object = {}): object {
  const listed = features.map((feature) => ({ type: 'Feature', ...feature }));
  return { type: 'FeatureCollection', ...members, features: listed };
}

/** A GeoJSON file of an object, or of a literal text. */
export function geojsonFile(content: object | string, name = 'layer.geojson'): File {
  return new File([typeof content === 'string' ? content : JSON.stringify(content)], name);
}

export const point = (longitude: number, latitude: number): object => ({
  type: 'Point',
  coordinates: [longitude, latitude],
});

/** A polygon between these meridians and parallels, counter-clockwise. */
export function box(west: number, south: number, east: number, north: number): object {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

/** A file of the repository, such as `test/fixtures/raster/no_georef.tif`. */
export async function repositoryFile(path: string, name = basename(path)): Promise<File> {
  return new File([await readFile(new URL(path, root))], name);
}

/** A vector without features, where its content does not matter. */
export const emptyLayer = (): File => geojsonFile(collection([]));

/** A vector of one feature. */
export function featureFile(
  geometry: object | null,
  properties: object | null = {},
  members: object = {},
): File {
  return geojsonFile(collection([{ properties, geometry }], members));
}

/** A raster of a few pixels, where its content does not matter. */
export const smallRaster = (name?: string): File => tiffFile({ width: 4, height: 4, corner: [70, 50] }, name);

export const bytesOf = async (file: Blob): Promise<Buffer> => Buffer.from(await file.arrayBuffer());

export interface TiffOptions {
  readonly width: number;
  readonly height: number;
  /** Outer corner of the upper left pixel; without it, the raster is not georeferenced. */
  readonly corner?: readonly [x: number, y: number];
  /** By default 0.01. */
  readonly pixelSize?: number;
  /** A geographic CRS (4000 to 4999) or a projected one; null for coordinates without a CRS. By default 4326. */
  readonly epsg?: number | null;
  readonly noData?: number;
  /** Metadata of GDAL, as XML. */
  readonly metadata?: string;
}

/** Writes a little-endian uncompressed TIFF of bytes. */
export function tiffFile(options: TiffOptions, name = 'relief.tif'): File {
  const { width, height } = options;
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => {
    const [column, row] = [index % width, Math.floor(index / width)];
    return (column * 7 + row * 13) % 251;
  });
  return tiffOf(options, pixels, [], name);
}

export interface RasterToWrite extends Pick<TiffOptions, 'corner' | 'pixelSize' | 'noData'> {
  readonly rows: readonly (readonly number[])[];
  /** By default 32642, UTM zone 42N. */
  readonly epsg?: number;
  /** Constant value of a second band, if any. */
  readonly secondBand?: number;
}

/** Writes a GeoTIFF of float32; by default at the place of the golden rasters, in pixels of 1000 m. */
export function writeRaster({ rows, secondBand, ...raster }: RasterToWrite, name = 'raster.tif'): File {
  const place = { epsg: 32_642, corner: [500_000, 5_550_000], pixelSize: 1000, ...raster } as const;
  const bands = secondBand === undefined ? [] : [secondBand];
  const values = Float32Array.from(rows.flat().flatMap((value) => [value, ...bands]));
  const each = (value: number) => [value, ...bands.map(() => value)];
  const tags = [
    shorts(tag.bits, ...each(32)),
    shorts(tag.sampleFormat, ...each(3)),
    shorts(tag.bands, 1 + bands.length),
    ...bands.map(() => shorts(tag.extraSamples, 0)),
  ];
  const size = { width: rows[0]?.length ?? 0, height: rows.length };
  return tiffOf({ ...size, ...place }, new Uint8Array(values.buffer), tags, name);
}

function tiffOf(options: TiffOptions, pixels: Uint8Array, more: readonly HandmadeTag[], name: string): File {
  const { width, height, corner, pixelSize = 0.01, epsg = 4326, noData, metadata } = options;
  const tags = [longs(tag.rowsPerStrip, height), ...more];
  if (corner !== undefined) {
    tags.push(doubles(tag.pixelScale, pixelSize, pixelSize, 0), doubles(tag.tiepoint, 0, 0, 0, ...corner, 0));
    const isGeographic = epsg !== null && epsg >= 4000 && epsg < 5000;
    const system = [isGeographic ? 2048 : 3072, 0, 1, epsg ?? 0];
    const keys = [1, 1, 0, 3, 1024, 0, 1, isGeographic ? 2 : 1, 1025, 0, 1, 1, ...system];
    if (epsg !== null) tags.push(shorts(tag.geoKeys, ...keys));
  }
  if (metadata !== undefined) tags.push(ascii(tag.gdalMetadata, metadata));
  if (noData !== undefined) tags.push(ascii(tag.gdalNoData, String(noData)));
  const tiff = handmadeTiff([{ tags: imageTags(width, height, ...tags), blocks: [pixels] }]);
  return new File([new Uint8Array(tiff)], name);
}
