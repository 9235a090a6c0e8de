import type { Message } from '../../lib/message.ts';
import { conditionFaults } from '../../messages/zoning/english.ts';
import type { Band } from '../model/bands.ts';
import { leaves } from '../model/leaves.ts';
import { bandByKey, nodes } from './graph.ts';

/** Comparison operators; longer ones come first, so that the parser matches them first. */
export const comparisons = ['<=', '>=', '!=', '<', '>', '='] as const;
export type Comparison = (typeof comparisons)[number];

/** A comparison of a raster with a number. */
export interface Condition {
  readonly band: Band;
  readonly comparison: Comparison;
  readonly value: number;
}

export const mostConditions = 8;

/** Symbols of nodes in formulas, in addition to codes and names: S, E and V. */
const symbols: Readonly<Record<string, string>> = { S: '31', E: '26', V: '33' };

/** All names of a band: its key, the code of its group, the word in that code, and its symbol. */
const bandsByName: ReadonlyMap<string, Band> = new Map(
  [...leaves, ...nodes.map(({ output }) => output)].flatMap((band) => {
    const word = band.group.replace(/^landscape-(?:in|\d\d)-/, '');
    const letters = Object.entries(symbols).flatMap(([letter, key]) => (key === band.key ? [letter] : []));
    const suited = /^2[1-5]$/.test(band.key) ? [`S${band.key}`] : [];
    return [band.key, band.group, word, ...letters, ...suited].map((name) => [name, band] as const);
  }),
);

export type ParsedConditions = { readonly conditions: readonly Condition[] } | { readonly fault: Message };

/**
 * Parses conditions: `NAME COMPARISON NUMBER`, separated by `;`, with optional spaces. A name is the key of a slot, the code of a node,
 * the code of a group or the word in it, or S, E, V and S21 to S25. Faults name the position of their first character, starting at 1.
 */
export function parseConditions(text: string): ParsedConditions {
  const conditions: Condition[] = [];
  let at = 0;
  for (const part of text.split(';')) {
    const begin = at + part.length - part.trimStart().length;
    at += part.length + 1;
    const found = parseOne(part.trim(), begin + 1);
    if ('fault' in found) return found;
    conditions.push(found.condition);
    if (conditions.length > mostConditions)
      return { fault: conditionFaults.tooMany(begin + 1, mostConditions) };
  }
  return { conditions: inOrder(conditions) };
}

/** Parses one condition. @param position of its first character, starting at 1 */
function parseOne(
  text: string,
  position: number,
): { readonly condition: Condition } | { readonly fault: Message } {
  const [name = ''] = /^[A-Za-z0-9-]*/.exec(text) ?? [];
  const band = bandsByName.get(name);
  if (band === undefined) {
    return {
      fault: name === '' ? conditionFaults.noName(position) : conditionFaults.unknownName(position, name),
    };
  }
  const behindName = skipBlanks(text, name.length);
  const comparison = comparisons.find((sign) => text.startsWith(sign, behindName));
  if (comparison === undefined) return { fault: conditionFaults.noComparison(position + behindName) };
  const numberAt = skipBlanks(text, behindName + comparison.length);
  const number = text.slice(numberAt);
  if (!/^-?\d{1,12}(?:\.\d{1,9})?$/.test(number))
    return { fault: conditionFaults.noNumber(position + numberAt) };
  return { condition: { band, comparison, value: Number(number) + 0 } };
}

function skipBlanks(text: string, from: number): number {
  const [blanks = ''] = /^ */.exec(text.slice(from)) ?? [];
  return from + blanks.length;
}

/** Sorts conditions and removes duplicates. */
function inOrder(conditions: readonly Condition[]): readonly Condition[] {
  const byText = new Map(conditions.map((condition) => [conditionText(condition), condition]));
  return [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, condition]) => condition);
}

function conditionText({ band, comparison, value }: Condition): string {
  return `${band.key}${comparison}${value}`;
}

/** Writes conditions in their normal form, which can be parsed again. */
export function conditionsText(conditions: readonly Condition[]): string {
  return inOrder(conditions).map(conditionText).join(';');
}

/** Parses conditions in their normal form. @throws {Error} when they have another form. */
export function normalConditions(text: string): readonly Condition[] {
  const parsed = parseConditions(text);
  if ('fault' in parsed || conditionsText(parsed.conditions) !== text)
    throw new Error(`no conditions in their normal form: ${text}`);
  return parsed.conditions;
}

/** Returns the bands of conditions without duplicates. */
export function bandsOf(conditions: readonly Condition[]): readonly Band[] {
  return [...new Set(conditions.map(({ band }) => bandByKey(band.key) ?? band))];
}
