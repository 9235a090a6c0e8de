import { constantOf, constantText } from './constants.ts';
import type { Note } from './undrawn.ts';
import type { Element } from './xml-tree.ts';

const maxTextCharacters = 200;

/** Returns the constant text of a parameter; undefined if it is empty, or an expression. */
export function literalOf(element: Element | undefined, note: Note): string | undefined {
  if (element === undefined) return undefined;
  const { children, text } = element;
  const [only] = children;
  const isMixed = children.length > 1 || (only !== undefined && text !== '');
  const constant = isMixed ? undefined : only === undefined ? constantText(text) : constantOf(only);
  if (constant === undefined) note('expressions');
  return constant === '' ? undefined : constant;
}

export interface NumberLimits {
  readonly otherwise: number;
  readonly least: number;
  readonly greatest: number;
}

/** Parses a number and clamps it to limits; returns `otherwise` for any other text. */
export function numberOf(text: string | undefined, limits: NumberLimits, note: Note): number {
  if (text === undefined) return limits.otherwise;
  const number = quantityOf(text);
  if (!Number.isFinite(number)) {
    note('quantities');
    return limits.otherwise;
  }
  const within = Math.min(limits.greatest, Math.max(limits.least, number));
  if (within !== number) note('sizes');
  return within;
}

/** Parses a number of a style, including `inf` of QGIS and decimal commas; NaN for any other or an ambiguous text. Never -0. */
export function quantityOf(text: string): number {
  const trimmed = text.trim();
  if (/^\+?inf(?:inity)?$/i.test(trimmed)) return Infinity;
  return trimmed === '' ? Number.NaN : Number(withPoint(trimmed) ?? trimmed) + 0;
}

/** Cuts a display text to 200 characters. */
export function shortText(text: string, note: Note, characters = maxTextCharacters): string {
  if (text.length <= characters) return text;
  note('long_texts');
  return characters === 0 ? '' : `${text.slice(0, characters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const decimal = /^[+-]?\d+,\d+$/;
/** Three digits after the comma, and one to three before it that do not start with 0. */
const doubtful = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/** Returns whether a comma may be a thousands separator or a decimal comma: `1,234`. */
export const isDoubtful = (text: string): boolean => doubtful.test(text.trim());

/** Replaces an unambiguous decimal comma, as in `12,5` and `0,125`, by a point; undefined for any other text. */
export function withPoint(text: string, areDecimal = false): string | undefined {
  const trimmed = text.trim();
  return decimal.test(trimmed) && (areDecimal || !isDoubtful(trimmed))
    ? trimmed.replace(',', '.')
    : undefined;
}
