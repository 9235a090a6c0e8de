import { inflateSync, zstdDecompressSync } from 'node:zlib';
import {
  isWide,
  joinBytes,
  type Samples,
  samplesOf,
  sumRows,
  sumWords,
  swapBytes,
  wideToDoubles,
} from '../../../../common/maps/raster/samples.ts';
import type { BlockFormat } from './cog-head.ts';

/** Signals that a block does not match the size that its file declares. */
export class BrokenBlock extends Error {
  override readonly name = 'BrokenBlock';
}

/** Compression numbers of TIFF. */
const [none, lzw, deflate, packBits, oldDeflate, zstd] = [1, 5, 8, 32_773, 32_946, 50_000];

/** A decompressed block, whose rows become samples on demand. */
export interface Block {
  readonly byteLength: number;
  /**
   * Returns the samples, pixel by pixel and row by row; samples of fewer than 8 bits take a byte each. Only the rows
   * from `first` to `last`, both inclusive, are guaranteed to be final.
   */
  samples(first: number, last: number): Samples;
  /** Releases its memory at once; its samples become invalid. */
  free(): void;
}

/**
 * Decodes a block of a TIFF.
 * @param bytes from the file, in their own buffer, which becomes invalid.
 * @param expected size of the block before compression.
 * @throws {BrokenBlock} if the size differs.
 */
export function decodeBlock(bytes: Uint8Array<ArrayBuffer>, format: BlockFormat, expected: number): Block {
  const plain = decompress(bytes, format.compression, expected);
  if (plain.buffer !== bytes.buffer) free(bytes);
  const { predictor, bits, tileWidth, tileHeight, samplesPerPixel, littleEndian } = format;
  const rowSamples = tileWidth * samplesPerPixel;
  if (bits < 8) {
    const unpacked = unpackBits(plain, bits, { rowSamples, rows: tileHeight });
    free(plain);
    return finishedBlock(unpacked);
  }
  const samples = samplesOf(plain, format);
  const width = bits / 8;
  if (predictor === 3 && (width === 4 || width === 8)) {
    const join = (part: Uint8Array) => joinBytes(part, rowSamples, samplesPerPixel, width);
    return rowByRow(samples, tileHeight, (part) => part.set(join(part)));
  }
  const swaps = !littleEndian && width > 1;
  const widens = isWide(format);
  if (!swaps && predictor !== 2 && !widens) return finishedBlock(samples);
  return rowByRow(samples, tileHeight, (part) => {
    if (swaps) swapBytes(part, width);
    if (predictor === 2) undoDifferences(part, width, rowSamples, samplesPerPixel);
    if (widens) wideToDoubles(part, format);
  });
}

/** Creates a block without further decoding. */
export function finishedBlock(samples: Samples): Block {
  return { byteLength: samples.byteLength, samples: () => samples, free: () => free(samples) };
}

/** @param finish converts whole rows to samples, in place. */
function rowByRow(samples: Samples, rows: number, finish: (part: Uint8Array) => void): Block {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const rowBytes = bytes.length / rows;
  const isFinished = new Uint8Array(rows);
  return {
    byteLength: bytes.length,
    samples(first, last) {
      for (let row = first; row <= last; row += 1) {
        const start = row;
        while (row <= last && isFinished[row] === 0) row += 1;
        if (row === start) continue;
        finish(bytes.subarray(start * rowBytes, row * rowBytes));
        isFinished.fill(1, start, row);
      }
      return samples;
    },
    free: () => free(samples),
  };
}

/** Frees memory without the garbage collector, which would run more often because of it. */
function free({ buffer }: { readonly buffer: ArrayBufferLike }): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** zlib allocates another chunk as soon as one is full. */
const spareBytes = 64;

/** Returns exactly `expected` bytes, at the beginning of their own buffer. */
function decompress(
  bytes: Uint8Array<ArrayBuffer>,
  compression: number,
  expected: number,
): Uint8Array<ArrayBuffer> {
  const decoded = guarded(() => {
    switch (compression) {
      case none:
        return bytes;
      case deflate:
      case oldDeflate:
        return inflateSync(bytes, { maxOutputLength: expected, chunkSize: expected + spareBytes });
      case zstd:
        return zstdDecompressSync(bytes, { maxOutputLength: expected, chunkSize: expected + spareBytes });
      case lzw:
        return decodeLzw(bytes, expected);
      case packBits:
        return decodePackBits(bytes, expected);
      default:
        throw new RangeError(`compression ${compression} is not decoded here`);
    }
  });
  if (decoded.length < expected)
    throw new BrokenBlock(`a block has ${decoded.length} bytes, not ${expected}`);
  // A small buffer may be part of the pool of Node.js.
  return decoded.byteOffset === 0 && decoded.buffer.byteLength <= expected + spareBytes
    ? decoded.subarray(0, expected)
    : new Uint8Array(decoded.subarray(0, expected)); // `slice` of a Buffer copies nothing
}

function guarded(decode: () => Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  try {
    return decode();
  } catch (cause) {
    throw new BrokenBlock('a block cannot be decoded', { cause });
  }
}

