import type { Interval } from '../times.ts';
import type { Shape } from '../shapes.ts';

/**
 * What a property that a filter may name holds; a time is a number, in milliseconds since 1970, a date the text `YYYY-MM-DD`, and a time that is
 * compared with one the text of that time in UTC, which orders as it does.
 */
export type PropertyType = 'string' | 'number' | 'integer' | 'boolean' | 'time' | 'date' | 'geometry';

/** The properties that a filter may name. */
export type Queryables = Readonly<Record<string, PropertyType>>;

/** Whole numbers beyond those that a number holds exactly are bigints. */
export type Literal = string | number | bigint | boolean;
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** What a filter is checked against. */
export interface FilterRules {
  readonly queryables: Queryables;
  /** True where a property that is not among them is one that nothing has; otherwise it is refused. */
  readonly areOthersAbsent?: boolean;
}

/** A filter that has been checked: known properties, values of their types, few parts. */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter }
  | { readonly op: 'constant'; readonly value: boolean | null }
  | {
      readonly op: 'compare';
      readonly property: string;
      readonly comparison: Comparison;
      readonly value: Literal;
    }
  | { readonly op: 'between'; readonly property: string; readonly low: Literal; readonly high: Literal }
  | { readonly op: 'in'; readonly property: string; readonly values: readonly Literal[] }
  | { readonly op: 'like'; readonly property: string; readonly pattern: string }
  | { readonly op: 'isNull'; readonly property: string }
  | { readonly op: 'sIntersects'; readonly property: string; readonly shape: Shape }
  | { readonly op: 'tIntersects'; readonly property: string; readonly interval: Interval };

/** Returns the properties that a filter names. */
export function propertiesOf(filter: Filter): readonly string[] {
  if ('filters' in filter) return filter.filters.flatMap(propertiesOf);
  if ('filter' in filter) return propertiesOf(filter.filter);
  return 'property' in filter ? [filter.property] : [];
}

/** Reads a number as it is written; undefined where it is none. */
export function readNumber(text: string): number | bigint | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) return undefined;
  return Number.isSafeInteger(value) || !/^[+-]?\d+$/.test(text) ? value : BigInt(text.replace(/^\+/, ''));
}

/** The bounds of a filter: what it costs grows with these alone. */
export const filterLimits = {
  /** Operations, values and positions together. */
  parts: 200,
  /** Operations in each other. */
  depth: 16,
  /** Of a filter as text. */
  characters: 8192,
  /** Of a pattern. */
  patternCharacters: 256,
} as const;
