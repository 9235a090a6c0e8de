import { constants, deflateSync, type ZlibOptions } from 'node:zlib';
import type { Rgba } from '../style/colour-map.ts';
import { colourTypes, joinPng, type PngChunk } from './chunks.ts';

/** A picture of at most 256 colours. */
export interface IndexedPicture {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** One place in the palette for each pixel, row by row. */
  readonly indices: Uint8Array;
  /** At most 256 colours. */
  readonly palette: readonly Rgba[];
}

/** What a picture shows: places, or letters and flat areas. */
export type Content = 'map' | 'letters';

/** Filters of PNG, which stand before each row. */
const [noFilter, upFilter] = [0, 2] as const;

/** Few colours: several pixels share a byte, which a filter would only disturb, and areas repeat beyond their borders. */
const ofFewColours: ZlibOptions = { level: 4, memLevel: 9, windowBits: 14 };
/** Many colours: after the filter what is left is runs of zeros and noise. A search for repetitions finds nothing more. */
const ofManyColours: ZlibOptions = { strategy: constants.Z_RLE };
/** Letters recur, as long as no filter mixes them with what is above. */
const ofLetters: ZlibOptions = { level: 6 };

/**
 * Encodes a picture as a PNG with a palette of the colours that it uses, in 1, 2, 4 or 8 bits a pixel.
 * @throws {RangeError} when a pixel has no colour in the palette, or the indices are not one for each pixel.
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
    ? filteredRows(indices, width, places)
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

/** Colours in use, those that are not opaque first, so that their opacities are few; and the new place of each old one. */
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

/** Each row as its difference from the row above. */
function filteredRows(indices: Uint8Array, width: number, places: Uint8Array): Uint8Array {
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

/** Rows of several pixels a byte, the left one in its highest bits. */
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

/** Returns a transparent PNG of so many pixels a side. Each call has a copy of its own, since what is transferred is gone. */
export function emptyPng(size: number): Uint8Array<ArrayBuffer> {
  const known = emptyPngs.get(size);
  if (known !== undefined) return known.slice();
  const indices = new Uint8Array(size * size);
  const made = encodeIndexedPng({ width: size, height: size, indices, palette: [[0, 0, 0, 0]] });
  emptyPngs.set(size, made);
  return made.slice();
}