/** Undoes the horizontal predictor; libtiff adds integers with the width of the samples, whatever their type. */
function undoDifferences(part: Uint8Array, width: number, rowSamples: number, stride: number): void {
  const { buffer, byteOffset, byteLength } = part;
  const length = byteLength / width;
  switch (width) {
    case 1:
      return sumRows(part, rowSamples, stride);
    case 2:
      return sumRows(new Uint16Array(buffer, byteOffset, length), rowSamples, stride);
    case 4:
      return sumRows(new Uint32Array(buffer, byteOffset, length), rowSamples, stride);
    default:
      return sumWords(new BigUint64Array(buffer, byteOffset, length), rowSamples, stride);
  }
}

/** Expands each sample of 1, 2 or 4 bits to a byte; rows begin on whole bytes, the highest bits come first. */
function unpackBits(
  bytes: Uint8Array,
  bits: number,
  { rowSamples, rows }: { readonly rowSamples: number; readonly rows: number },
): Uint8Array {
  const samples = new Uint8Array(rowSamples * rows);
  const rowBytes = Math.ceil((rowSamples * bits) / 8);
  const perByte = 8 / bits;
  const mask = (1 << bits) - 1;
  for (let row = 0, at = 0; row < rows; row += 1) {
    for (let i = 0; i < rowSamples; i += 1, at += 1) {
      const byte = bytes[row * rowBytes + Math.floor(i / perByte)] ?? 0;
      samples[at] = (byte >> (8 - bits * ((i % perByte) + 1))) & mask;
    }
  }
  return samples;
}

/**
 * Decodes PackBits (TIFF 6.0, section 9).
 * @returns exactly `length` bytes.
 * @throws {RangeError} if there are fewer or more.
 */
function decodePackBits(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length);
  let written = 0;
  for (let at = 0; at < bytes.length && written < length;) {
    const head = bytes[at] ?? 0;
    at += 1;
    if (head === 128) continue;
    const count = head < 128 ? head + 1 : 257 - head;
    if (written + count > length) throw new RangeError('there are more bytes than pixels');
    if (head < 128) {
      out.set(bytes.subarray(at, at + count), written);
      if (at + count > bytes.length) throw new RangeError('the block ends too early');
      at += count;
    } else {
      if (at >= bytes.length) throw new RangeError('the block ends too early');
      out.fill(bytes[at] ?? 0, written, written + count);
      at += 1;
    }
    written += count;
  }
  if (written !== length) throw new RangeError('there are fewer bytes than pixels');
  return out;
}

const clearCode = 256;
const endCode = 257;
const maxBits = 12;
const maxCodes = 4096;

/**
 * Decodes TIFF's LZW: codes of 9 to 12 bits, the highest bit first, whose width grows one code early (TIFF 6.0, section 13).
 * @returns exactly `length` bytes.
 * @throws {RangeError} if the codes are invalid, or produce fewer or more bytes.
 */
function decodeLzw(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(length);
  // Position and length of the text of each code in the output.
  const starts = new Uint32Array(maxCodes);
  const lengths = new Uint32Array(maxCodes);
  let [next, bits, written] = [endCode + 1, 9, 0];
  let [previousStart, previousLength] = [0, 0];
  let [buffer, held] = [0, 0];
  for (let at = 0; ;) {
    while (held < bits) {
      if (at >= bytes.length) {
        if (written === length) return out;
        throw new RangeError('the codes end too early');
      }
      buffer = ((buffer << 8) | (bytes[at] ?? 0)) & 0xff_ff_ff;
      held += 8;
      at += 1;
    }
    held -= bits;
    const code = (buffer >> held) & ((1 << bits) - 1);
    if (code === endCode) break;
    if (code === clearCode) {
      [next, bits, previousLength] = [endCode + 1, 9, 0];
      continue;
    }
    const start = written;
    if (code < clearCode) {
      if (written >= length) throw new RangeError('there are more bytes than pixels');
      out[written] = code;
      written += 1;
    } else {
      const isNew = code === next && previousLength > 0;
      if (code > next || (code === next && !isNew)) throw new RangeError('a code stands for nothing');
      const from = isNew ? previousStart : (starts[code] ?? 0);
      const count = isNew ? previousLength + 1 : (lengths[code] ?? 0);
      if (written + count > length) throw new RangeError('there are more bytes than pixels');
      // Byte by byte: the source may overlap the destination.
      for (let i = 0; i < count; i += 1) out[written + i] = out[from + i] ?? 0;
      written += count;
    }
    if (previousLength > 0 && next < maxCodes) {
      // The previous code plus the first byte of this one, which follows it in the output.
      starts[next] = previousStart;
      lengths[next] = previousLength + 1;
      next += 1;
      if (next === (1 << bits) - 1 && bits < maxBits) bits += 1;
    }
    [previousStart, previousLength] = [start, written - start];
  }
  if (written !== length) throw new RangeError('there are fewer bytes than pixels');
  return out;
}
