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
  /** Outer corner of the upper left pixel; a raster that lies nowhere when absent. */
  readonly corner?: readonly [x: number, y: number];
  /** 0.01 unless told. */
  readonly pixelSize?: number;
  /** 4326, of a projected system, or null for coordinates of no system. */
  readonly epsg?: number | null;
  readonly noData?: number;
  /** GDAL's metadata, as XML. */
  readonly metadata?: string;
  value?(column: number, row: number): number;
}

type Entry = readonly [tag: number, type: 'short' | 'long' | 'double' | 'text', values: readonly number[]];

const writers = {
  short: {
    code: 3,
    bytes: 2,
    write: (view: DataView, at: number, value: number) => view.setUint16(at, value, true),
  },
  long: {
    code: 4,
    bytes: 4,
    write: (view: DataView, at: number, value: number) => view.setUint32(at, value, true),
  },
  double: {
    code: 12,
    bytes: 8,
    write: (view: DataView, at: number, value: number) => view.setFloat64(at, value, true),
  },
  text: { code: 2, bytes: 1, write: (view: DataView, at: number, value: number) => view.setUint8(at, value) },
} as const;

const pixelsAt = 4096;

/** A little-endian TIFF of bytes without compression. */
export function tiffFile(options: TiffOptions, name = 'relief.tif'): File {
  const { width, height, value = (column, row) => (column * 7 + row * 13) % 251 } = options;
  const pixels = new Uint8Array(width * height);
  for (let row = 0, index = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, index += 1) pixels[index] = value(column, row);
  }
  return new File([directory(entriesOf(options, pixels.length)), pixels], name);
}

function entriesOf(options: TiffOptions, pixelBytes: number): Entry[] {
  const { width, height, corner, pixelSize = 0.01, epsg = 4326, noData, metadata } = options;
  const text = (content: string): number[] => [...Buffer.from(`${content}\0`)];
  const entries: Entry[] = [
    [256, 'long', [width]],
    [257, 'long', [height]],
    [258, 'short', [8]], // bits per sample
    [259, 'short', [1]], // no compression
    [262, 'short', [1]], // black is zero
    [273, 'long', [pixelsAt]],
    [277, 'short', [1]], // samples per pixel
    [278, 'long', [height]],
    [279, 'long', [pixelBytes]],
  ];
  if (corner !== undefined) {
    entries.push([33_550, 'double', [pixelSize, pixelSize, 0]], [33_922, 'double', [0, 0, 0, ...corner, 0]]);
    const isGeographic = epsg === 4326;
    const system = isGeographic ? [2048, 0, 1, 4326] : [3072, 0, 1, epsg ?? 0];
    const keys = [1, 1, 0, 3, 1024, 0, 1, isGeographic ? 2 : 1, 1025, 0, 1, 1, ...system];
    if (epsg !== null) entries.push([34_735, 'short', keys]);
  }
  if (metadata !== undefined) entries.push([42_112, 'text', text(metadata)]);
  if (noData !== undefined) entries.push([42_113, 'text', text(String(noData))]);
  return entries;
}

/** The header, its one directory and the values that do not fit into it, as long as all that stands before the pixels. */
function directory(entries: readonly Entry[]): DataView<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(pixelsAt));
  view.setUint32(0, 0x49492a00);
  view.setUint32(4, 8, true);
  view.setUint16(8, entries.length, true);
  let free = 512;
  for (const [index, [tag, type, values]] of entries.entries()) {
    const { code, bytes, write } = writers[type];
    const at = 10 + index * 12;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, code, true);
    view.setUint32(at + 4, values.length, true);
    const length = values.length * bytes;
    const start = length <= 4 ? at + 8 : free;
    if (length > 4) {
      view.setUint32(at + 8, free, true);
      free += length + (length % 2);
    }
    for (const [place, each] of values.entries()) write(view, start + place * bytes, each);
  }
  return view;
}
