import { type ColourMap, type ColourStop, mix, type Rgba } from '../style/colour-map.ts';
import type { SampleType } from './samples.ts';

/** Conversion from samples to values: value = sample × scale + offset. */
export interface BandValues {
  readonly type: SampleType;
  readonly scale: number;
  readonly offset: number;
}

/** Returns the value of a sample in the unit of its band. */
export function valueOfSample(sample: number, { scale, offset }: Omit<BandValues, 'type'>): number {
  return scale === 1 && offset === 0 ? sample : sample * scale + offset;
}

/** Relative tolerance for rounding to an integer sample: 0.3 / 0.0001 is 2999.9999999999995. */
const closeness = 1e-9;

/** Returns the sample of a quantity in a style, rounded to the type of the samples, as the pixels have been. */
export function sampleOf(quantity: number, { type, scale, offset }: BandValues): number {
  const isScaled = scale !== 1 || offset !== 0;
  // Avoids -0.
  const sample = isScaled ? (quantity - offset) / scale + 0 : quantity;
  if (type.format === 3) {
    const rounded = type.bits > 32 ? sample : Math.fround(sample);
    return Number.isFinite(rounded) ? rounded : sample;
  }
  const whole = Math.round(sample);
  return isScaled && Math.abs(sample - whole) <= closeness * Math.max(1, Math.abs(sample)) ? whole : sample;
}

/** Returns the index of the stop that colours a value; -1 for none, and for a ramp. */
export function stopIndexOf({ kind, upTo, stops }: ColourMap, value: number, band: BandValues): number {
  const sample = sampleOf(value, band);
  const isBelow = (bound: number) => (band.scale < 0 ? sample > bound : sample < bound);
  return stops.findIndex((stop) => {
    const bound = sampleOf(stop.value, band);
    return kind === 'values'
      ? sample === bound
      : kind === 'intervals' && (isBelow(bound) || (upTo === true && sample === bound));
  });
}

const transparent: Rgba = [0, 0, 0, 0];

/** Keeps the colour of one class of a map, and makes all others transparent. */
export function onlyClass(colours: ColourMap, only: number | undefined): ColourMap {
  if (only === undefined || colours.kind === 'ramp') return colours;
  const stops = colours.stops.map((stop, index) =>
    index === only ? stop : { ...stop, colour: transparent },
  );
  return { ...colours, stops };
}

/**
 * Converts a colour map from the values of a band to its samples, so that colouring requires no arithmetic per pixel.
 * Intervals get exclusive bounds, and steps of a ramp keep their side.
 */
export function rawColoursOf(colours: ColourMap, band: BandValues): ColourMap {
  // With a scale of 0, all samples have the same value.
  if (band.scale === 0) return everywhere(colourAt(colours, band.offset));
  const stops = colours.stops.map((stop) => ({ ...stop, value: sampleOf(stop.value, band) }));
  const isTurned = band.scale < 0;
  switch (colours.kind) {
    case 'values':
      return { kind: 'values', stops };
    case 'intervals':
      return {
        kind: 'intervals',
        stops: intervalsOf(stops, { isTurned, upTo: colours.upTo === true, band }),
      };
    default:
      return { kind: 'ramp', stops: withUpperStep(isTurned ? stops.toReversed() : stops, band.type) };
  }
}

function intervalsOf(
  stops: readonly ColourStop[],
  {
    isTurned,
    upTo,
    band: { type },
  }: { readonly isTurned: boolean; readonly upTo: boolean; readonly band: BandValues },
): readonly ColourStop[] {
  const above = (stop: ColourStop) => ({ ...stop, value: nextAbove(stop.value, type) });
  if (!isTurned) return upTo ? stops.map(above) : stops;
  // A negative scale reverses the order: each class ends where the previous one began.
  const bounds = stops.map((stop) => (upTo ? stop : above(stop)).value);
  const beyond = { value: bounds.at(-1) ?? Infinity, colour: transparent, label: '' };
  const turned = stops.map((stop, index) => ({ ...stop, value: bounds[index - 1] ?? Infinity }));
  return [beyond, ...turned.toReversed()];
}

/** A step at the upper end of a ramp begins above its value. */
function withUpperStep(stops: readonly ColourStop[], type: SampleType): readonly ColourStop[] {
  const last = stops.at(-1);
  const isStep = last !== undefined && stops.length > 2 && stops.at(-2)?.value === last.value;
  return isStep ? [...stops.slice(0, -1), { ...last, value: nextAbove(last.value, type) }] : stops;
}

/** Returns the next greater number of a type; for integers, a number between the two. */
function nextAbove(value: number, { format, bits }: SampleType): number {
  if (!Number.isFinite(value)) return value;
  if (format === 3 && bits <= 32) {
    const number = Float32Array.of(value);
    const bitsOf = new Int32Array(number.buffer);
    bitsOf[0] = value === 0 ? 1 : (bitsOf[0] ?? 0) + (value > 0 ? 1 : -1);
    return number[0] ?? value;
  }
  if (value === 0) return Number.MIN_VALUE;
  const number = Float64Array.of(value);
  const bitsOf = new BigInt64Array(number.buffer);
  bitsOf[0] = (bitsOf[0] ?? 0n) + (value > 0 ? 1n : -1n);
  return number[0] ?? value;
}

const everywhere = (colour: Rgba): ColourMap => ({
  kind: 'intervals',
  stops: [{ value: Infinity, colour, label: '' }],
});

/** Returns the colour of a value; transparent if it has none. */
export function colourAt(colours: ColourMap, value: number): Rgba {
  const { kind, stops } = colours;
  if (Number.isNaN(value)) return transparent;
  if (kind !== 'ramp') {
    const band = { type: { format: 3, bits: 64 }, scale: 1, offset: 0 };
    return stops[stopIndexOf(colours, value, band)]?.colour ?? transparent;
  }
  const above = stops.findIndex((stop) => stop.value > value);
  const [low, high] = [stops[above - 1], stops[above]];
  if (high === undefined) return stops.at(-1)?.colour ?? transparent;
  return low === undefined
    ? high.colour
    : mix(low.colour, high.colour, (value - low.value) / (high.value - low.value));
}
