import type { RasterPixels } from '../../geo/raster-reader.ts';
import { type Band, floatNoData } from '../model/bands.ts';

export const pixelState = { missing: 0, valid: 1, invalid: 2 } as const;

/** Pixels of a source in the type of its band: rounded to float32, each with its state. */
export interface CleanPixels {
  readonly values: Float64Array;
  readonly states: Uint8Array;
}

/** Rounds pixels in place and classifies them: missing (masked or NaN), or invalid (out of range or an unknown class). */
export function cleanPixels({ values, mask }: RasterPixels, band: Band): CleanPixels {
  const domain = domainOf(band);
  const states = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const value = Math.fround(values[i] ?? 0);
    values[i] = value;
    if (mask?.[i] === 0 || Number.isNaN(value)) continue;
    states[i] = isIn(domain, value) ? pixelState.valid : pixelState.invalid;
  }
  return { values, states };
}

/** A run of consecutive pixels of a source, and the position of the first one on the grid. */
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

/** Creates a function that copies the valid pixels of a run, classified as by `cleanPixels`, in one pass. */
export function takerFor(
  { values, mask }: RasterPixels,
  band: Band,
  out: Float32Array | Uint8Array,
): (run: PixelRun) => Seen {
  const domain = domainOf(band);
  if (band.type === 'float32' && band.range === undefined && out instanceof Float32Array)
    return (run) => takeNumbers(values, mask, out, run);
  return ({ from, to, length }) => {
    let [valid, missing] = [0, 0];
    for (let i = 0; i < length; i += 1) {
      const value = Math.fround(values[from + i] ?? 0);
      if (mask?.[from + i] === 0 || Number.isNaN(value)) missing += 1;
      else if (isIn(domain, value)) {
        out[to + i] = value;
        valid += 1;
      }
    }
    return { valid, invalid: length - valid - missing };
  };
}

/** Copies numbers of any size. */
function takeNumbers(
  values: Float64Array,
  mask: Uint8Array | undefined,
  out: Float32Array,
  { from, to, length }: PixelRun,
): Seen {
  let [valid, missing] = [0, 0];
  for (let i = 0; i < length; i += 1) {
    const value = Math.fround(values[from + i] ?? 0);
    if (Number.isNaN(value) || (mask !== undefined && mask[from + i] === 0)) missing += 1;
    else if (value - value === 0 && value !== floatNoData) {
      out[to + i] = value;
      valid += 1;
    }
  }
  return { valid, invalid: length - valid - missing };
}

/** The valid values of a band. */
interface Domain {
  readonly min: number;
  readonly max: number;
  /** 1 for each class; undefined for a band of numbers. */
  readonly isClass: Uint8Array | undefined;
}

function domainOf(band: Band): Domain {
  if (band.type === 'float32') {
    const [min, max] = band.range ?? [-Infinity, Infinity];
    return { min, max, isClass: undefined };
  }
  const isClass = new Uint8Array(256);
  for (const known of band.classes) isClass[known] = 1;
  return { min: 0, max: 0xff, isClass };
}

/** Returns whether a value is valid; a class must be a whole number in a byte. */
function isIn({ min, max, isClass }: Domain, value: number): boolean {
  if (!(value >= min && value <= max)) return false;
  if (isClass === undefined) return Number.isFinite(value) && value !== floatNoData;
  const code = value & 0xff;
  return code === value && isClass[code] === 1;
}
