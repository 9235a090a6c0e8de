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
    const isValid = value >= min && value <= max && Number.isFinite(value) && value !== floatNoData;
    states[i] = isValid ? pixelState.valid : pixelState.invalid;
  }
  return { values, states };
}

function cleanClasses({ values, mask }: RasterPixels, band: ClassBand): CleanPixels {
  const isClass = new Uint8Array(256);
  for (const known of band.classes) isClass[known] = 1;
  const states = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    const value = Math.fround(values[i] ?? 0);
    values[i] = value;
    if (mask?.[i] === 0 || Number.isNaN(value)) continue;
    // A class fits into a byte and is whole.
    const code = value & 0xff;
    states[i] = code === value && isClass[code] === 1 ? pixelState.valid : pixelState.invalid;
  }
  return { values, states };
}
