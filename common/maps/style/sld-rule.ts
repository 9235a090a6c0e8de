import { type FilterExpression, readFilter } from './filter-expression.ts';
import { literalOf, quantityOf, shortText } from './sld-literal.ts';
import { readSign, type Sign } from './sld-sign.ts';
import type { Note } from './undrawn.ts';
import { childOf, type Element } from './xml-tree.ts';

/** Scale denominators, from inclusive, to exclusive. */
export type Scales = readonly [number, number];

/** A parsed rule for vectors. */
export interface ReadRule {
  readonly title: string;
  /** `else` matches what no other rule takes; undefined matches everything. */
  readonly filter: FilterExpression | 'else' | undefined;
  readonly scales: Scales;
  readonly signs: readonly Sign[];
  /** Zero-based number of its FeatureTypeStyle. */
  readonly layer: number;
  /** One-based position among all rules of the style. */
  readonly number: number;
}

/** A rule of the file, the number of its FeatureTypeStyle, and a recorder for its notes. */
export interface RuleElement {
  readonly element: Element;
  readonly layer: number;
  readonly number: number;
  readonly note: Note;
}

/**
 * Parses the rules for vectors. Leaves out a rule with an unsupported filter, and then all ElseFilter rules as well, so
 * that nothing is drawn wrongly.
 */
export function readRules(elements: readonly RuleElement[]): readonly ReadRule[] {
  const read = elements.map(readRule);
  return withoutHalves(
    read.filter((rule) => rule !== undefined && rule !== 'unknown'),
    read.includes('unknown'),
  );
}

/** Leaves out ElseFilter rules if any other rule is missing. */
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
  // The filter of a truncated rule may follow later.
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

/** Returns the scales of a rule; ignores texts that are not denominators. */
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

/** Returns the title of a style or a rule, or else its name. */
export function titleOf(element: Element | undefined, note: Note): string {
  const title = childOf(element, 'Title') ?? childOf(childOf(element, 'Description'), 'Title');
  return shortText(title?.text || childOf(element, 'Name')?.text || '', note);
}
