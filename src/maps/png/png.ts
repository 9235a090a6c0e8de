import { constants, deflateSync, type ZlibOptions, crc32 } from 'node:zlib';
import type { Rgba } from '../../../common/maps/style/colour-map.ts';

/** A picture of at most 256 colours. */
export interface IndexedPicture {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Palette index of each pixel, row by row. */
  readonly indices: Uint8Array;
  /** At most 256 colours. */
  readonly palette: readonly Rgba[];
}

/** Content of a picture: a map, or letters and flat areas. */
export type Content = 'map' | 'letters';

/** Filter types of PNG rows. */
const [noFilter, upFilter] = [0, 2] as const;

/** Few colours: several pixels share a byte, which a filter would only disturb, and areas repeat beyond their borders. */
const ofFewColours: ZlibOptions = { level: 4, memLevel: 9, windowBits: 14 };
/** Many colours: the filter leaves runs of zeros and noise. A search for repetitions finds nothing more. */
const ofManyColours: ZlibOptions = { strategy: constants.Z_RLE };
/** Letters repeat, unless a filter mixes them with the row above. */
const ofLetters: ZlibOptions = { level: 6 };

/**
 * Encodes a picture as a PNG with a palette of the used colours, in 1, 2, 4 or 8 bits per pixel.
 * @throws {RangeError} if a pixel has no colour in the palette, or there is not one index per pixel.
 */
export function encodeIndexedPng(
  { width, height, indices, palette }: IndexedPicture,
  content: Content = 'map',
): Uint8Array<ArrayBuffer> {
  if (indices.length !== width * height) throw new RangeError('a picture needs one index for each pixel');
  const { colours, places } = usedColours(indices, palette);
  const bitDepth = bitDepthFor(colours.length);
  const isFiltered = bitDepth === 8 && content === 'map';
  const rows = isFiltered
    ? filteredIndices(indices, width, places)
    : packedRows(indices, width, { bitDepth, places });
  const options = isFiltered ? ofManyColours : content === 'map' ? ofFewColours : ofLetters;
  const data = deflateSync(rows, { ...options, chunkSize: Math.max(1024, rows.length) });
  const head = { width, height, bitDepth, colourType: colourTypes.indexed };
  return joinPng(head, [...paletteChunks(colours), { type: 'IDAT', data }]);
}

function bitDepthFor(colours: number): 1 | 2 | 4 | 8 {
  if (colours > 16) return 8;
  if (colours > 4) return 4;
  return colours > 2 ? 2 : 1;
}

/** Returns the used colours, transparent ones first, so that the list of opacities is short, and the new index of each old one. */
function usedColours(indices: Uint8Array, palette: readonly Rgba[]) {
  const isUsed = new Uint8Array(256);
  for (let at = 0; at < indices.length; at += 1) isUsed[indices[at] ?? 0] = 1;
  if (isUsed.lastIndexOf(1) >= palette.length) throw new RangeError('a pixel has no colour in the palette');
  const used = [...palette.entries()].filter(([place]) => isUsed[place] === 1);
  const ordered = [
    ...used.filter(([, colour]) => colour[3] < 255),
    ...used.filter(([, colour]) => colour[3] >= 255),
  ];
  const places = new Uint8Array(256);
  for (const [place, [before]] of ordered.entries()) places[before] = place;
  return { colours: ordered.map(([, colour]) => colour), places };
}

function paletteChunks(colours: readonly Rgba[]): readonly PngChunk[] {
  const plte: PngChunk = {
    type: 'PLTE',
    data: Uint8Array.from(colours.flatMap(([red, green, blue]) => [red, green, blue])),
  };
  const opacities = colours.filter(([, , , alpha]) => alpha < 255).map(([, , , alpha]) => alpha);
  return opacities.length === 0 ? [plte] : [plte, { type: 'tRNS', data: Uint8Array.from(opacities) }];
}

