import { packed } from './colouring.ts';
import { type Curve, shadeOf } from './curves.ts';
import type { SampleType } from './samples.ts';

/** Meaning of three bands, with the shades of each. */
export interface ThreeBands {
  readonly meaning: 'rgb' | 'ycbcr';
  /** By sample; undefined if samples are shades already. */
  readonly curves: readonly (Curve | undefined)[];
  /** The opaque sample of the band of opacity. */
  readonly opaque: number;
}

/** Returns the opaque sample of a band of opacity; for floats, any value above 0 is opaque. */
export function opaqueSample({ format, bits }: SampleType): number {
  return format === 3 ? Number.MIN_VALUE : 2 ** (format === 2 ? bits - 1 : bits) - 1;
}

/**
 * Colours three bands, and a fourth with the opacity; a pixel that is NaN in all bands is transparent, a single band
 * without a value is dark.
 */
export type BandColouring = (
  bands: readonly (Float64Array | undefined)[],
  opacity: Float64Array | undefined,
  pixels: Uint32Array,
) => void;

export function bandColouringOf({ meaning, curves, opaque }: ThreeBands): BandColouring {
  const [red, green, blue] = [0, 1, 2].map((index) => shadingOf(curves[index]));
  const isRgb = meaning === 'rgb';
  return (bands, opacity, pixels) => {
    const [first, second, third] = bands;
    for (let at = 0; at < pixels.length; at += 1) {
      const [a, b, c] = [first?.[at] ?? Number.NaN, second?.[at] ?? Number.NaN, third?.[at] ?? Number.NaN];
      const alpha = opacity === undefined ? 255 : byte(((opacity[at] ?? 0) / opaque) * 255);
      if ((a !== a && b !== b && c !== c) || alpha === 0) {
        pixels[at] = 0;
        continue;
      }
      const [x, y, z] = [shade(red, a), shade(green, b), shade(blue, c)];
      pixels[at] = isRgb
        ? packed(byte(x), byte(y), byte(z), alpha)
        : packed(
            byte(x + 1.402 * (z - 128)),
            byte(x - 0.344136 * (y - 128) - 0.714136 * (z - 128)),
            byte(x + 1.772 * (y - 128)),
            alpha,
          );
    }
  };
}

/** Rounds to 0 to 255; NaN becomes 0. */
const byte = (value: number): number => (value >= 254.5 ? 255 : value > 0 ? Math.round(value) : 0);

/** Shades of samples: linear, or a table with values for samples below and above it. */
interface Shading {
  readonly from: number;
  readonly factor: number;
  readonly list: Float64Array | undefined;
}

const asItIs: Shading = { from: 0, factor: 1, list: undefined };
/** Size of the table; integer samples of at most 16 bits have one entry each. */
const steps = 4_096;
const maxSteps = 65_536;

function shadingOf(curve: Curve | undefined): Shading {
  const [[from, first] = [0, 0], [next, second] = [0, 0]] = curve ?? [];
  const [to] = curve?.at(-1) ?? [0];
  if (curve === undefined) return asItIs;
  if (curve.length === 2 && first === 0 && second === 255 && next > from)
    return { from, factor: 255 / (next - from), list: undefined };
  const span = to - from;
  const count = Number.isInteger(span) && span <= maxSteps ? span : steps;
  const factor = span === 0 ? 0 : count / span;
  const list = Float64Array.from({ length: count + 3 }, (_, index) => {
    if (index === 0) return first;
    if (index === count + 2) return curve.at(-1)?.[1] ?? 0;
    return shadeOf(curve, count === 0 ? from : from + ((index - 1) * span) / count);
  });
  return { from, factor, list };
}

/** Returns the shade of a sample; linear shades extrapolate. NaN becomes 0. */
function shade({ from, factor, list }: Shading = asItIs, sample: number): number {
  const at = (sample - from) * factor;
  if (list === undefined || at !== at) return at === at ? at : 0;
  const last = list.length - 1;
  const step = sample < from ? 0 : Math.round(at) + 1;
  return (step >= last - 1 ? (at > last - 2 ? list[last] : list[last - 1]) : list[step]) ?? 0;
}
