import { type ColourMap, type Rgba, stretchedRamp } from '../style/colour-map.ts';
import type { Contrast } from '../style/sld-contrast.ts';
import type { RasterStyle } from '../style/sld-raster.ts';
import { coloursBeneath, type Curve, curveOf, greyCurveOf, greysOf } from './curves.ts';
import type { BandValues } from './raw-colours.ts';
import type { SampleType } from './samples.ts';
import type { Spread } from './stretch.ts';

/** A value each for red, green and blue. */
type ThreeOf<T> = readonly [T, T, T];

/** Colouring of a raster: one band by its values, or three by the shades of each. Bands are one-based. */
export type Paint =
  | {
      readonly kind: 'values';
      readonly band: number;
      /** For values in the unit of the band, or for raw samples, as in colour tables. */
      readonly colours: ColourMap;
      readonly isOfSamples?: true;
      readonly only?: number;
    }
  | {
      readonly kind: 'bands';
      /** 0 means no band: that colour is dark. */
      readonly bands: ThreeOf<number>;
      /** For values in the unit of each band; undefined if samples are shades already. */
      readonly curves: ThreeOf<Curve | undefined>;
    };

/** Facts about the bands and the own colours of a raster. */
export interface RasterFacts {
  readonly bands: number;
  readonly type: SampleType;
  /** Scale and offset by band. */
  readonly scales: readonly Omit<BandValues, 'type'>[];
  /** The bands of red, green and blue of a picture. */
  readonly colourBands: ThreeOf<number> | undefined;
  readonly palette: readonly Rgba[] | undefined;
}

/** Statistics by band number; absent if no value is valid. */
export type Spreads = ReadonlyMap<number, Spread>;

type RasterColours = Omit<RasterStyle, 'opacity' | 'scales'>;

/** Returns the conversion from samples to values of a band. @param band one-based. */
export function bandValuesOf(
  { type, scales }: Pick<RasterFacts, 'type' | 'scales'>,
  band: number,
): BandValues {
  return { type, ...(scales[band - 1] ?? { scale: 1, offset: 0 }) };
}

/** Returns the bands that a style names but the raster lacks, one-based. */
export function missingBands(
  { bands }: Pick<RasterFacts, 'bands'>,
  style: RasterColours | undefined,
): readonly number[] {
  const { colours, channels, grey, band = 1 } = style ?? {};
  const named = colours !== undefined || grey === true ? [band] : (channels ?? []);
  return named.filter((one) => one > bands);
}

/** Returns the bands whose statistics the colouring requires, one-based. */
export function surveyedBands(facts: RasterFacts, style: RasterColours | undefined): readonly number[] {
  const chosen = choose(facts, style);
  switch (chosen.kind) {
    case 'colours':
      return chosen.contrast === undefined ? [] : [chosen.band];
    case 'bands':
      return chosen.bands.filter((band, index) => band > 0 && needsSpread(chosen.contrasts[index], facts));
    case 'palette':
      return [];
    default:
      return [chosen.band];
  }
}

function needsSpread(contrast: Contrast | undefined, { type }: RasterFacts): boolean {
  const { method } = contrast ?? { method: 'plain' };
  return method === 'normalize' || method === 'histogram' || (method === 'plain' && !isShade(type));
}

/** Unsigned integers of 8 bits are shades already. */
const isShade = ({ format, bits }: SampleType): boolean => format === 1 && bits <= 8;

type Chosen =
  | {
      readonly kind: 'colours';
      readonly band: number;
      readonly colours: ColourMap;
      readonly contrast: Contrast | undefined;
    }
  | {
      readonly kind: 'bands';
      readonly bands: ThreeOf<number>;
      readonly contrasts: readonly (Contrast | undefined)[];
    }
  | { readonly kind: 'grey'; readonly band: number; readonly contrast: Contrast | undefined }
  | { readonly kind: 'palette'; readonly palette: readonly Rgba[] }
  | { readonly kind: 'ramp'; readonly band: number };

/** Chooses the style's colours, or its channels, or the file's own colours, or a default ramp. */
function choose({ colourBands, palette }: RasterFacts, style: RasterColours | undefined): Chosen {
  const { colours, channels, grey, band = 1, contrasts = [], contrast } = style ?? {};
  if (colours !== undefined)
    return { kind: 'colours', band, colours, contrast: grey === true ? contrasts[0] : undefined };
  if (grey === true) return { kind: 'grey', band, contrast: contrasts[0] ?? contrast };
  const three = channels ?? colourBands;
  if (three !== undefined)
    return { kind: 'bands', bands: three, contrasts: [0, 1, 2].map((index) => contrasts[index] ?? contrast) };
  if (palette !== undefined) return { kind: 'palette', palette };
  return contrast === undefined ? { kind: 'ramp', band: 1 } : { kind: 'grey', band: 1, contrast };
}

/** Colours of a band without values. */
const none: ColourMap = { kind: 'values', stops: [] };

/**
 * Returns the colouring of a raster: by its style, or its own colours, or a ramp from the 2nd to the 98th percentile,
 * which also stretches pictures with more than 8 bits. @param spreads of the bands in `surveyedBands`.
 */
export function paintOf(facts: RasterFacts, style: RasterColours | undefined, spreads: Spreads): Paint {
  const chosen = choose(facts, style);
  const factsOf = (band: number) => ({ spread: spreads.get(band), isShade: isShade(facts.type) });
  switch (chosen.kind) {
    case 'colours': {
      const { band, colours, contrast } = chosen;
      const beneath =
        contrast === undefined ? colours : coloursBeneath(colours, greyCurveOf(contrast, factsOf(band)));
      return { kind: 'values', band, colours: beneath };
    }
    case 'bands': {
      const { bands, contrasts } = chosen;
      const curve = (index: 0 | 1 | 2) => curveOf(contrasts[index], factsOf(bands[index]));
      return { kind: 'bands', bands, curves: [curve(0), curve(1), curve(2)] };
    }
    case 'grey': {
      const { band, contrast } = chosen;
      const colours = spreads.has(band) ? greysOf(greyCurveOf(contrast, factsOf(band))) : none;
      return { kind: 'values', band, colours };
    }
    case 'palette':
      return { kind: 'values', band: 1, colours: fromPalette(chosen.palette), isOfSamples: true };
    default: {
      const { band } = chosen;
      const { p2, p98 } = spreads.get(band) ?? {};
      const hasNone = p2 === undefined || p98 === undefined;
      return { kind: 'values', band, colours: hasNone ? none : stretchedRamp('cividis', p2, p98) };
    }
  }
}

function fromPalette(palette: readonly Rgba[]): ColourMap {
  return { kind: 'values', stops: palette.map((colour, value) => ({ value, colour, label: '' })) };
}

/** Returns the conversion from samples to the values that the colours are for. */
export function paintedValues(
  paint: Paint & { readonly kind: 'values' },
  facts: Pick<RasterFacts, 'type' | 'scales'>,
): BandValues {
  return paint.isOfSamples === true
    ? { type: facts.type, scale: 1, offset: 0 }
    : bandValuesOf(facts, paint.band);
}
