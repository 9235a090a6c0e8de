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
  /** True when the rule is for something with these properties; an ElseFilter is for what no other rule took. */
  readonly filter: Filter | 'else';
  /** The filter as data; undefined when the rule is for everything. */
  readonly expression: FilterExpression | 'else' | undefined;
  readonly scales: Scales;
  readonly signs: readonly Sign[];
  /** Rules for the rest are for what the other rules of their layer leave. */
  readonly layer: number;
  /** Its place among all rules of the style, from 1. */
  readonly number: number;
}

export interface LayerStyle {
  readonly title: string;
  /** What legends show of a raster. */
  readonly raster: RasterStyle | undefined;
  /** All that are drawn, each at its scales; `raster` is the first. */
  readonly rasters: readonly RasterStyle[];
  /** For vectors, in the order of drawing. */
  readonly rules: readonly Rule[];
  readonly undrawn: readonly Undrawn[];
  /** The rules in which that is. */
  readonly undrawnRules: UndrawnRules;
}

/** Reads what can be drawn of an SLD, as `compileSld` does. @throws as it does. */
export function readSld(xml: string): LayerStyle {
  return layerStyleOf(compileSld(xml));
}

/** Makes a compiled style ready for drawing. */
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

/** Makes a style ready that is JSON; undefined without one, and where another version has compiled it. */
export function storedStyle(compiled: string | undefined): LayerStyle | undefined {
  const style = compiled === undefined ? undefined : parseCompiledStyle(compiled);
  return style && layerStyleOf(style);
}

function withPredicate({ filter: expression, ...rule }: ReturnType<typeof ruleOf>): Rule {
  const filter =
    expression === 'else' ? expression : expression === undefined ? () => true : predicateOf(expression);
  return { ...rule, filter, expression };
}

/** The style of a raster at a scale (its denominator); undefined where the style has none there, and nothing is drawn. */
export function rasterAt({ rasters }: LayerStyle, denominator: number): RasterStyle | undefined {
  return rasters.find(({ scales: [from, to] }) => denominator >= from && denominator < to);
}

/** True when a denominator of scale is within a range. */
const isWithin = (denominator: number, [from, to]: Scales) => denominator >= from && denominator < to;

/**
 * Returns the rules that draw something with these properties at a scale, in the order of drawing. Each layer of a style has
 * rules for the rest of its own: they draw what none of its other rules takes.
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
