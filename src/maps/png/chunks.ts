import { crc32 } from 'node:zlib';

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;
/** Length, type and CRC of a chunk, in bytes. */
const frameBytes = 12;

/** Colour types of PNG that are written here. */
export const colourTypes = { rgb: 2, indexed: 3, rgba: 6 } as const;

export interface PngHead {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly bitDepth: 1 | 2 | 4 | 8;
  readonly colourType: (typeof colourTypes)[keyof typeof colourTypes];
}

export interface PngChunk {
  readonly type: 'IHDR' | 'PLTE' | 'tRNS' | 'IDAT' | 'IEND';
  readonly data: Uint8Array;
}

/** Joins a head, and chunks between it and the end, into a PNG, in an `ArrayBuffer` of its own, so that it can be transferred. */
export function joinPng(head: PngHead, chunks: readonly PngChunk[]): Uint8Array<ArrayBuffer> {
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