/** Returns each row as its difference from the row above. */
function filteredIndices(indices: Uint8Array, width: number, places: Uint8Array): Uint8Array {
  const rows = new Uint8Array(indices.length + indices.length / width);
  let to = 0;
  for (let start = 0; start < indices.length; start += width) {
    rows[to] = upFilter;
    to += 1;
    for (let at = start; at < start + width; at += 1) {
      const above = start === 0 ? 0 : (places[indices[at - width] ?? 0] ?? 0);
      rows[to] = (places[indices[at] ?? 0] ?? 0) - above;
      to += 1;
    }
  }
  return rows;
}

interface Packing {
  readonly bitDepth: 1 | 2 | 4 | 8;
  readonly places: Uint8Array;
}

/** Packs several pixels into a byte, the left one into its highest bits. */
function packedRows(indices: Uint8Array, width: number, { bitDepth, places }: Packing): Uint8Array {
  const rowBytes = Math.ceil((width * bitDepth) / 8);
  const rows = new Uint8Array((indices.length / width) * (1 + rowBytes));
  let row = 0;
  for (let start = 0; start < indices.length; start += width) {
    rows[row] = noFilter;
    let to = row + 1;
    let [byte, bits] = [0, 0];
    for (let at = start; at < start + width; at += 1) {
      byte = (byte << bitDepth) | (places[indices[at] ?? 0] ?? 0);
      bits += bitDepth;
      if (bits < 8) continue;
      rows[to] = byte;
      to += 1;
      [byte, bits] = [0, 0];
    }
    if (bits > 0) rows[to] = byte << (8 - bits);
    row += 1 + rowBytes;
  }
  return rows;
}

const emptyPngs = new Map<number, Uint8Array<ArrayBuffer>>();

/** Returns a transparent PNG with `size` pixels per side. Each call returns a copy, because transferred memory is lost. */
export function emptyPng(size: number): Uint8Array<ArrayBuffer> {
  const known = emptyPngs.get(size);
  if (known !== undefined) return known.slice();
  const indices = new Uint8Array(size * size);
  const made = encodeIndexedPng({ width: size, height: size, indices, palette: [[0, 0, 0, 0]] });
  emptyPngs.set(size, made);
  return made.slice();
}

/** A picture with any colours. */
export interface RgbaPicture {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Four bytes per pixel, row by row: red first in memory, then green, blue and opacity. */
  readonly pixels: Uint32Array | Uint8Array;
}

/** Filter types of PNG rows. */
const filters = { none: 0, sub: 1, up: 2 } as const;
/** Sampling distance in a row for the choice of its filter; not a multiple of a pixel, so that all channels are sampled. */
const sampleBytes = 5;

/**
 * Encodes a picture as a PNG with 24 or 32 bits per pixel, without opacity if every pixel is opaque.
 * @throws {RangeError} if the number of pixels is wrong.
 */
export function encodeRgbaPng(
  { width, height, pixels }: RgbaPicture,
  content: Content = 'map',
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  if (bytes.length !== width * height * 4) throw new RangeError('a picture needs four bytes for each pixel');
  const isOpaque = isAllOpaque(bytes);
  const samples = isOpaque ? withoutOpacity(bytes) : bytes;
  const channels = isOpaque ? 3 : 4;
  const rows =
    content === 'map' ? filteredRows(samples, width, channels) : plainRows(samples, width * channels);
  // After the filter, a search for repetitions compresses photographs worse than run-length encoding.
  const options = content === 'map' ? { strategy: constants.Z_RLE } : { level: 6 };
  const data = deflateSync(rows, { ...options, chunkSize: Math.max(1024, rows.length) });
  const colourType = isOpaque ? colourTypes.rgb : colourTypes.rgba;
  return joinPng({ width, height, bitDepth: 8, colourType }, [{ type: 'IDAT', data }]);
}

function isAllOpaque(bytes: Uint8Array): boolean {
  for (let at = 3; at < bytes.length; at += 4) if (bytes[at] !== 255) return false;
  return true;
}

