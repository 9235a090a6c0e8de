import type { ColourMap } from './colour-map.ts';
import { readColourMap } from './sld-colour-map.ts';
import { literalOf, numberOf } from './sld-literal.ts';
import { readScales, type RuleElement, type Scales } from './sld-rule.ts';
import type { Note } from './undrawn.ts';
import { childOf, type Element } from './xml-tree.ts';

export interface RasterStyle {
  /** 0 to 1. */
  readonly opacity: number;
  readonly colours: ColourMap | undefined;
  /** One-based bands for red, green and blue. */
  readonly channels: readonly [number, number, number] | undefined;
  /** One-based band that the colours are for. */
  readonly band: number;
  readonly scales: Scales;
}

const maxRasters = 8;

/** Reads the symbolizers of rasters, in the order of the file; of those that meet at a scale the first is drawn. */
export function readRasters(rules: readonly RuleElement[], note: Note): readonly RasterStyle[] {
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
  return rasters.slice(0, maxRasters).map(({ child, scales, own }) => readRaster(child, scales, own));
}

function readRaster(symbolizer: Element, scales: Scales, note: Note): RasterStyle {
  const colourMap = childOf(symbolizer, 'ColorMap');
  const selection = childOf(symbolizer, 'ChannelSelection');
  const share = { otherwise: 1, least: 0, greatest: 1 };
  const channel = (name: string) => readChannel(childOf(selection, name), note);
  const [red, green, blue] = [channel('RedChannel'), channel('GreenChannel'), channel('BlueChannel')];
  const isRgb = red !== undefined && green !== undefined && blue !== undefined;
  if (!isRgb && [red, green, blue].some((band) => band !== undefined)) note('channels');
  return {
    opacity: numberOf(literalOf(childOf(symbolizer, 'Opacity'), note), share, note),
    colours: colourMap === undefined ? undefined : readColourMap(colourMap, note),
    channels: isRgb ? [red, green, blue] : undefined,
    band: channel('GrayChannel') ?? 1,
    scales,
  };
}

/** The number of a band; bands that are called by a name are not found. */
function readChannel(channel: Element | undefined, note: Note): number | undefined {
  if (channel === undefined) return undefined;
  const band = Number(literalOf(childOf(channel, 'SourceChannelName'), note) ?? Number.NaN);
  if (Number.isSafeInteger(band) && band > 0) return band;
  note('channels');
  return undefined;
}
