import { childOf, type Element } from './xml-tree.ts';

export type Properties = Readonly<Record<string, unknown>>;
export type Filter = (properties: Properties) => boolean;
type Read = (properties: Properties) => unknown;

const everything: Filter = () => true;

/**
 * Reads an OGC filter: comparisons, Between, Like, Null, And, Or, Not, with properties, literals and arithmetic.
 * Undefined when it says something else.
 */
export function readFilter(filter: Element): Filter | undefined {
  const [condition] = filter.children;
  return condition === undefined ? everything : readCondition(condition);
}

function readCondition(element: Element): Filter | undefined {
  switch (element.name) {
    case 'And':
    case 'Or': {
      const parts = element.children.map(readCondition);
      const known = parts.filter((part) => part !== undefined);
      if (known.length < parts.length) return undefined;
      return element.name === 'And'
        ? (properties) => known.every((part) => part(properties))
        : (properties) => known.some((part) => part(properties));
    }
    case 'Not': {
      const [inner] = element.children;
      const part = inner === undefined ? undefined : readCondition(inner);
      return part === undefined ? undefined : (properties) => !part(properties);
    }
    case 'PropertyIsNull': {
      const read = readValue(element.children[0]);
      return read === undefined ? undefined : (properties) => isMissing(read(properties));
    }
    case 'PropertyIsBetween':
      return readBetween(element);
    case 'PropertyIsLike':
      return readLike(element);
    default:
      return readComparison(element);
  }
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  PropertyIsEqualTo: (order) => order === 0,
  PropertyIsNotEqualTo: (order) => order !== 0,
  PropertyIsLessThan: (order) => order < 0,
  PropertyIsLessThanOrEqualTo: (order) => order <= 0,
  PropertyIsGreaterThan: (order) => order > 0,
  PropertyIsGreaterThanOrEqualTo: (order) => order >= 0,
};

function readComparison(element: Element): Filter | undefined {
  const holds = Object.hasOwn(comparisons, element.name) ? comparisons[element.name] : undefined;
  const [first, second] = [readValue(element.children[0]), readValue(element.children[1])];
  if (holds === undefined || first === undefined || second === undefined) return undefined;
  return (properties) => {
    const order = orderOf(first(properties), second(properties));
    return order !== undefined && holds(order);
  };
}

function readBetween(element: Element): Filter | undefined {
  const read = readValue(element.children[0]);
  const low = readValue(childOf(element, 'LowerBoundary')?.children[0]);
  const high = readValue(childOf(element, 'UpperBoundary')?.children[0]);
  if (read === undefined || low === undefined || high === undefined) return undefined;
  return (properties) => {
    const value = read(properties);
    const [above, below] = [orderOf(value, low(properties)), orderOf(value, high(properties))];
    return above !== undefined && below !== undefined && above >= 0 && below <= 0;
  };
}

function readLike(element: Element): Filter | undefined {
  const read = readValue(element.children[0]);
  const pattern = childOf(element, 'Literal')?.text;
  if (read === undefined || pattern === undefined) return undefined;
  const { wildCard = '*', singleChar = '?' } = element.attributes;
  return (properties) => isLike(textOf(read(properties)), pattern, { wildCard, singleChar });
}

/** Matches by stepping back to the last wild card only, so that its time is at most length × length. */
function isLike(text: string, pattern: string, signs: { wildCard: string; singleChar: string }): boolean {
  let [at, in_, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[in_] === signs.wildCard) {
      star = in_;
      mark = at;
      in_ += 1;
    } else if (in_ < pattern.length && (pattern[in_] === signs.singleChar || pattern[in_] === text[at])) {
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
  while (pattern[in_] === signs.wildCard) in_ += 1;
  return in_ === pattern.length;
}

const operations: Readonly<Record<string, (first: number, second: number) => number>> = {
  Add: (first, second) => first + second,
  Sub: (first, second) => first - second,
  Mul: (first, second) => first * second,
  Div: (first, second) => first / second,
};

function readValue(element: Element | undefined): Read | undefined {
  if (element === undefined) return undefined;
  const { name, text } = element;
  if (name === 'Literal') return () => text;
  if (name === 'PropertyName') return (properties) => properties[text];
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  const [first, second] = [readValue(element.children[0]), readValue(element.children[1])];
  if (operation === undefined || first === undefined || second === undefined) return undefined;
  return (properties) => operation(Number(first(properties)), Number(second(properties)));
}

/** Lists and objects are no text, and equal nothing. */
const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

/** Negative, zero or positive; undefined when there is nothing to compare. Numbers in text compare as numbers. */
function orderOf(first: unknown, second: unknown): number | undefined {
  if (isMissing(first) || isMissing(second)) return undefined;
  const [left, right] = [Number(first), Number(second)];
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  const [before, after] = [textOf(first), textOf(second)];
  return before === after ? 0 : before < after ? -1 : 1;
}
