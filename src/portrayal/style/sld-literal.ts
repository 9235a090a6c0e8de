import { withPoint } from './decimal-commas.ts';
import type { Note } from './undrawn.ts';
import type { Element } from './xml-tree.ts';

const maxTextCharacters = 200;

/** The text of a parameter, written as it is or as a Literal. Undefined when it is empty, or has to be computed. */
export function literalOf(element: Element | undefined, note: Note): string | undefined {
  if (element === undefined) return undefined;
  const { children, text } = element;
  const [only] = children;
  if (only === undefined) return text === '' ? undefined : text;
  const isLiteral =
    children.length === 1 && text === '' && only.name === 'Literal' && only.children.length === 0;
  if (isLiteral) return only.text === '' ? undefined : only.text;
  note('expressions');
  return undefined;
}

export interface NumberLimits {
  readonly otherwise: number;
  readonly least: number;
  readonly greatest: number;
}

/** The number that a text names, brought between two limits; `otherwise` when it names none. */
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

/** A number as styles write it, `inf` of QGIS and decimal commas included; NaN when it is none, or may be another. Never -0. */
export function quantityOf(text: string): number {
  const trimmed = text.trim();
  if (/^\+?inf(?:inity)?$/i.test(trimmed)) return Infinity;
  return trimmed === '' ? Number.NaN : Number(withPoint(trimmed) ?? trimmed) + 0;
}

/** Cuts a text that people read to 200 characters. */
export function shortText(text: string, note: Note, characters = maxTextCharacters): string {
  if (text.length <= characters) return text;
  note('long_texts');
  return characters === 0 ? '' : `${text.slice(0, characters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
