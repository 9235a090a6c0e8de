import { type Budget, intersects } from '../intersect.ts';
import type { Shape } from '../shapes.ts';
import type { Interval } from '../times.ts';
import type { Comparison, Filter, Literal } from './filter.ts';

/** Values of one feature by the names of its queryables; undefined or null if absent. */
export interface Subject {
  /** Text, a number or a boolean; a time in milliseconds since 1970. */
  value(property: string): Literal | null | undefined;
  shape(property: string): Shape | undefined;
  /** The time span of the feature. */
  interval(property: string): Interval | undefined;
}

/** A comparison with an absent value is neither true nor false, as in SQL. */
type Truth = boolean | undefined;

/**
 * Returns whether a filter matches a feature.
 * @throws {BudgetSpent} if its geometries take more steps than the budget allows
 */
export function holds(filter: Filter, subject: Subject, budget: Budget): boolean {
  return truthOf(filter, subject, budget) === true;
}

function truthOf(filter: Filter, subject: Subject, budget: Budget): Truth {
  switch (filter.op) {
    case 'and':
      return allOf(filter.filters.map((each) => truthOf(each, subject, budget)));
    case 'or':
      return negated(allOf(filter.filters.map((each) => negated(truthOf(each, subject, budget)))));
    case 'not':
      return negated(truthOf(filter.filter, subject, budget));
    case 'constant':
      return filter.value ?? undefined;
    case 'isNull':
      return isAbsent(filter.property, subject);
    case 'sIntersects': {
      const shape = subject.shape(filter.property);
      return shape === undefined ? undefined : intersects(shape, filter.shape, budget);
    }
    case 'tIntersects': {
      const interval = subject.interval(filter.property);
      const { from, to } = filter.interval;
      return interval === undefined ? undefined : interval.from <= to && from <= interval.to;
    }
    default:
      return testOf(filter, subject.value(filter.property));
  }
}

function isAbsent(property: string, subject: Subject): boolean {
  const value = subject.value(property);
  if (value !== undefined) return value === null;
  return subject.shape(property) === undefined && subject.interval(property) === undefined;
}

type Test = Extract<Filter, { readonly op: 'compare' | 'between' | 'in' | 'like' }>;

function testOf(filter: Test, value: Literal | null | undefined): Truth {
  if (value === undefined || value === null) return undefined;
  switch (filter.op) {
    case 'compare':
      return comparisons[filter.comparison](orderOf(value, filter.value));
    case 'between':
      return orderOf(value, filter.low) >= 0 && orderOf(value, filter.high) <= 0;
    case 'in':
      return filter.values.some((each) => orderOf(value, each) === 0);
    default:
      return isLike(wholeLetters(String(value)), wholeLetters(filter.pattern));
  }
}

/** Unicode NFC: files of macOS decompose й and ё. */
function wholeLetters(text: string): string {
  return text.normalize('NFC');
}

function allOf(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

function negated(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

/** Orders texts by code points, as the database does. */
function orderOf(one: Literal, other: Literal): number {
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(wholeLetters(one)), Buffer.from(wholeLetters(other)));
  if (isNumber(one) && isNumber(other)) return one < other ? -1 : one > other ? 1 : 0;
  return one === other ? 0 : Number.NaN;
}

/** Numbers and bigints compare exactly. */
function isNumber(value: Literal): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

const comparisons: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/**
 * Returns whether a text matches a pattern: `%` is any characters, `_` one character, and a backslash escapes the next.
 * The number of steps is at most the product of both lengths.
 */
export function isLike(text: string, pattern: string): boolean {
  const parts = partsOf(pattern);
  const characters = [...text];
  let [at, part] = [0, 0];
  let [retryAt, retryPart] = [-1, -1];
  while (at < characters.length) {
    const wanted = parts[part];
    if (wanted === any) [retryAt, retryPart, part] = [at, part, part + 1];
    else if (wanted !== undefined && (wanted === one || wanted === characters[at]))
      [at, part] = [at + 1, part + 1];
    else if (retryPart === -1) return false;
    else [retryAt, at, part] = [retryAt + 1, retryAt + 1, retryPart + 1];
  }
  return parts.slice(part).every((rest) => rest === any);
}

const any = Symbol('%');
const one = Symbol('_');

function partsOf(pattern: string): readonly (string | symbol)[] {
  return [...pattern.matchAll(/\\([^])|([^])/gu)].map(([, taken, plain = '']) =>
    taken !== undefined ? taken : plain === '%' ? any : plain === '_' ? one : plain,
  );
}
