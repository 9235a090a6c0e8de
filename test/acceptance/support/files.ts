import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

const root = new URL('../../../', import.meta.url);

export interface Feature {
  readonly properties: unknown;
  readonly geometry: unknown;
}

export function collection(features: readonly Feature[], members: object = {}): object {
  const listed = features.map((feature) => ({ type: 'Feature', ...feature }));
  return { type: 'FeatureCollection', ...members, features: listed };
}

/** A GeoJSON file of this document, or of this very text. */
export function geojsonFile(content: object | string, name = 'layer.geojson'): File {
  return new File([typeof content === 'string' ? content : JSON.stringify(content)], name);
}

export const point = (longitude: number, latitude: number): object => ({
  type: 'Point',
  coordinates: [longitude, latitude],
});

/** An area between these meridians and parallels, counter-clockwise. */
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

export const bytesOf = async (file: Blob): Promise<Buffer> => Buffer.from(await file.arrayBuffer());

export interface TiffOptions {
  readonly width: number;
  readonly height: number;
  /** Of the upper left corner, with pixels of 0.01 degrees; a raster without CRS when absent. */
  readonly corner?: readonly [longitude: number, latitude: number];
  value?(column: number, row: number): number;
}

/** A little-endian TIFF of bytes without compression, in WGS 84 when it lies anywhere. */
export function tiffFile(options: TiffOptions, name = 'relief.tif'): File {
  const { width, height, corner, value = (column, row) => (column * 7 + row * 13) % 251 } = options;
  const pixels = new Uint8Array(width * height);
  for (let row = 0, index = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, index += 1) pixels[index] = value(column, row);
  }
  const doubles = corner === undefined ? [] : [0.01, 0.01, 0, 0, 0, 0, corner[0], corner[1], 0];
  const keys = corner === undefined ? [] : [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326];
  const doublesAt = 512;
  const keysAt = doublesAt + doubles.length * 8;
  const pixelsAt = 1024;
  const entries: (readonly [tag: number, type: number, count: number, value: number])[] = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 1, 8], // bits per sample
    [259, 3, 1, 1], // no compression
    [262, 3, 1, 1], // black is zero
    [273, 4, 1, pixelsAt],
    [277, 3, 1, 1],
    [278, 4, 1, height],
    [279, 4, 1, pixels.length],
  ];
  if (corner !== undefined) {
    entries.push([33550, 12, 3, doublesAt], [33922, 12, 6, doublesAt + 24], [34735, 3, keys.length, keysAt]);
  }
  const head = new DataView(new ArrayBuffer(pixelsAt));
  head.setUint32(0, 0x49492a00);
  head.setUint32(4, 8, true);
  head.setUint16(8, entries.length, true);
  for (const [index, [tag, type, count, held]] of entries.entries()) {
    const at = 10 + index * 12;
    head.setUint16(at, tag, true);
    head.setUint16(at + 2, type, true);
    head.setUint32(at + 4, count, true);
    head.setUint32(at + 8, held, true);
  }
  for (const [index, double] of doubles.entries()) head.setFloat64(doublesAt + index * 8, double, true);
  for (const [index, key] of keys.entries()) head.setUint16(keysAt + index * 2, key, true);
  return new File([head, pixels], name);
}
