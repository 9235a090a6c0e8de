import { constantOf } from './constants.ts';
import { childOf, type Element } from './xml-tree.ts';

/** A text, a property, arithmetic on both, or a text in upper or lower case; numeric text counts as a number. */
export type ValueExpression =
  | string
  | readonly ['get', string]
  | readonly [LetterCase, ValueExpression]
  | readonly [Operation, ValueExpression, ValueExpression];
export type Operation = '+' | '-' | '*' | '/';
export type LetterCase = 'lower' | 'upper';
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * A filter as plain data. `between` includes both bounds; a pattern of `like` has literal texts, 1 for one arbitrary
 * character and 0 for any number of them. A missing value is `null`, and no comparison with it holds.
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

/** Functions equivalent to comparison operators. */
const comparingFunctions = new Map<string, Comparison>([
  ['equalto', '=='],
  ['notequalto', '!='],
  ['lessthan', '<'],
  ['lessequalthan', '<='],
  ['greaterthan', '>'],
  ['greaterequalthan', '>='],
]);

const letterCases = new Map<string, LetterCase>([
  ['strtolowercase', 'lower'],
  ['strtouppercase', 'upper'],
]);

const operations = new Map<string, Operation>([
  ['Add', '+'],
  ['Sub', '-'],
  ['Mul', '*'],
  ['Div', '/'],
]);

/**
 * Parses an OGC filter: comparisons, Between, Like, Null, And, Or and Not over properties, literals, arithmetic, and
 * the equivalent functions. Undefined for any other filter.
 */
export function readFilter(filter: Element): FilterExpression | undefined {
  const [condition] = filter.children;
  return condition === undefined ? ['all', []] : readCondition(condition);
}

function readCondition(element: Element): FilterExpression | undefined {
  const [first] = element.children;
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
    case 'PropertyIsNil':
    case 'PropertyIsNull': {
      const value = readValue(first);
      return value === undefined ? undefined : ['null', value];
    }
    case 'PropertyIsBetween':
      return readBetween(element);
    case 'PropertyIsLike':
      return readLike(element);
    case 'Function':
      return readFunction(element);
    default:
      return readComparison(element);
  }
}

function readComparison({ name, children, attributes }: Element): FilterExpression | undefined {
  const comparison = comparisons.get(name);
  const [first, second] = children;
  if (comparison === undefined || first === undefined || second === undefined) return undefined;
  const isEqual = comparison === '==' || comparison === '!=';
  const said = isEqual ? (readTruth(first, second) ?? readTruth(second, first)) : undefined;
  if (said !== undefined) return comparison === '==' ? said : ['!', said];
  const [left, right] = [readValue(first), readValue(second)];
  if (left === undefined || right === undefined) return undefined;
  if (attributes['matchCase'] !== 'false') return [comparison, left, right];
  return [comparison, inLowerCase(left), inLowerCase(right)];
}

/** A function that is a condition, compared with true or false. */
function readTruth(condition: Element, truth: Element): FilterExpression | undefined {
  const read = condition.name === 'Function' ? readFunction(condition) : undefined;
  const text = constantOf(truth)?.trim().toLowerCase();
  if (read === undefined) return undefined;
  return text === 'true' ? read : text === 'false' ? ['!', read] : undefined;
}

/** Parses a function that is a condition. */
function readFunction({ attributes, children }: Element): FilterExpression | undefined {
  const name = (attributes['name'] ?? '').toLowerCase();
  const values = children.map(readValue).filter((value) => value !== undefined);
  const [value, ...others] = values;
  if (value === undefined || values.length < children.length) return undefined;
  const [first, second] = others;
  const comparison = comparingFunctions.get(name);
  if (comparison !== undefined) return first === undefined ? undefined : [comparison, value, first];
  if (/^in(?:\d+)?$/.test(name)) return ['any', others.map((other) => ['==', value, other] as const)];
  if (name === 'isnull') return ['null', value];
  if (name !== 'between' || first === undefined || second === undefined) return undefined;
  return ['between', value, first, second];
}

const inLowerCase = (value: ValueExpression): ValueExpression =>
  typeof value === 'string' ? value.toLowerCase() : ['lower', value];

function readBetween(element: Element): FilterExpression | undefined {
  const value = readValue(element.children[0]);
  const low = readValue(childOf(element, 'LowerBoundary')?.children[0]);
  const high = readValue(childOf(element, 'UpperBoundary')?.children[0]);
  if (value === undefined || low === undefined || high === undefined) return undefined;
  return ['between', value, low, high];
}

function readLike({ children, attributes }: Element): FilterExpression | undefined {
  const value = readValue(children[0]);
  const pattern = children[1] && constantOf(children[1]);
  if (value === undefined || pattern === undefined) return undefined;
  const { wildCard = '*', singleChar = '?', escapeChar = '', escape = escapeChar } = attributes;
  const parts = patternOf(pattern, { wildCard, singleChar, escape });
  if (attributes['matchCase'] !== 'false') return ['like', value, parts];
  const small = parts.map((part) => (typeof part === 'string' ? part.toLowerCase() : part));
  return ['like', inLowerCase(value), small];
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
  const { name, text, children, attributes } = element;
  if (name === 'PropertyName' || name === 'ValueReference') return ['get', text];
  const constant = constantOf(element);
  if (constant !== undefined) return constant;
  const letters = name === 'Function' ? letterCases.get((attributes['name'] ?? '').toLowerCase()) : undefined;
  const operation = operations.get(name);
  const [first, second] = [readValue(children[0]), readValue(children[1])];
  if (letters !== undefined) return first === undefined ? undefined : [letters, first];
  if (operation === undefined || first === undefined || second === undefined) return undefined;
  return [operation, first, second];
}

/**
 * Returns the possible names of a property in the data, the most likely first: as written, without SQL quotes, and
 * without an XML prefix or path, such as `gml:` or `topp:states/`.
 */
export function spellingsOf(written: string): readonly string[] {
  const plain = /^"(.*)"$/s.exec(written)?.[1]?.replaceAll('""', '"') ?? written;
  const local = /[^/:]*$/.exec(plain)?.[0] ?? '';
  return [...new Set([written, plain, local])].filter((name, index) => index === 0 || name !== '');
}

/** Returns the distinct names of the properties that a filter uses. */
export function propertiesOf(filter: FilterExpression): readonly string[] {
  const names = new Set<string>();
  const takeValue = (value: ValueExpression): void => {
    if (typeof value === 'string') return;
    if (value[0] === 'get') {
      names.add(value[1]);
      return;
    }
    takeValue(value[1]);
    if (value[2] !== undefined) takeValue(value[2]);
  };
  const take = (part: FilterExpression): void => {
    switch (part[0]) {
      case 'all':
      case 'any':
        return part[1].forEach(take);
      case '!':
        return take(part[1]);
      case 'null':
      case 'like':
        return takeValue(part[1]);
      default:
        return part.slice(1).forEach(takeValue);
    }
  };
  take(filter);
  return [...names];
}
