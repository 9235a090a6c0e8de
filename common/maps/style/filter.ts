import {
  type Comparison,
  type FilterExpression,
  type Operation,
  type ValueExpression,
  spellingsOf,
} from './filter-expression.ts';

export type Properties = Readonly<Record<string, unknown>>;
export type Filter = (properties: Properties) => boolean;
type Read = (properties: Properties) => unknown;

export function predicateOf(expression: FilterExpression): Filter {
  switch (expression[0]) {
    case 'all': {
      const parts = expression[1].map(predicateOf);
      return (properties) => parts.every((part) => part(properties));
    }
    case 'any': {
      const parts = expression[1].map(predicateOf);
      return (properties) => parts.some((part) => part(properties));
    }
    case '!': {
      const part = predicateOf(expression[1]);
      return (properties) => !part(properties);
    }
    case 'null': {
      const read = readerOf(expression[1]);
      return (properties) => isMissing(read(properties));
    }
    case 'between': {
      const [read, low, high] = [readerOf(expression[1]), readerOf(expression[2]), readerOf(expression[3])];
      return (properties) => {
        const value = read(properties);
        const [above, below] = [orderOf(value, low(properties)), orderOf(value, high(properties))];
        return above !== undefined && below !== undefined && above >= 0 && below <= 0;
      };
    }
    case 'like': {
      const [read, pattern] = [readerOf(expression[1]), expression[2].flatMap(charactersOf)];
      return (properties) => isLike(comparedText(read(properties)), pattern);
    }
    default: {
      const [holds, first, second] = [
        comparisons[expression[0]],
        readerOf(expression[1]),
        readerOf(expression[2]),
      ];
      return (properties) => {
        const order = orderOf(first(properties), second(properties));
        return order !== undefined && holds(order);
      };
    }
  }
}

const comparisons: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const operations: Readonly<Record<Operation, (first: number, second: number) => number>> = {
  '+': (first, second) => first + second,
  '-': (first, second) => first - second,
  '*': (first, second) => first * second,
  '/': (first, second) => first / second,
};

function readerOf(expression: ValueExpression): Read {
  if (typeof expression === 'string') return () => expression;
  switch (expression[0]) {
    case 'get': {
      const names = spellingsOf(expression[1]);
      return (properties) => {
        const name = names.find((each) => Object.hasOwn(properties, each));
        return name === undefined ? undefined : properties[name];
      };
    }
    case 'lower':
    case 'upper': {
      const read = readerOf(expression[1]);
      const isLower = expression[0] === 'lower';
      return (properties) => {
        const text = comparedText(read(properties));
        return isLower ? text.toLowerCase() : text.toUpperCase();
      };
    }
    default: {
      const [sign, one, other] = expression;
      const [operation, first, second] = [operations[sign], readerOf(one), readerOf(other)];
      return (properties) => operation(numberOf(first(properties)), numberOf(second(properties)));
    }
  }
}

/** A missing value is NaN, although JavaScript converts it to zero. */
const numberOf = (value: unknown) => (isMissing(value) ? Number.NaN : Number(value));

const charactersOf = (part: string | 0 | 1): readonly (string | 0 | 1)[] =>
  typeof part === 'string' ? part.split('') : [part];

/** Backtracks to the last wild card only, so that the time is at most the product of both lengths. */
function isLike(text: string, pattern: readonly (string | 0 | 1)[]): boolean {
  let [at, in_, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[in_] === 0) {
      star = in_;
      mark = at;
      in_ += 1;
    } else if (pattern[in_] === 1 || pattern[in_] === text[at]) {
      at += 1;
      in_ += 1;
    } else if (star >= 0) {
      in_ = star + 1;
      mark += 1;
      at = mark;
    } else {
      return false;
    }
  }
  while (pattern[in_] === 0) in_ += 1;
  return in_ === pattern.length;
}

/** Lists and objects have no text. */
const comparedText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Lists and objects count as missing, because tiles do not contain any. */
const isMissing = (value: unknown) =>
  value === undefined || value === null || value === '' || typeof value === 'object';

/** Negative, zero or positive; undefined if a value is missing. Numeric texts compare as numbers. */
function orderOf(first: unknown, second: unknown): number | undefined {
  // A sum with a missing value is missing.
  if (isMissing(first) || isMissing(second) || Number.isNaN(first) || Number.isNaN(second)) return undefined;
  const [left, right] = [Number(first), Number(second)];
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  const [before, after] = [withoutMidnight(comparedText(first)), withoutMidnight(comparedText(second))];
  return before === after ? 0 : before < after ? -1 : 1;
}

/** Spellings of midnight after a date, in UTC or without a zone. */
export const midnights: readonly string[] = ['T', ' '].flatMap((between) =>
  ['00:00', '00:00:00', '00:00:00.0', '00:00:00.000'].flatMap((time) =>
    ['', 'Z', '+00:00'].map((zone) => `${between}${time}${zone}`),
  ),
);

const day = /^\d{4}-\d\d-\d\d$/;
const characters = 10;

/** Shortens a time at midnight to its date, so that both compare as equal; returns any other text unchanged. */
export function withoutMidnight(text: string): string {
  return midnights.includes(text.slice(characters)) && isDay(text.slice(0, characters))
    ? text.slice(0, characters)
    : text;
}

/** True for a text such as 2020-01-31. */
export function isDay(text: string): boolean {
  return day.test(text);
}
