import type { RasterPixels } from '../../geo/raster-reader.ts';
import { type Band, type ClassBand, type FloatBand, floatNoData } from '../model/bands.ts';

export const pixelState = { missing: 0, valid: 1, invalid: 2 } as const;

/** Pixels of a source as its band takes them: rounded to float32, each with its state. */
export interface CleanPixels {
  readonly values: Float64Array;
  readonly states: Uint8Array;
}

/** Rounds pixels in place and classifies them: missing without a value or NaN, invalid out of range or of no class. */
export function cleanPixels(pixels: RasterPixels, band: Band): CleanPixels {
  return band.type === 'float32' ? cleanFloats(pixels, band) : cleanClasses(pixels, band);
}

function cleanFloats({ values, mask }: RasterPixels, band: FloatBand): CleanPixels {
  const [min, max] = band.range ?? [-Infinity, Infinity];
  const states = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const value = Math.fround(values[i] ?? 0);
    values[i] = value;
    if (mask?.[i] === 0 || Number.isNaN(value)) continue;
    states[i] = isNumberWithin(value, min, max) ? pixelState.valid : pixelState.invalid;
  }
  return { values, states };
}

function cleanClasses({ values, mask }: RasterPixels, band: ClassBand): CleanPixels {
  const isClass = classesOf(band);
  const states = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const value = Math.fround(values[i] ?? 0);
    values[i] = value;
    if (mask?.[i] === 0 || Number.isNaN(value)) continue;
    states[i] = isKnownClass(value, isClass) ? pixelState.valid : pixelState.invalid;
  }
  return { values, states };
}

/** Pixels of a source from one on, and the place of the first of them on the grid. */
interface PixelRun {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Counts of the pixels of a run. */
interface Seen {
  readonly valid: number;
  readonly invalid: number;
}

/** Makes a function that copies the valid ones of a run of pixels, as `cleanPixels` finds them, in one pass. */
export function takerFor(
  pixels: RasterPixels,
  band: Band,
  out: Float32Array | Uint8Array,
): (run: PixelRun) => Seen {
  if (band.type === 'float32') return (run) => takeFloats(pixels, band, out, run);
  const isClass = classesOf(band);
  return (run) => takeClasses(pixels, isClass, out, run);
}

function takeFloats(
  { values, mask }: RasterPixels,
  { range }: FloatBand,
  out: Float32Array | Uint8Array,
  { from, to, length }: PixelRun,
): Seen {
  const [min, max] = range ?? [-Infinity, Infinity];
  let [valid, missing] = [0, 0];
  for (let i = 0; i < length; i += 1) {
    const value = Math.fround(values[from + i] ?? 0);
    if (mask?.[from + i] === 0 || Number.isNaN(value)) missing += 1;
    else if (isNumberWithin(value, min, max)) {
      out[to + i] = value;
      valid += 1;
    }
  }
  return { valid, invalid: length - valid - missing };
}

function takeClasses(
  { values, mask }: RasterPixels,
  isClass: Uint8Array,
  out: Float32Array | Uint8Array,
  { from, to, length }: PixelRun,
): Seen {
  let [valid, missing] = [0, 0];
  for (let i = 0; i < length; i += 1) {
    const value = Math.fround(values[from + i] ?? 0);
    if (mask?.[from + i] === 0 || Number.isNaN(value)) missing += 1;
    else if (isKnownClass(value, isClass)) {
      out[to + i] = value;
      valid += 1;
    }
  }
  return { valid, invalid: length - valid - missing };
}

function isNumberWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max && Number.isFinite(value) && value !== floatNoData;
}

/** A class fits into a byte and is whole. */
function isKnownClass(value: number, isClass: Uint8Array): boolean {
  const code = value & 0xff;
  return code === value && isClass[code] === 1;
}

function classesOf({ classes }: ClassBand): Uint8Array {
  const isClass = new Uint8Array(256);
  for (const known of classes) isClass[known] = 1;
  return isClass;
}
