import type { Interval } from '../times.ts';
import type { Shape } from '../shapes.ts';

/**
 * Type of a queryable property. A time is a number of milliseconds since 1970; a date is the text `YYYY-MM-DD`; a date
 * that is compared with a time becomes the text of that time in UTC, which keeps the order.
 */
export type PropertyType = 'string' | 'number' | 'integer' | 'boolean' | 'time' | 'date' | 'geometry';

/** Properties that a filter may name. */
export type Queryables = Readonly<Record<string, PropertyType>>;

/** Integers beyond the exact range of a number are bigints. */
export type Literal = string | number | bigint | boolean;
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

export interface FilterRules {
  readonly queryables: Queryables;
  /** True if an unknown property counts as absent; otherwise it is refused. */
  readonly areOthersAbsent?: boolean;
}

/** A checked filter: known properties, values of their types, a bounded number of parts. */
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

export function propertiesOf(filter: Filter): readonly string[] {
  if ('filters' in filter) return filter.filters.flatMap(propertiesOf);
  if ('filter' in filter) return propertiesOf(filter.filter);
  return 'property' in filter ? [filter.property] : [];
}

/** Parses a decimal number without loss; undefined for anything else. */
export function readNumber(text: string): number | bigint | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) return undefined;
  return Number.isSafeInteger(value) || !/^[+-]?\d+$/.test(text) ? value : BigInt(text.replace(/^\+/, ''));
}

/** Limits of a filter, which bound the cost of its evaluation. */
export const filterLimits = {
  /** Operations, values and positions in total. */
  parts: 200,
  /** Nesting of operations. */
  depth: 16,
  /** Length of a filter as text. */
  characters: 8192,
  /** Length of a pattern. */
  patternCharacters: 256,
} as const;
