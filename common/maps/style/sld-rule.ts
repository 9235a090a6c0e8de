import { type FilterExpression, readFilter } from './filter-expression.ts';
import { literalOf, quantityOf, shortText } from './sld-literal.ts';
import { readSign, type Sign } from './sld-sign.ts';
import type { Note } from './undrawn.ts';
import { childOf, type Element } from './xml-tree.ts';

/** Denominators of scale, from inclusive, to exclusive. */
export type Scales = readonly [number, number];

/** A rule for vectors, as it is written. */
export interface ReadRule {
  readonly title: string;
  /** An ElseFilter is for what no other rule took; without a filter a rule is for everything. */
  readonly filter: FilterExpression | 'else' | undefined;
  readonly scales: Scales;
  readonly signs: readonly Sign[];
  /** The number of the FeatureTypeStyle that it is in, from 0. */
  readonly layer: number;
  /** Its place among all rules of the style, from 1. */
  readonly number: number;
}

/** A rule of the file, the number of the FeatureTypeStyle that it is in, and what takes notes for it. */
export interface RuleElement {
  readonly element: Element;
  readonly layer: number;
  readonly number: number;
  readonly note: Note;
}

/**
 * Reads the rules for vectors. A rule whose filter cannot be judged is left out, and so are then the rules for the rest:
 * nothing is drawn that should not be.
 */
export function readRules(elements: readonly RuleElement[]): readonly ReadRule[] {
  const read = elements.map(readRule);
  return withoutHalves(
    read.filter((rule) => rule !== undefined && rule !== 'unknown'),
    read.includes('unknown'),
  );
}

/** Leaves out the rules for the rest where some rule is missing. */
export function withoutHalves<T extends { readonly filter?: unknown }>(
  rules: readonly T[],
  isSomeMissing: boolean,
): readonly T[] {
  return isSomeMissing ? rules.filter(({ filter }) => filter !== 'else') : rules;
}

function readRule({ element: rule, layer, number, note }: RuleElement): ReadRule | 'unknown' | undefined {
  const signs = rule.children.flatMap((child) => readSign(child, note) ?? []);
  const filterElement = childOf(rule, 'Filter');
  const isElse = childOf(rule, 'ElseFilter') !== undefined;
  const filter = filterElement === undefined ? undefined : readFilter(filterElement);
  // The filter of a rule that is cut may follow later.
  if (rule.isCut) return 'unknown';
  if (filterElement !== undefined && filter === undefined) {
    note('filters');
    return 'unknown';
  }
  if (signs.length === 0) return undefined;
  return {
    title: titleOf(rule, note),
    filter: isElse ? 'else' : filter,
    scales: readScales(rule, note),
    signs,
    layer,
    number,
  };
}

/** The scales at which a rule is drawn; what is not a denominator does not limit them. */
export function readScales(rule: Element, note: Note): Scales {
  const read = (name: string, otherwise: number) => {
    const text = literalOf(childOf(rule, name), note);
    if (text === undefined) return otherwise;
    const scale = quantityOf(text);
    if (scale >= 0) return scale;
    note('quantities');
    return otherwise;
  };
  return [read('MinScaleDenominator', 0), read('MaxScaleDenominator', Infinity)];
}

/** What people call a style or a rule, else its name. */
export function titleOf(element: Element | undefined, note: Note): string {
  const title = childOf(element, 'Title') ?? childOf(childOf(element, 'Description'), 'Title');
  return shortText(title?.text || childOf(element, 'Name')?.text || '', note);
}
