import { inflateSync, zstdDecompressSync } from 'node:zlib';
import { joinBytes, type Samples, samplesOf, sumRows, swapBytes } from '../../../portrayal/raster/samples.ts';
import type { BlockFormat } from './cog-head.ts';
import { decodeLzw } from './lzw.ts';
import { decodePackBits } from './pack-bits.ts';

/** A block that does not hold the pixels that its file promises. */
export class BrokenBlock extends Error {
  override readonly name = 'BrokenBlock';
}

/** TIFF's numbers of compressions. */
const [none, lzw, deflate, packBits, oldDeflate, zstd] = [1, 5, 8, 32_773, 32_946, 50_000];

/**
 * Decodes a block of a TIFF into its samples, pixel by pixel and row by row; those of fewer than 8 bits get a byte each.
 * @param expected the bytes of the block before compression.
 * @throws {BrokenBlock} when it has another length.
 */
export function decodeBlock(bytes: Uint8Array<ArrayBuffer>, format: BlockFormat, expected: number): Samples {
  const plain = decompress(bytes, format.compression, expected);
  const { predictor, bits, tileWidth, samplesPerPixel, littleEndian } = format;
  const rowSamples = tileWidth * samplesPerPixel;
  if (bits < 8) return unpackBits(plain, bits, { rowSamples, rows: format.tileHeight });
  const width = bits / 8;
  if (predictor === 3 && (width === 4 || width === 8))
    return samplesOf(joinBytes(plain, rowSamples, samplesPerPixel, width), format);
  if (!littleEndian) swapBytes(plain.buffer, width);
  if (predictor === 2) undoDifferences(plain.buffer, width, rowSamples, samplesPerPixel);
  return samplesOf(plain.buffer, format);
}

/** Returns exactly `expected` bytes in a buffer of their own. */
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
        return inflateSync(bytes, { maxOutputLength: expected, chunkSize: Math.max(64, expected) });
      case zstd:
        return zstdDecompressSync(bytes, { maxOutputLength: expected });
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
  // A part of a larger buffer would turn round what is not its own.
  return decoded.byteOffset === 0 && decoded.buffer.byteLength === expected
    ? decoded
    : new Uint8Array(decoded.subarray(0, expected)); // `slice` of a Buffer copies nothing
}

function guarded(decode: () => Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  try {
    return decode();
  } catch (cause) {
    throw new BrokenBlock('a block cannot be decoded', { cause });
  }
}

/** libtiff adds up whole numbers of the width of the samples, whatever these mean. */
function undoDifferences(bytes: ArrayBuffer, width: number, rowSamples: number, stride: number): void {
  if (width === 8) return sumWords(new BigUint64Array(bytes), rowSamples, stride);
  const words = samplesOf(bytes, { format: 1, bits: width * 8 });
  sumRows(words, rowSamples, stride);
}

function sumWords(words: BigUint64Array, rowSamples: number, stride: number): void {
  for (let row = 0; row < words.length; row += rowSamples) {
    for (let at = row + stride; at < row + rowSamples; at += 1) {
      words[at] = (words[at] ?? 0n) + (words[at - stride] ?? 0n);
    }
  }
}

/** Gives each sample of 1, 2 or 4 bits a byte; rows begin on whole bytes, the highest bits come first. */
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
