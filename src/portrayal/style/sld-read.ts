import type { ColourMap } from './colour-map.ts';
import { readColourMap } from './sld-colour-map.ts';
import { readRule, type Rule } from './sld-rule.ts';
import type { Undrawn } from './undrawn.ts';
import { childOf, descendantsOf, readXml, type Element } from './xml-tree.ts';

export interface RasterStyle {
  /** 0 to 1. */
  readonly opacity: number;
  readonly colours: ColourMap | undefined;
  /** One-based bands for red, green and blue. */
  readonly channels: readonly [number, number, number] | undefined;
  /** One-based band that the colours are for. */
  readonly band: number;
}

export interface LayerStyle {
  readonly title: string;
  readonly raster: RasterStyle | undefined;
  /** For vectors, in the order of drawing. */
  readonly rules: readonly Rule[];
  readonly undrawn: readonly Undrawn[];
}

/**
 * Reads what can be drawn of an SLD 1.0.0 or 1.1.0; undeclared prefixes are forgiven.
 * @throws Error when the text is not XML or its root is not StyledLayerDescriptor.
 */
export function readSld(xml: string): LayerStyle {
  const root = readXml(xml);
  if (root.name !== 'StyledLayerDescriptor') throw new Error(`the root is ${root.name}`);
  const [symbolizer] = descendantsOf(root, 'RasterSymbolizer');
  const rules = descendantsOf(root, 'Rule').map((rule) => readRule(rule));
  const [style] = descendantsOf(root, 'UserStyle');
  return {
    title: titleOf(style),
    raster: symbolizer === undefined ? undefined : readRaster(symbolizer),
    rules: rules.flatMap(({ rule }) => rule ?? []),
    undrawn: [...new Set([...rules.flatMap(({ undrawn }) => undrawn), ...undrawnOf(root)])],
  };
}

function readRaster(symbolizer: Element): RasterStyle {
  const colourMap = childOf(symbolizer, 'ColorMap');
  const selection = childOf(symbolizer, 'ChannelSelection');
  const channel = (name: string) =>
    Number(childOf(childOf(selection, name), 'SourceChannelName')?.text ?? Number.NaN);
  const [red, green, blue] = [channel('RedChannel'), channel('GreenChannel'), channel('BlueChannel')];
  const isRgb = [red, green, blue].every((band) => Number.isInteger(band) && band > 0);
  const grey = channel('GrayChannel');
  const opacity = Number(childOf(symbolizer, 'Opacity')?.text || '1');
  return {
    opacity: Number.isFinite(opacity) ? Math.min(1, Math.max(0, opacity)) : 1,
    colours: colourMap === undefined ? undefined : readColourMap(colourMap),
    channels: isRgb ? [red, green, blue] : undefined,
    band: Number.isInteger(grey) && grey > 0 ? grey : 1,
  };
}

function titleOf(style: Element | undefined): string {
  const described = childOf(style, 'Description');
  return childOf(style, 'Title')?.text ?? childOf(described, 'Title')?.text ?? '';
}

const signs: readonly (readonly [Undrawn, string])[] = [
  ['labels', 'TextSymbolizer'],
  ['hillshade', 'ShadedRelief'],
  ['contrast', 'ContrastEnhancement'],
  ['pictures', 'ExternalGraphic'],
  ['strokes_of_signs', 'GraphicStroke'],
];

function undrawnOf(root: Element): readonly Undrawn[] {
  return signs.filter(([, name]) => descendantsOf(root, name).length > 0).map(([part]) => part);
}
