import type { Random } from './random.ts';

export const formats = ['tiff', 'geopackage', 'zip', 'geojson', 'sld'] as const;
export type Format = (typeof formats)[number];

export interface Means {
  readonly random: Random;
  /** Another original of the same format, for splicing. */
  readonly other: Buffer;
}

/** Mutates bytes, which it may overwrite; undefined where they do not contain what it changes. */
export type Mutation = (bytes: Buffer, means: Means) => Buffer | undefined;

/** Place of a number in a file, and its size in bytes. */
export interface NumberPlace {
  readonly at: number;
  readonly size: 1 | 2 | 4 | 8;
}

/** Places of numbers of one size. */
export const numbersOf = (size: NumberPlace['size'], ...places: readonly number[]): readonly NumberPlace[] =>
  places.map((at) => ({ at, size }));

const edges = [0, 1, 7, 8, 15, 16, 31, 32, 53, 62, 63, 64].flatMap((power) => {
  const edge = 2n ** BigInt(power);
  return [edge - 1n, edge, edge + 1n, -edge];
});

/** A number at the limit of an integer type, or near `before`. */
export function oddNumber(before: bigint, random: Random): bigint {
  if (random.chance(0.25)) return random.pick([before + 1n, before - 1n, before * 2n, before / 2n, -before]);
  return random.pick(edges);
}

export function readNumber(bytes: Buffer, { at, size }: NumberPlace, littleEndian: boolean): bigint {
  let value = 0n;
  for (let i = 0; i < size; i += 1) {
    value = value * 256n + BigInt(bytes[littleEndian ? at + size - 1 - i : at + i] ?? 0);
  }
  return value;
}

/** Writes the low bytes of `value` and returns `bytes`; ignores what lies beyond the end of the file. */
export function writeNumber(
  bytes: Buffer,
  { at, size }: NumberPlace,
  littleEndian: boolean,
  value: bigint,
): Buffer {
  let rest = BigInt.asUintN(size * 8, value);
  for (let i = 0; i < size; i += 1) {
    const place = littleEndian ? at + i : at + size - 1 - i;
    if (place < bytes.length) bytes[place] = Number(rest % 256n);
    rest /= 256n;
  }
  return bytes;
}

/** Replaces a number with an odd one. */
export function makeOdd(bytes: Buffer, place: NumberPlace, littleEndian: boolean, random: Random): Buffer {
  return writeNumber(bytes, place, littleEndian, oddNumber(readNumber(bytes, place, littleEndian), random));
}

/** Unexpected texts in names, values and files. */
const oddTexts = [
  ['', ' ', '.', '..', '../../x.shp', '__proto__', 'constructor', 'NaN', 'null'],
  ["'; drop table datasets; --", '"', '\\', '\u0000', '\u202e\u2066', '😀', 'Ұ́Қ', '\ufeff'],
  ['%s%n%s', '${7*7}', '<script>alert(1)</script>', '/vsimem/x.tif', 'x'.repeat(300), 'я'.repeat(20_000)],
].flat();

export const oddText = (random: Random): string => random.pick(oddTexts);
