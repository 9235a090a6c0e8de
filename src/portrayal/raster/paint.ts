import type { ColourMap, Rgba } from '../style/colour-map.ts';
import type { LegendModel } from '../legend/model.ts';
import { stretchedRamp } from '../style/ramps.ts';
import type { RasterStyle } from '../style/sld-raster.ts';
import type { Spread } from './stretch.ts';

/** How a raster is coloured: one band by its values, or three as they are. Bands count from one. */
export type Paint =
  | { readonly kind: 'values'; readonly band: number; readonly colours: ColourMap; readonly only?: number }
  | { readonly kind: 'bands'; readonly bands: readonly [number, number, number] };

/** What a raster says about its own colours. */
export interface RasterFacts {
  readonly bands: number;
  readonly meaning: 'rgb' | 'values';
  readonly palette: readonly Rgba[] | undefined;
  /** Statistics of the first band; undefined when no value is valid, and for colours. */
  readonly spread: Spread | undefined;
}

type RasterColours = Pick<RasterStyle, 'colours' | 'channels' | 'band'>;

/** The style's colours, else the file's own, else a ramp from the 2nd to the 98th percentile. */
export function paintOf(
  { meaning, palette, spread, bands }: RasterFacts,
  style: RasterColours | undefined,
): Paint {
  const { colours, channels, band = 1 } = style ?? {};
  if (colours !== undefined) return { kind: 'values', band: Math.min(band, bands), colours };
  if (channels !== undefined && Math.max(...channels) <= bands && meaning === 'rgb') {
    return { kind: 'bands', bands: channels };
  }
  if (meaning === 'rgb') return { kind: 'bands', bands: [1, 2, 3] };
  if (palette !== undefined) return { kind: 'values', band: 1, colours: fromPalette(palette) };
  const { p2 = 0, p98 = 1 } = spread ?? {};
  return { kind: 'values', band: 1, colours: stretchedRamp('cividis', p2, p98) };
}

function fromPalette(palette: readonly Rgba[]): ColourMap {
  return { kind: 'values', stops: palette.map((colour, value) => ({ value, colour, label: '' })) };
}

/**
 * Describes what the colours of a raster mean; classes have the index of their stop.
 * @param present the values that the raster has, where they are few; others without a label are hidden
 */
export function legendOf(paint: Paint, present: readonly number[] | undefined): LegendModel {
  if (paint.kind === 'bands') return { kind: 'colours' };
  const { kind, stops } = paint.colours;
  if (kind === 'ramp') {
    // A stop for no data, which is transparent, may lie far from the values.
    const seen = stops.filter(({ colour }) => colour[3] > 0);
    return { kind: 'ramp', stops: seen.map(({ value, colour }) => ({ value, colour })) };
  }
  const known = kind === 'values' && present !== undefined ? new Set(present) : undefined;
  const entries = stops.map(({ value, colour, label }, index) => {
    const from = kind === 'values' ? value : (stops[index - 1]?.value ?? -Infinity);
    const range = { from, to: value };
    const named =
      label === ''
        ? { label: { kind: 'range', ...range } as const }
        : { label: { kind: 'text', text: label } as const, range };
    // Transparent classes are no part of the picture, nor are colours of a table that no pixel has.
    const isShown = colour[3] > 0 && (label !== '' || known === undefined || known.has(value));
    return { colour, ...named, sign: 'area' as const, isHidden: !isShown };
  });
  return { kind: 'classes', entries };
}
