import { filterFaults } from '../../messages/standards/english.ts';
import { readShape, shapeOfBbox } from '../shapes.ts';
import { type Interval, parseDay, parseInstant } from '../times.ts';
import {
  type Comparison,
  type Filter,
  filterLimits,
  type Literal,
  type FilterRules,
  type PropertyType,
} from './filter.ts';
import { refuseFilter } from './refuse.ts';

const flipped: Readonly<Record<Comparison, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** Remaining number of parts. */
interface Room {
  parts: number;
}

type Check = (args: readonly unknown[], asked: Asked) => Filter;

interface Asked extends FilterRules {
  readonly room: Room;
  readonly levels: number;
  readonly op: string;
}

/**
 * Checks a filter in CQL2 JSON. @returns the filter with known properties, values of their types and a bounded number of parts
 * @throws {Problem} `malformed` with the first fault
 */
export function checkFilter(filter: unknown, rules: FilterRules): Filter {
  return check(filter, { ...rules, room: { parts: filterLimits.parts }, levels: filterLimits.depth });
}

function check(filter: unknown, asked: Omit<Asked, 'op'>): Filter {
  take(asked.room, 1);
  if (typeof filter === 'boolean') return { op: 'constant', value: filter };
  if (asked.levels === 0) refuseFilter(filterFaults.tooDeep(filterLimits.depth));
  const { op, args } = Object(filter);
  if (typeof op !== 'string' || !Array.isArray(args)) refuseFilter(filterFaults.notAnOperation);
  const known = Object.hasOwn(checks, op) ? checks[op] : undefined;
  if (known === undefined) return refuseFilter(filterFaults.unsupported(op));
  if (asked.areOthersAbsent === true && args.some((arg) => isAbsent(arg, asked.queryables))) {
    take(asked.room, args.length);
    return { op: 'constant', value: op === 'isNull' ? true : null };
  }
  return known(args, { ...asked, op });
}

function take(room: Room, parts: number): void {
  room.parts -= parts;
  if (room.parts < 0) refuseFilter(filterFaults.tooManyParts(filterLimits.parts));
}

const checkLogic =
  (op: 'and' | 'or'): Check =>
  (args, asked) =>
    args.length === 0
      ? refuseFilter(filterFaults.wrongArguments(op))
      : { op, filters: args.map((arg) => check(arg, { ...asked, levels: asked.levels - 1 })) };

const checkComparison =
  (comparison: Comparison): Check =>
  (args, asked) => {
    const [first, second] = exactly(2, args, asked);
    const isTurned = propertyName(first) === undefined;
    const { property, type } = propertyOf(isTurned ? second : first, asked);
    const value = literalOf(isTurned ? first : second, { property, type }, asked);
    if (typeof value === 'boolean' && comparison !== '=' && comparison !== '<>')
      refuseFilter(filterFaults.wrongValue(property, type));
    return { op: 'compare', property, comparison: isTurned ? flipped[comparison] : comparison, value };
  };

const checks: Readonly<Record<string, Check>> = {
  and: checkLogic('and'),
  or: checkLogic('or'),
  not: (args, asked) => {
    const [filter] = exactly(1, args, asked);
    return { op: 'not', filter: check(filter, { ...asked, levels: asked.levels - 1 }) };
  },
  '=': checkComparison('='),
  '<>': checkComparison('<>'),
  '<': checkComparison('<'),
  '<=': checkComparison('<='),
  '>': checkComparison('>'),
  '>=': checkComparison('>='),
  between: (args, asked) => {
    const [first, low, high] = exactly(3, args, asked);
    const named = propertyOf(first, asked);
    return {
      op: 'between',
      property: named.property,
      low: literalOf(low, named, asked),
      high: literalOf(high, named, asked),
    };
  },
  in: (args, asked) => {
    const [first, list] = exactly(2, args, asked);
    const named = propertyOf(first, asked);
    if (!Array.isArray(list) || list.length === 0) return refuseFilter(filterFaults.wrongArguments('in'));
    return {
      op: 'in',
      property: named.property,
      values: list.map((value) => literalOf(value, named, asked)),
    };
  },
  like: (args, asked) => {
    const [first, pattern] = exactly(2, args, asked);
    const { property, type } = propertyOf(first, asked);
    take(asked.room, 1);
    const most = filterLimits.patternCharacters;
    if (!isText(type) || typeof pattern !== 'string' || pattern.length > most || !isStorable(pattern))
      return refuseFilter(filterFaults.wrongPattern(property, most));
    return { op: 'like', property, pattern };
  },
  isNull: (args, asked) => {
    const [first] = exactly(1, args, asked);
    return { op: 'isNull', property: propertyOf(first, asked).property };
  },
  s_intersects: (args, asked) => {
    const [property, value] = relation(args, asked, 'geometry');
    const { bbox } = Object(value);
    const shape = Array.isArray(bbox)
      ? shapeOfBbox(bbox.filter((each) => typeof each === 'number'))
      : readShape(value, filterLimits.parts);
    if (shape === undefined) return refuseFilter(filterFaults.wrongGeometry(filterLimits.parts));
    take(asked.room, shape.points.length + shape.lines.flat().length + shape.polygons.flat(2).length);
    return { op: 'sIntersects', property, shape };
  },
  t_intersects: (args, asked) => {
    const [property, value] = relation(args, asked, 'time');
    take(asked.room, 1);
    const interval = intervalOf(value);
    if (interval === undefined) return refuseFilter(filterFaults.wrongValue(property, 'time'));
    return { op: 'tIntersects', property, interval };
  },
};

