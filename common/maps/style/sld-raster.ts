import type { ColourMap } from './colour-map.ts';
import { type Contrast, readContrast } from './sld-contrast.ts';
import { readColourMap } from './sld-colour-map.ts';
import { literalOf, numberOf } from './sld-literal.ts';
import { readScales, type RuleElement, type Scales } from './sld-rule.ts';
import type { Note } from './undrawn.ts';
import { childOf, type Element } from './xml-tree.ts';

export interface RasterStyle {
  /** 0 to 1. */
  readonly opacity: number;
  readonly colours: ColourMap | undefined;
  /** One-based bands for red, green and blue; 0 means no band, which is dark. */
  readonly channels: readonly [number, number, number] | undefined;
  /** One-based band of the colours. */
  readonly band: number;
  /** True if that band is selected explicitly: without colours it is drawn in greys. */
  readonly grey?: true;
  /** Contrasts of red, green and blue, or of the one band. */
  readonly contrasts?: readonly (Contrast | undefined)[];
  /** For all channels without one of their own. */
  readonly contrast?: Contrast;
  readonly scales: Scales;
}

const maxRasters = 8;

/** Parses raster symbolizers, in the order of the file; if several apply at a scale, the first is drawn. */
export function readRasters(
  rules: readonly RuleElement[],
  note: Note,
  isOfQgis: boolean,
): readonly RasterStyle[] {
  const rasters = rules.flatMap(({ element, note: own }) => {
    const scales = readScales(element, own);
    return element.children.flatMap((child) =>
      child.name === 'RasterSymbolizer' ? { child, scales, own } : [],
    );
  });
  const hasOthers = rasters.some(({ scales: [from, to] }, index) =>
    rasters.slice(0, Math.min(index, maxRasters)).some(({ scales }) => from < scales[1] && scales[0] < to),
  );
  if (hasOthers || rasters.length > maxRasters) note('other_rasters');
  return rasters
    .slice(0, maxRasters)
    .map(({ child, scales, own }) => readRaster(child, { scales, isOfQgis }, own));
}

function readRaster(
  symbolizer: Element,
  { scales, isOfQgis }: { readonly scales: Scales; readonly isOfQgis: boolean },
  note: Note,
): RasterStyle {
  const colourMap = childOf(symbolizer, 'ColorMap');
  const colours = colourMap === undefined ? undefined : readColourMap(colourMap, note, isOfQgis);
  const selected = readChannels(childOf(symbolizer, 'ChannelSelection'), colours !== undefined, note);
  const contrast = readContrast(childOf(symbolizer, 'ContrastEnhancement'), note);
  // A contrast on top of a colour map is not drawn.
  if (contrast !== undefined && colours !== undefined) note('contrast');
  return {
    opacity: numberOf(literalOf(childOf(symbolizer, 'Opacity'), note), share, note),
    colours,
    ...selected,
    ...(contrast === undefined || colours !== undefined ? {} : { contrast }),
    scales,
  };
}

const share = { otherwise: 1, least: 0, greatest: 1 };

type Channels = Pick<RasterStyle, 'channels' | 'band' | 'grey' | 'contrasts'>;

function readChannels(selection: Element | undefined, hasColours: boolean, note: Note): Channels {
  const three = (['RedChannel', 'GreenChannel', 'BlueChannel'] as const).map((name) =>
    childOf(selection, name),
  );
  const grey = readChannel(childOf(selection, 'GrayChannel'), note);
  if (grey !== undefined) {
    const contrast = readContrast(childOf(childOf(selection, 'GrayChannel'), 'ContrastEnhancement'), note);
    const applied = hasColours ? beneathColours(contrast, note) : contrast;
    return {
      channels: undefined,
      band: grey,
      grey: true,
      ...(applied === undefined ? {} : { contrasts: [applied] }),
    };
  }
  const bands = three.map((channel) => (channel === undefined ? 0 : readChannel(channel, note)));
  const [red, green, blue] = bands;
  const none = { channels: undefined, band: 1 };
  if (!three.some((channel) => channel !== undefined)) return none;
  if (red === undefined || green === undefined || blue === undefined) return none;
  // A colour map uses one band.
  if (hasColours) note('channels');
  const contrasts = three.map((channel) => readContrast(childOf(channel, 'ContrastEnhancement'), note));
  const hasContrast = !hasColours && contrasts.some((contrast) => contrast !== undefined);
  return {
    channels: [red, green, blue],
    band: 1,
    ...(hasContrast ? { contrasts } : {}),
  };
}

/** Returns the contrast whose shades a colour map can use; clipping alone does not change the colours of such a map. */
function beneathColours(contrast: Contrast | undefined, note: Note): Contrast | undefined {
  if (contrast === undefined || (contrast.method === 'clip' && contrast.gamma === undefined))
    return undefined;
  if (contrast.method !== 'plain' && !contrast.method.startsWith('clip')) return contrast;
  note('contrast');
  return undefined;
}

/** Returns the number of a band; bands with names are not supported. */
function readChannel(channel: Element | undefined, note: Note): number | undefined {
  if (channel === undefined) return undefined;
  const band = Number(literalOf(childOf(channel, 'SourceChannelName'), note) ?? Number.NaN);
  if (Number.isSafeInteger(band) && band > 0) return band;
  note('channels');
  return undefined;
}
