import type { ColourMap, ColourStop } from '../style/colour-map.ts';
import type { Contrast } from '../style/sld-contrast.ts';
import { type BandValues, sampleOf } from './raw-colours.ts';
import type { Spread } from './stretch.ts';

/** A value and its shade, 0 to 255. */
type Node = readonly [number, number];

/**
 * Shades of values: nodes in order of value, linear between nodes, constant beyond the ends. Two nodes of one value are
 * a step, which belongs to the second node, at the upper end to the first.
 */
export type Curve = readonly Node[];

const [darkest, lightest] = [0, 255];
/** Number of segments of a curved part. */
const bends = 32;

interface CurveFacts {
  readonly spread: Spread | undefined;
  /** True for samples of 8 bits, which are shades already. */
  readonly isShade: boolean;
}

/** Returns the shades of the values of a band; undefined if samples are shades already. */
export function curveOf(contrast: Contrast | undefined, facts: CurveFacts): Curve | undefined {
  const { method, gamma } = contrast ?? { method: 'plain' as const };
  const base = baseOf(contrast, method, facts);
  if (gamma === undefined) return base;
  return bent(
    base ?? [
      [darkest, darkest],
      [lightest, lightest],
    ],
    gamma,
  );
}

/** Returns the shades of a band that is drawn in greys: without a contrast of its own, it is stretched over all greys. */
export function greyCurveOf(contrast: Contrast | undefined, { spread, isShade }: CurveFacts): Curve {
  const isPlain = contrast === undefined || contrast.method === 'plain';
  return curveOf(contrast, { spread, isShade: isShade && !isPlain }) ?? line(darkest, lightest);
}

function baseOf(
  contrast: Contrast | undefined,
  method: Contrast['method'],
  { spread, isShade }: CurveFacts,
): Curve | undefined {
  const [from, to] = contrast?.range ?? [0, 1];
  switch (method) {
    case 'normalize':
      return line(spread?.least ?? 0, spread?.greatest ?? 1);
    case 'histogram':
      return equalized(spread?.quantiles ?? []);
    case 'stretch':
      return line(from, to);
    case 'clip':
      return isShade
        ? [
            [from, clamp(from)],
            [to, clamp(to)],
          ]
        : line(from, to);
    case 'clip_to_zero': {
      const low = isShade ? from : 0;
      const shadeOf = (value: number) =>
        isShade ? clamp(value) : clamp(((value - low) / (to - low)) * lightest);
      return [
        [from, darkest],
        [from, shadeOf(from)],
        [to, shadeOf(to)],
        [to, darkest],
      ];
    }
    default:
      return isShade ? undefined : stretched(spread);
  }
}

const clamp = (shade: number) => Math.min(lightest, Math.max(darkest, shade));

/** Stretches from the 2nd to the 98th percentile, or over all values if these are equal. */
function stretched(spread: Spread | undefined): Curve {
  const { p2 = 0, p98 = 1, least = p2, greatest = p98 } = spread ?? {};
  return p2 < p98 ? line(p2, p98) : least < greatest ? line(least, greatest) : [[p2, darkest]];
}

function line(from: number, to: number): Curve {
  return from <= to
    ? [
        [from, darkest],
        [to, lightest],
      ]
    : [
        [to, lightest],
        [from, darkest],
      ];
}

/** Assigns each part of the values the same number of shades. */
function equalized(quantiles: readonly number[]): Curve {
  const last = quantiles.length - 1;
  if (last < 1) return line(0, 1);
  const nodes = quantiles.map((value, index): Node => [value, (index / last) * lightest]);
  // The last of equal values counts: no further values are below it.
  return nodes.filter(([value], index) => value !== nodes[index + 1]?.[0]);
}

function bent(curve: Curve, gamma: number): Curve {
  const raised = (shade: number) => (shade / lightest) ** gamma * lightest;
  return curve.flatMap(([value, shade], index): Node[] => {
    const [next, nextShade] = curve[index + 1] ?? [value, shade];
    const parts = next > value && nextShade !== shade ? bends : 1;
    // Powers bend most at the dark end.
    const shareOf = (part: number) => (shade < nextShade ? (part / parts) ** 2 : 1 - (1 - part / parts) ** 2);
    return Array.from({ length: parts }, (_, part) => [
      value + (next - value) * shareOf(part),
      raised(shade + (nextShade - shade) * shareOf(part)),
    ]);
  });
}

/** Converts a curve from the values of a band to its samples. */
export function rawCurveOf(curve: Curve, band: BandValues): Curve {
  if (band.scale === 0) return [[0, shadeOf(curve, band.offset)]];
  const nodes = curve.map(([value, shade]): Node => [sampleOf(value, band), shade]);
  return band.scale < 0 ? nodes.toReversed() : nodes;
}

export function shadeOf(curve: Curve, value: number): number {
  const above = curve.findIndex(([at]) => at > value);
  const [low, high] = [curve[above - 1], curve[above]];
  if (high === undefined) {
    const [last, before] = [curve.at(-1), curve.at(-2)];
    return (value === last?.[0] && value === before?.[0] ? before[1] : last?.[1]) ?? darkest;
  }
  return low === undefined ? high[1] : low[1] + ((high[1] - low[1]) * (value - low[0])) / (high[0] - low[0]);
}

export function greysOf(curve: Curve): ColourMap {
  const stops = curve.map(([value, shade]): ColourStop => {
    const grey = Math.round(shade);
    return { value, colour: [grey, grey, grey, 255], label: '' };
  });
  return { kind: 'ramp', stops };
}

/**
 * Converts a colour map for contrast shades into one for the original values, as GeoServer draws it and QGIS writes it:
 * a stretch, then colours from 0 to 255.
 */
export function coloursBeneath(colours: ColourMap, curve: Curve): ColourMap {
  const stops = colours.stops.map((stop) => ({
    ...stop,
    value: valueBeneath(stop.value, curve, colours.kind),
  }));
  return {
    ...colours,
    stops: colours.kind === 'ramp' ? stops : stops.filter(({ value }) => value !== -Infinity),
  };
}

/** Returns the value of a shade. Beyond the existing shades, an interval is unbounded, and a ramp is extrapolated. */
function valueBeneath(shade: number, curve: Curve, kind: ColourMap['kind']): number {
  if (!Number.isFinite(shade)) return shade;
  const [first, last] = [curve[0], curve.at(-1)];
  if (first === undefined || last === undefined) return shade;
  if (kind === 'intervals' && shade <= first[1]) return -Infinity;
  if (kind === 'intervals' && shade > last[1]) return Infinity;
  const above = curve.findIndex(([, at]) => at >= shade);
  const end = Math.min(curve.length - 1, Math.max(1, above === -1 ? curve.length - 1 : above));
  const [low, high] = [curve[end - 1] ?? first, curve[end] ?? last];
  if (high[1] === low[1]) return high[0];
  return low[0] + ((high[0] - low[0]) * (shade - low[1])) / (high[1] - low[1]);
}
