import { type ColourMap, type ColourStop, cssOf, parseCss } from './colour-map.ts';
import type { Contrast } from './sld-contrast.ts';
import type { RasterStyle } from './sld-raster.ts';
import type { ReadRule, Scales } from './sld-rule.ts';
import type { Sign } from './sld-sign.ts';
import type { Undrawn, UndrawnRules } from './undrawn.ts';

/** Raised when the same SLD is compiled to something else, so that what is stored is compiled again. */
const version = 3;

/** `null` means no upper end: JSON has no infinity. */
type CompiledScales = readonly [number, number | null];
/** A value, a colour as CSS writes it, and a label where there is one; `null` is infinite. */
export type CompiledStop = readonly [number | null, string] | readonly [number | null, string, string];

export interface CompiledRaster extends Omit<RasterStyle, 'channels' | 'contrasts' | 'colours' | 'scales'> {
  readonly channels?: RasterStyle['channels'];
  /** `null` is none. */
  readonly contrasts?: readonly (Contrast | null)[] | undefined;
  readonly colours?: CompiledColours | undefined;
  /** Absent at all scales. */
  readonly scales?: CompiledScales | undefined;
}

type CompiledColours = Omit<ColourMap, 'stops'> & { readonly stops: readonly CompiledStop[] };

interface CompiledSign {
  readonly kind: Sign['kind'];
  readonly fill?: string | undefined;
  readonly stroke?:
    | { readonly colour: string; readonly width: number; readonly dashes?: readonly number[] | undefined }
    | undefined;
  /** These two of points alone. */
  readonly size?: number;
  readonly shape?: string;
}

export interface CompiledRule extends Omit<ReadRule, 'filter' | 'scales' | 'signs' | 'layer'> {
  /** Absent when the rule is for everything. */
  readonly filter?: ReadRule['filter'];
  readonly scales?: CompiledScales | undefined;
  readonly signs: readonly CompiledSign[];
  /** Absent of the first. */
  readonly layer?: number | undefined;
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
export function compiledOf({ rasters, rules, ...style }: ReadStyle): CompiledStyle {
  const [raster, ...others] = rasters.map(compiledRaster);
  const rastersAtScales = others.length === 0 ? undefined : others;
  const compiled = { version, ...style, raster, rastersAtScales, rules: rules.map(compiledRule) };
  // Without what is undefined.
  const plain: CompiledStyle = JSON.parse(JSON.stringify(compiled));
  return plain;
}

/** Reads a style that was compiled and stored. Undefined when it is of another version, and has to be compiled again. */
export function parseCompiledStyle(text: string): CompiledStyle | undefined {
  const parsed: CompiledStyle = JSON.parse(text);
  return parsed.version === version ? parsed : undefined;
}

function compiledRaster({ colours, contrasts, scales, ...style }: RasterStyle): CompiledRaster {
  return {
    ...style,
    contrasts: contrasts?.map((one) => one ?? null),
    colours: colours && { ...colours, stops: colours.stops.map(compiledStop) },
    scales: compiledScales(scales),
  };
}

function compiledStop({ value, colour, label }: ColourStop): CompiledStop {
  const finite = Number.isFinite(value) ? value : null;
  return label === '' ? [finite, cssOf(colour)] : [finite, cssOf(colour), label];
}

function compiledScales([from, to]: Scales): CompiledScales | undefined {
  return from === 0 && to === Infinity ? undefined : [from, Number.isFinite(to) ? to : null];
}

function compiledRule({ scales, signs, layer, ...rule }: ReadRule): CompiledRule {
  return {
    ...rule,
    scales: compiledScales(scales),
    signs: signs.map(compiledSign),
    layer: layer === 0 ? undefined : layer,
  };
}

function compiledSign({ kind, fill, stroke, size, shape }: Sign): CompiledSign {
  const line = stroke && {
    colour: cssOf(stroke.colour),
    width: stroke.width,
    dashes: stroke.dashes.length === 0 ? undefined : stroke.dashes,
  };
  return { kind, fill: fill && cssOf(fill), stroke: line, ...(kind === 'point' ? { size, shape } : {}) };
}

const scalesOf = (scales: CompiledScales | undefined): Scales =>
  scales === undefined ? [0, Infinity] : [scales[0], scales[1] ?? Infinity];

/** Brings the raster of a compiled style back. */
export function rasterOf({ channels, colours, scales, contrasts, ...compiled }: CompiledRaster): RasterStyle {
  return {
    ...compiled,
    channels,
    ...(contrasts && { contrasts: contrasts.map((one) => one ?? undefined) }),
    colours: colours && { ...colours, stops: colours.stops.map(stopOf) },
    scales: scalesOf(scales),
  };
}

function stopOf([value, colour, label = '']: CompiledStop): ColourStop {
  return { value: value ?? Infinity, colour: parseCss(colour), label };
}

/** Brings a rule of a compiled style back. */
export function ruleOf({ filter, scales, signs, layer = 0, ...rule }: CompiledRule): ReadRule {
  return { ...rule, filter, scales: scalesOf(scales), signs: signs.map(signOf), layer };
}

function signOf({ kind, fill, stroke, size = 0, shape = '' }: CompiledSign): Sign {
  const line = stroke && {
    colour: parseCss(stroke.colour),
    width: stroke.width,
    dashes: stroke.dashes ?? [],
  };
  return { kind, fill: fill === undefined ? undefined : parseCss(fill), stroke: line, size, shape };
}
