import { type ColourMap, type ColourStop, cssOf, parseCss } from './colour-map.ts';
import type { Contrast } from './sld-contrast.ts';
import type { RasterStyle } from './sld-raster.ts';
import type { ReadRule, Scales } from './sld-rule.ts';
import type { Sign } from './sld-sign.ts';
import type { Undrawn, UndrawnRules } from './undrawn.ts';

/** Raised when the same SLD compiles to a different result, so that stored styles are compiled again. */
const version = 3;

/** `null` is an infinite upper end, which JSON cannot represent. */
type CompiledScales = readonly [number, number | null];
/** A value, a colour in CSS, and an optional label; `null` is infinite. */
export type CompiledStop = readonly [number | null, string] | readonly [number | null, string, string];

export interface CompiledRaster extends Omit<RasterStyle, 'channels' | 'contrasts' | 'colours' | 'scales'> {
  readonly channels?: RasterStyle['channels'];
  /** `null` means no contrast. */
  readonly contrasts?: readonly (Contrast | null)[] | undefined;
  readonly colours?: CompiledColours | undefined;
  /** Absent for all scales. */
  readonly scales?: CompiledScales | undefined;
}

type CompiledColours = Omit<ColourMap, 'stops'> & { readonly stops: readonly CompiledStop[] };

interface CompiledSign {
  readonly kind: Sign['kind'];
  readonly fill?: string | undefined;
  readonly stroke?:
    | { readonly colour: string; readonly width: number; readonly dashes?: readonly number[] | undefined }
    | undefined;
  /** Both for points only. */
  readonly size?: number;
  readonly shape?: string;
}

export interface CompiledRule extends Omit<ReadRule, 'filter' | 'scales' | 'signs' | 'layer'> {
  /** Absent for a rule that draws everything. */
  readonly filter?: ReadRule['filter'];
  readonly scales?: CompiledScales | undefined;
  readonly signs: readonly CompiledSign[];
  /** Absent for 0. */
  readonly layer?: number | undefined;
}

/** The drawable part of an SLD as plain JSON of at most `maxCompiledBytes`. */
export interface CompiledStyle {
  readonly version: typeof version;
  readonly title: string;
  /** The raster that legends show. */
  readonly raster?: CompiledRaster;
  /** Further rasters, with scales of their own. */
  readonly rastersAtScales?: readonly CompiledRaster[];
  /** For vectors, in drawing order. */
  readonly rules: readonly CompiledRule[];
  /** Parts of the file that are not drawn. */
  readonly leftOut: readonly Undrawn[];
  /** Rules with parts that are not drawn. */
  readonly leftOutRules: UndrawnRules;
}

export interface ReadStyle {
  readonly title: string;
  readonly rasters: readonly RasterStyle[];
  readonly rules: readonly ReadRule[];
  readonly leftOut: readonly Undrawn[];
  readonly leftOutRules: UndrawnRules;
}

/** Converts a style to plain data. */
export function compiledOf({ rasters, rules, ...style }: ReadStyle): CompiledStyle {
  const [raster, ...others] = rasters.map(compiledRaster);
  const rastersAtScales = others.length === 0 ? undefined : others;
  const compiled = { version, ...style, raster, rastersAtScales, rules: rules.map(compiledRule) };
  // Removes undefined members.
  const plain: CompiledStyle = JSON.parse(JSON.stringify(compiled));
  return plain;
}

/** Parses a stored compiled style; undefined if another version has compiled it, so that it has to be compiled again. */
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
