import { childOf, type Element } from './xml-tree.ts';

/** A text, a property, or arithmetic of both; numbers in text count as numbers. */
export type ValueExpression =
  | string
  | readonly ['get', string]
  | readonly [Operation, ValueExpression, ValueExpression];
export type Operation = '+' | '-' | '*' | '/';
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * A filter as plain data. `between` includes both bounds; a pattern of `like` has texts as they are, 1 for any one character
 * and 0 for any number of them. What is missing is `null`, and compares with nothing.
 */
export type FilterExpression =
  | readonly ['all' | 'any', readonly FilterExpression[]]
  | readonly ['!', FilterExpression]
  | readonly ['null', ValueExpression]
  | readonly ['between', ValueExpression, ValueExpression, ValueExpression]
  | readonly ['like', ValueExpression, readonly (string | 0 | 1)[]]
  | readonly [Comparison, ValueExpression, ValueExpression];

const comparisons = new Map<string, Comparison>([
  ['PropertyIsEqualTo', '=='],
  ['PropertyIsNotEqualTo', '!='],
  ['PropertyIsLessThan', '<'],
  ['PropertyIsLessThanOrEqualTo', '<='],
  ['PropertyIsGreaterThan', '>'],
  ['PropertyIsGreaterThanOrEqualTo', '>='],
]);

const operations = new Map<string, Operation>([
  ['Add', '+'],
  ['Sub', '-'],
  ['Mul', '*'],
  ['Div', '/'],
]);

/**
 * Reads an OGC filter: comparisons, Between, Like, Null, And, Or, Not, with properties, literals and arithmetic.
 * Undefined when it says something else.
 */
export function readFilter(filter: Element): FilterExpression | undefined {
  const [condition] = filter.children;
  return condition === undefined ? ['all', []] : readCondition(condition);
}

function readCondition(element: Element): FilterExpression | undefined {
  const [first, second] = element.children;
  switch (element.name) {
    case 'And':
    case 'Or': {
      const parts = element.children.map(readCondition);
      const known = parts.filter((part) => part !== undefined);
      if (known.length < parts.length) return undefined;
      return [element.name === 'And' ? 'all' : 'any', known];
    }
    case 'Not': {
      const part = first === undefined ? undefined : readCondition(first);
      return part === undefined ? undefined : ['!', part];
    }
    case 'PropertyIsNull': {
      const value = readValue(first);
      return value === undefined ? undefined : ['null', value];
    }
    case 'PropertyIsBetween':
      return readBetween(element);
    case 'PropertyIsLike':
      return readLike(element);
    default: {
      const comparison = comparisons.get(element.name);
      const [left, right] = [readValue(first), readValue(second)];
      if (comparison === undefined || left === undefined || right === undefined) return undefined;
      return [comparison, left, right];
    }
  }
}

function readBetween(element: Element): FilterExpression | undefined {
  const value = readValue(element.children[0]);
  const low = readValue(childOf(element, 'LowerBoundary')?.children[0]);
  const high = readValue(childOf(element, 'UpperBoundary')?.children[0]);
  if (value === undefined || low === undefined || high === undefined) return undefined;
  return ['between', value, low, high];
}

function readLike({ children, attributes }: Element): FilterExpression | undefined {
  const value = readValue(children[0]);
  const pattern = children[1]?.name === 'Literal' ? children[1].text : undefined;
  if (value === undefined || pattern === undefined) return undefined;
  const { wildCard = '*', singleChar = '?', escapeChar = '', escape = escapeChar } = attributes;
  return ['like', value, patternOf(pattern, { wildCard, singleChar, escape })];
}

interface PatternSigns {
  readonly wildCard: string;
  readonly singleChar: string;
  readonly escape: string;
}

function patternOf(
  pattern: string,
  { wildCard, singleChar, escape }: PatternSigns,
): readonly (string | 0 | 1)[] {
  const parts: (string | 0 | 1)[] = [];
  let text = '';
  const add = (part: 0 | 1) => {
    if (text !== '') parts.push(text);
    text = '';
    parts.push(part);
  };
  for (let at = 0; at < pattern.length;) {
    const isAt = (sign: string) => sign !== '' && pattern.startsWith(sign, at);
    if (isAt(escape)) {
      text += pattern.charAt(at + escape.length);
      at += escape.length + 1;
    } else if (isAt(wildCard)) {
      add(0);
      at += wildCard.length;
    } else if (isAt(singleChar)) {
      add(1);
      at += singleChar.length;
    } else {
      text += pattern.charAt(at);
      at += 1;
    }
  }
  return text === '' ? parts : [...parts, text];
}

function readValue(element: Element | undefined): ValueExpression | undefined {
  if (element === undefined) return undefined;
  const { name, text, children } = element;
  if (name === 'Literal') return text;
  if (name === 'PropertyName') return ['get', text];
  const operation = operations.get(name);
  const [first, second] = [readValue(children[0]), readValue(children[1])];
  if (operation === undefined || first === undefined || second === undefined) return undefined;
  return [operation, first, second];
}
