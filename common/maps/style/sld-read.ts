import { type CompiledStyle, parseCompiledStyle, rasterOf, ruleOf } from './compiled-style.ts';
import { type Filter, predicateOf, type Properties } from './filter.ts';
import type { FilterExpression } from './filter-expression.ts';
import { compileSld } from './sld-compile.ts';
import type { RasterStyle } from './sld-raster.ts';
import type { Scales } from './sld-rule.ts';
import type { Sign } from './sld-sign.ts';
import type { Undrawn, UndrawnRules } from './undrawn.ts';

export interface Rule {
  readonly title: string;
  /** Predicate on properties; an ElseFilter matches what no other rule takes. */
  readonly filter: Filter | 'else';
  /** The filter as data; undefined for a rule that draws everything. */
  readonly expression: FilterExpression | 'else' | undefined;
  readonly scales: Scales;
  readonly signs: readonly Sign[];
  /** ElseFilter rules take what the other rules of their layer leave. */
  readonly layer: number;
  /** One-based position among all rules of the style. */
  readonly number: number;
}

export interface LayerStyle {
  readonly title: string;
  /** The raster that legends show. */
  readonly raster: RasterStyle | undefined;
  /** All rasters with their scales; `raster` is the first. */
  readonly rasters: readonly RasterStyle[];
  /** For vectors, in drawing order. */
  readonly rules: readonly Rule[];
  readonly undrawn: readonly Undrawn[];
  /** Rules with parts that are not drawn. */
  readonly undrawnRules: UndrawnRules;
}

/** Compiles an SLD and prepares it for drawing. @throws like `compileSld`. */
export function readSld(xml: string): LayerStyle {
  return layerStyleOf(compileSld(xml));
}

/** Prepares a compiled style for drawing. */
export function layerStyleOf({
  title,
  raster,
  rastersAtScales = [],
  rules,
  leftOut,
  leftOutRules,
}: CompiledStyle): LayerStyle {
  const rasters = raster === undefined ? [] : [raster, ...rastersAtScales].map(rasterOf);
  return {
    title,
    raster: rasters[0],
    rasters,
    rules: rules.map(ruleOf).map(withPredicate),
    undrawn: leftOut,
    undrawnRules: leftOutRules,
  };
}

/** Prepares a stored style for drawing; undefined without one, and if another version has compiled it. */
export function storedStyle(compiled: string | undefined): LayerStyle | undefined {
  const style = compiled === undefined ? undefined : parseCompiledStyle(compiled);
  return style && layerStyleOf(style);
}

function withPredicate({ filter: expression, ...rule }: ReturnType<typeof ruleOf>): Rule {
  const filter =
    expression === 'else' ? expression : expression === undefined ? () => true : predicateOf(expression);
  return { ...rule, filter, expression };
}

/** Returns the style of a raster at a scale denominator; undefined if nothing is drawn at that scale. */
export function rasterAt({ rasters }: LayerStyle, denominator: number): RasterStyle | undefined {
  return rasters.find(({ scales: [from, to] }) => denominator >= from && denominator < to);
}

/** True if a scale denominator is within a range. */
const isWithin = (denominator: number, [from, to]: Scales) => denominator >= from && denominator < to;

/**
 * Returns the rules that draw a feature with these properties at a scale, in drawing order. ElseFilter rules apply per
 * layer of the style: they draw what no other rule of the layer takes.
 */
export function takenRules(
  rules: readonly Rule[],
  properties: Properties,
  denominator: number,
): readonly Rule[] {
  const inScale = rules.filter(({ scales }) => isWithin(denominator, scales));
  const takes = ({ filter }: Rule) => filter !== 'else' && filter(properties);
  const taken = new Set(inScale.filter(takes));
  const takenLayers = new Set([...taken].map(({ layer }) => layer));
  return inScale.filter(
    (rule) => taken.has(rule) || (rule.filter === 'else' && !takenLayers.has(rule.layer)),
  );
}
