import type { Interval } from '../times.ts';
import type { Shape } from '../shapes.ts';

/** What a property that a filter may name holds; a time is a number, in milliseconds since 1970. */
export type PropertyType = 'string' | 'number' | 'boolean' | 'time' | 'geometry';

/** The properties that a filter may name. */
export type Queryables = Readonly<Record<string, PropertyType>>;

export type Literal = string | number | boolean;
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
