import { cssOf, parseCss, type ColourMap } from './colour-map.ts';
import type { Contrast } from './sld-contrast.ts';
import type { FilterExpression } from './filter-expression.ts';
import type { RasterStyle } from './sld-raster.ts';
import type { ReadRule, Scales } from './sld-rule.ts';
import type { Sign } from './sld-sign.ts';
import type { Undrawn, UndrawnRules } from './undrawn.ts';

/** Raised when the same SLD is compiled to something else, so that what is stored is compiled again. */
const version = 2;

/** `null` means no upper end: JSON has no infinity. */
type CompiledScales = readonly [number, number | null];
/** A value, a colour as CSS writes it, and a label where there is one; `null` is infinite. */
export type CompiledStop = readonly [number | null, string] | readonly [number | null, string, string];

export interface CompiledRaster {
  readonly opacity: number;
  readonly band: number;
  readonly channels?: readonly [number, number, number];
  readonly grey?: true;
  /** `null` is none. */
  readonly contrasts?: readonly (Contrast | null)[];
  readonly contrast?: Contrast;
  readonly colours?: CompiledColours;
  /** Absent at all scales. */
  readonly scales?: CompiledScales;
}

export interface CompiledColours {
  readonly kind: ColourMap['kind'];
  readonly upTo?: true;
  readonly stops: readonly CompiledStop[];
}

interface CompiledSign {
  readonly kind: Sign['kind'];
  readonly fill?: string;
  readonly stroke?: { readonly colour: string; readonly width: number; readonly dashes?: readonly number[] };
  readonly size?: number;
  readonly shape?: string;
}

export interface CompiledRule {
  readonly title: string;
  /** Absent when the rule is for everything. */
  readonly filter?: FilterExpression | 'else';
  readonly scales?: CompiledScales;
  readonly signs: readonly CompiledSign[];
  /** The number of the FeatureTypeStyle that it is in; absent of the first. */
  readonly layer?: number;
  /** Its place among all rules of the style, from 1. */
  readonly number: number;
}

/** What can be drawn of an SLD as plain JSON, at most `maxCompiledBytes` of it. */
export interface CompiledStyle {
  readonly version: typeof version;
  readonly title: string;
  /** What legends show. */
  readonly raster?: CompiledRaster;
  /** Others, which are drawn at scales of their own. */
  readonly rastersAtScales?: readonly CompiledRaster[];
  /** For vectors, in the order of drawing. */
  readonly rules: readonly CompiledRule[];
  /** What is kept in the file and not drawn. */
  readonly leftOut: readonly Undrawn[];
  /** The rules in which that is. */
  readonly leftOutRules: UndrawnRules;
}

export interface ReadStyle {
  readonly title: string;
  readonly rasters: readonly RasterStyle[];
  readonly rules: readonly ReadRule[];
  readonly leftOut: readonly Undrawn[];
  readonly leftOutRules: UndrawnRules;
}

/** Writes a style as plain data. */
export function compiledOf({ title, rasters, rules, leftOut, leftOutRules }: ReadStyle): CompiledStyle {
  const [first, ...others] = rasters.map(compiledRaster);
  return {
    version,
    title,
    ...(first === undefined ? {} : { raster: first }),
    ...(others.length === 0 ? {} : { rastersAtScales: others }),
    rules: rules.map(compiledRule),
    leftOut,
    leftOutRules,
  };
}

/** Reads a style that was compiled and stored. Undefined when it is of another version, and has to be compiled again. */
export function parseCompiledStyle(text: string): CompiledStyle | undefined {
  const parsed: CompiledStyle = JSON.parse(text);
  return parsed.version === version ? parsed : undefined;
}

function compiledRaster({ opacity, band, channels, colours, scales, ...style }: RasterStyle): CompiledRaster {
  const { grey, contrasts, contrast } = style;
  return {
    opacity,
    band,
    ...(channels === undefined ? {} : { channels }),
    ...(grey === undefined ? {} : { grey }),
    ...(contrasts === undefined ? {} : { contrasts: contrasts.map((one) => one ?? null) }),
    ...(contrast === undefined ? {} : { contrast }),
    ...(colours === undefined ? {} : { colours: compiledColours(colours) }),
    ...compiledScales(scales),
  };
}

function compiledColours({ kind, upTo, stops }: ColourMap): CompiledColours {
  const compiled = stops.map(({ value, colour, label }): CompiledStop => {
    const finite = Number.isFinite(value) ? value : null;
    return label === '' ? [finite, cssOf(colour)] : [finite, cssOf(colour), label];
  });
  return { kind, ...(upTo === undefined ? {} : { upTo }), stops: compiled };
}

function compiledScales([from, to]: Scales): { readonly scales?: CompiledScales } {
  return from === 0 && to === Infinity ? {} : { scales: [from, Number.isFinite(to) ? to : null] };
}

function compiledRule({ title, filter, scales, signs, layer, number }: ReadRule): CompiledRule {
  return {
    title,
    ...(filter === undefined ? {} : { filter }),
    ...compiledScales(scales),
    signs: signs.map(compiledSign),
    ...(layer === 0 ? {} : { layer }),
    number,
  };
}

function compiledSign({ kind, fill, stroke, size, shape }: Sign): CompiledSign {
  const { colour, width, dashes = [] } = stroke ?? {};
  const line = colour === undefined || width === undefined ? undefined : { colour: cssOf(colour), width };
  return {
    kind,
    ...(fill === undefined ? {} : { fill: cssOf(fill) }),
    ...(line === undefined ? {} : { stroke: dashes.length === 0 ? line : { ...line, dashes } }),
    ...(kind === 'point' ? { size, shape } : {}),
  };
}

const scalesOf = (scales: CompiledScales | undefined): Scales =>
  scales === undefined ? [0, Infinity] : [scales[0], scales[1] ?? Infinity];

/** Brings the raster of a compiled style back. */
export function rasterOf({ channels, colours, scales, contrasts, ...compiled }: CompiledRaster): RasterStyle {
  return {
    ...compiled,
    channels,
    ...(contrasts === undefined ? {} : { contrasts: contrasts.map((one) => one ?? undefined) }),
    colours: colours && coloursOf(colours),
    scales: scalesOf(scales),
  };
}

function coloursOf({ stops, ...map }: CompiledColours): ColourMap {
  const read = stops.map(([value, colour, label = '']) => ({
    value: value ?? Infinity,
    colour: parseCss(colour),
    label,
  }));
  return { ...map, stops: read };
}

/** Brings a rule of a compiled style back. */
export function ruleOf({ title, filter, scales, signs, layer = 0, number }: CompiledRule): ReadRule {
  return { title, filter, scales: scalesOf(scales), signs: signs.map(signOf), layer, number };
}

function signOf({ kind, fill, stroke, size = 0, shape = '' }: CompiledSign): Sign {
  return {
    kind,
    fill: fill === undefined ? undefined : parseCss(fill),
    stroke:
      stroke === undefined
        ? undefined
        : { colour: parseCss(stroke.colour), width: stroke.width, dashes: stroke.dashes ?? [] },
    size,
    shape,
  };
}