function exactly(count: number, args: readonly unknown[], { op }: Asked): readonly unknown[] {
  return args.length === count ? args : refuseFilter(filterFaults.wrongArguments(op));
}

/** Returns the property and the value of a comparison, in either order. */
function relation(
  args: readonly unknown[],
  asked: Asked,
  type: PropertyType,
): readonly [property: string, value: unknown] {
  const [first, second] = exactly(2, args, asked);
  const isTurned = propertyName(first) === undefined;
  const named = propertyOf(isTurned ? second : first, asked);
  const isOfType = named.type === type || (type === 'time' && named.type === 'date');
  if (!isOfType) refuseFilter(filterFaults.wrongValue(named.property, named.type));
  return [named.property, isTurned ? first : second];
}

interface Named {
  readonly property: string;
  readonly type: PropertyType;
}

function propertyName(value: unknown): string | undefined {
  const { property } = Object(value);
  return typeof property === 'string' ? property : undefined;
}

function isAbsent(value: unknown, queryables: FilterRules['queryables']): boolean {
  const name = propertyName(value);
  return name !== undefined && !Object.hasOwn(queryables, name);
}

function propertyOf(value: unknown, { queryables, room, op }: Asked): Named {
  take(room, 1);
  const property = propertyName(value);
  if (property === undefined) return refuseFilter(filterFaults.noProperty(op));
  const type = Object.hasOwn(queryables, property) ? queryables[property] : undefined;
  return type === undefined ? refuseFilter(filterFaults.unknownProperty(property)) : { property, type };
}

function literalOf(value: unknown, { property, type }: Named, { room }: Asked): Literal {
  take(room, 1);
  return readLiteral(value, type) ?? refuseFilter(filterFaults.wrongValue(property, type));
}

/** Parses a CQL2 JSON value for comparison with a property of this type; undefined for anything else. */
export function readLiteral(value: unknown, type: PropertyType): Literal | undefined {
  const isNumber = typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
  switch (type) {
    case 'number':
    case 'integer':
      return isNumber ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'time':
      return timeOf(value);
    case 'date':
      return dateText(timeOf(value));
    case 'string': {
      // Dates in text columns have this form, or no filter could match them.
      const { date } = Object(value);
      const text: unknown = typeof date === 'string' && parseDay(date) !== undefined ? date : value;
      return typeof text === 'string' && isStorable(text) ? text : undefined;
    }
    default:
      return undefined;
  }
}

const isText = (type: PropertyType): boolean => type === 'string' || type === 'date';

/** Formats midnight as a date, and any other time as a text that orders after its day. */
function dateText(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString().replace('T00:00:00.000Z', '');
}

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

/** A date stands for its start. Many clients send times as plain text. */
function timeOf(value: unknown): number | undefined {
  const from = spanOf(value)?.from;
  return from === -Infinity ? undefined : from;
}

function intervalOf(value: unknown): Interval | undefined {
  const { interval } = Object(value);
  if (!Array.isArray(interval)) return spanOf(value);
  const [first, last] = [spanOf(interval[0]), spanOf(interval[1])];
  if (interval.length !== 2 || first === undefined || last === undefined || first.from > last.to)
    return undefined;
  return { from: first.from, to: last.to };
}

/** A time, a whole day, or an unbounded span. */
function spanOf(value: unknown): Interval | undefined {
  if (value === '..') return { from: -Infinity, to: Infinity };
  const { timestamp, date } = Object(value);
  const text = [timestamp, date, value].find((each) => typeof each === 'string');
  if (typeof text !== 'string') return undefined;
  const at = parseInstant(text);
  return at === undefined ? parseDay(text) : { from: at, to: at };
}
