export type Samples =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

export interface SampleType {
  /** SampleFormat of TIFF: 1 unsigned, 2 signed, 3 floating point. */
  readonly format: number;
  readonly bits: number;
}

/** Returns whether samples are integers beyond the exact range of a double. */
export function isWide({ format, bits }: SampleType): boolean {
  return bits === 64 && (format === 1 || format === 2);
}

/** Converts 64-bit integers to the nearest doubles, in place. */
export function wideToDoubles({ buffer, byteOffset, byteLength }: Uint8Array, { format }: SampleType): void {
  const length = Math.floor(byteLength / 8);
  const whole =
    format === 2
      ? new BigInt64Array(buffer, byteOffset, length)
      : new BigUint64Array(buffer, byteOffset, length);
  const doubles = new Float64Array(buffer, byteOffset, length);
  for (let at = 0; at < length; at += 1) doubles[at] = Number(whole[at] ?? 0n);
}

/**
 * Views decoded bytes at the start of their buffer as numbers, without copying. 64-bit integers must be converted to doubles before.
 * @throws RangeError for unsupported types, such as complex numbers.
 */
export function samplesOf(
  { buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>,
  { format, bits }: SampleType,
): Samples {
  // The decoder has expanded odd widths to the next integer type, and half floats to 32 bits.
  const width = format === 3 ? Math.max(32, bits) : bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : bits;
  const length = Math.floor((byteLength * 8) / width);
  switch (`${format} ${width}`) {
    case '1 8':
      return new Uint8Array(buffer, byteOffset, length);
    case '1 16':
      return new Uint16Array(buffer, byteOffset, length);
    case '1 32':
      return new Uint32Array(buffer, byteOffset, length);
    case '2 8':
      return new Int8Array(buffer, byteOffset, length);
    case '2 16':
      return new Int16Array(buffer, byteOffset, length);
    case '2 32':
      return new Int32Array(buffer, byteOffset, length);
    case '3 32':
      return new Float32Array(buffer, byteOffset, length);
    case '1 64':
    case '2 64':
    case '3 64':
      return new Float64Array(buffer, byteOffset, length);
    default:
      throw new RangeError(`samples of format ${format} with ${bits} bits are not drawn`);
  }
}

/** Swaps the byte order of each sample, in place. */
export function swapBytes(bytes: Uint8Array, width: number): void {
  if (width === 1) return;
  for (let start = 0; start + width <= bytes.length; start += width) {
    bytes.subarray(start, start + width).reverse();
  }
}

/**
 * Undoes horizontal differencing (TIFF predictor 2) in place: each sample becomes the sum of those before it in its row.
 * @param stride samples per pixel
 */
export function sumRows(samples: Samples, rowLength: number, stride: number): void {
  for (let row = 0; row < samples.length; row += rowLength) {
    const end = Math.min(row + rowLength, samples.length);
    for (let at = row + stride; at < end; at += 1) {
      samples[at] = (samples[at] ?? 0) + (samples[at - stride] ?? 0);
    }
  }
}

/** Undoes horizontal differencing for samples of 64 bits. */
export function sumWords(words: BigUint64Array, rowLength: number, stride: number): void {
  for (let row = 0; row < words.length; row += rowLength) {
    const end = Math.min(row + rowLength, words.length);
    for (let at = row + stride; at < end; at += 1) {
      words[at] = (words[at] ?? 0n) + (words[at - stride] ?? 0n);
    }
  }
}

/**
 * Undoes floating-point differencing (TIFF predictor 3): in each row, bytes are grouped by significance, the highest
 * first, and each byte is a difference to the previous one.
 * @param rowLength samples per row
 * @param stride samples per pixel
 * @param width bytes of a sample, 4 or 8
 */
export function joinBytes(
  bytes: Uint8Array,
  rowLength: number,
  stride: number,
  width: 4 | 8,
): Uint8Array<ArrayBuffer> {
  if (stride === 1 && width === 4) return joinSingleFloats(bytes, rowLength);
  const words = new Uint32Array(Math.floor(bytes.length / 4));
  const perSample = width / 4;
  const rowBytes = rowLength * width;
  for (let start = 0; start + rowBytes <= bytes.length; start += rowBytes) {
    for (let at = start + stride; at < start + rowBytes; at += 1) {
      bytes[at] = (bytes[at] ?? 0) + (bytes[at - stride] ?? 0);
    }
    for (let word = 0; word < perSample; word += 1) {
      let from = start + word * 4 * rowLength;
      // The lower half of a 64-bit number comes first in memory.
      let to = start / 4 + perSample - 1 - word;
      for (let sample = 0; sample < rowLength; sample += 1, from += 1, to += perSample) {
        words[to] =
          ((bytes[from] ?? 0) << 24) |
          ((bytes[from + rowLength] ?? 0) << 16) |
          ((bytes[from + 2 * rowLength] ?? 0) << 8) |
          (bytes[from + 3 * rowLength] ?? 0);
      }
    }
  }
  return new Uint8Array(words.buffer);
}

/** Undoes predictor 3 for one band of 32-bit floats, more than twice as fast: it sums the four groups of bytes side by side. */
function joinSingleFloats(bytes: Uint8Array, rowLength: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.floor(bytes.length / 4));
  let word = 0;
  for (let start = 0; start + 4 * rowLength <= bytes.length; start += 4 * rowLength) {
    const [second, third, fourth] = [start + rowLength, start + 2 * rowLength, start + 3 * rowLength];
    // Sums continue from one group to the next.
    let sum = 0;
    let at = start;
    for (; at < second; at += 1) sum += bytes[at] ?? 0;
    let [a, b] = [0, sum];
    for (; at < third; at += 1) sum += bytes[at] ?? 0;
    let c = sum;
    for (; at < fourth; at += 1) sum += bytes[at] ?? 0;
    let d = sum;
    for (let i = 0; i < rowLength; i += 1, word += 1) {
      a += bytes[start + i] ?? 0;
      b += bytes[second + i] ?? 0;
      c += bytes[third + i] ?? 0;
      d += bytes[fourth + i] ?? 0;
      words[word] = ((a & 255) << 24) | ((b & 255) << 16) | ((c & 255) << 8) | (d & 255);
    }
  }
  return new Uint8Array(words.buffer);
}
