import { constants, deflateSync } from 'node:zlib';
import { colourTypes, joinPng } from './chunks.ts';
import type { Content } from './indexed-png.ts';

/** A picture of any colours. */
export interface RgbaPicture {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Four bytes for each pixel, row by row: red first in memory, then green, blue and opacity. */
  readonly pixels: Uint32Array | Uint8Array;
}

/** Filters of PNG, which stand before each row. */
const filters = { none: 0, sub: 1, up: 2 } as const;
/** Every so many bytes of a row are looked at when its filter is chosen; no multiple of a pixel, so that all channels are. */
const sampleBytes = 5;

/**
 * Encodes a picture as a PNG in 24 or 32 bits a pixel; without opacity when every pixel is opaque.
 * @throws {RangeError} when the pixels are not one for each place.
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
  // Behind the filter the search for repetitions finds less in photographs than runs do.
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

/** Each row as its difference from the row above, or from the pixels on the left: what is nearer to zero. */
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