function withoutOpacity(bytes: Uint8Array): Uint8Array {
  const samples = new Uint8Array((bytes.length / 4) * 3);
  for (let from = 0, to = 0; from < bytes.length; from += 4, to += 3) {
    samples[to] = bytes[from] ?? 0;
    samples[to + 1] = bytes[from + 1] ?? 0;
    samples[to + 2] = bytes[from + 2] ?? 0;
  }
  return samples;
}

function plainRows(samples: Uint8Array, rowBytes: number): Uint8Array {
  const rows = new Uint8Array(samples.length + samples.length / rowBytes);
  for (let start = 0, to = 0; start < samples.length; start += rowBytes, to += rowBytes + 1) {
    rows[to] = filters.none;
    rows.set(samples.subarray(start, start + rowBytes), to + 1);
  }
  return rows;
}

/** Returns each row as its difference from the row above, or from the pixel on the left, whichever is closer to zero. */
function filteredRows(samples: Uint8Array, width: number, channels: 3 | 4): Uint8Array {
  const rowBytes = width * channels;
  const rows = new Uint8Array(samples.length + samples.length / rowBytes);
  let to = 0;
  for (let start = 0; start < samples.length; start += rowBytes) {
    const isUp = start > 0 && resemblesRowAbove(samples, start, { rowBytes, channels });
    rows[to] = isUp ? filters.up : filters.sub;
    to += 1;
    const distance = isUp ? rowBytes : channels;
    const unknown = isUp ? 0 : channels;
    rows.set(samples.subarray(start, start + unknown), to);
    for (let at = unknown; at < rowBytes; at += 1) {
      rows[to + at] = (samples[start + at] ?? 0) - (samples[start + at - distance] ?? 0);
    }
    to += rowBytes;
  }
  return rows;
}

interface Layout {
  readonly rowBytes: number;
  readonly channels: 3 | 4;
}

function resemblesRowAbove(samples: Uint8Array, start: number, { rowBytes, channels }: Layout): boolean {
  let [up, sub] = [0, 0];
  for (let at = start + channels; at < start + rowBytes; at += sampleBytes) {
    const sample = samples[at] ?? 0;
    up += Math.abs(sample - (samples[at - rowBytes] ?? 0));
    sub += Math.abs(sample - (samples[at - channels] ?? 0));
  }
  return up <= sub;
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;
/** Length, type and CRC of a chunk, in bytes. */
const frameBytes = 12;

/** PNG colour types that the encoder writes. */
const colourTypes = { rgb: 2, indexed: 3, rgba: 6 } as const;

interface PngHead {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly bitDepth: 1 | 2 | 4 | 8;
  readonly colourType: (typeof colourTypes)[keyof typeof colourTypes];
}

interface PngChunk {
  readonly type: 'IHDR' | 'PLTE' | 'tRNS' | 'IDAT' | 'IEND';
  readonly data: Uint8Array;
}

/** Joins a header and chunks into a PNG with its own `ArrayBuffer`, so that it can be transferred. */
function joinPng(head: PngHead, chunks: readonly PngChunk[]): Uint8Array<ArrayBuffer> {
  const all: readonly PngChunk[] = [
    { type: 'IHDR', data: headBytes(head) },
    ...chunks,
    { type: 'IEND', data: new Uint8Array() },
  ];
  const bytes = all.reduce((sum, { data }) => sum + frameBytes + data.length, 0) + signature.length;
  const png = new Uint8Array(bytes);
  const view = new DataView(png.buffer);
  png.set(signature);
  let at: number = signature.length;
  for (const { type, data } of all) {
    view.setUint32(at, data.length);
    for (let index = 0; index < 4; index += 1) png[at + 4 + index] = type.charCodeAt(index);
    png.set(data, at + 8);
    const end = at + 8 + data.length;
    view.setUint32(end, crc32(png.subarray(at + 4, end)));
    at = end + 4;
  }
  return png;
}

function headBytes({ width, height, bitDepth, colourType }: PngHead): Uint8Array {
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head[8] = bitDepth;
  head[9] = colourType;
  return head;
}
