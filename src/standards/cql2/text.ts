import { filterFaults } from '../../messages/standards/english.ts';
import { filterLimits, readNumber } from './filter.ts';
import { refuseFilter } from './refuse.ts';

const words = ['and', 'or', 'not', 'like', 'between', 'in', 'is', 'null', 'true', 'false'];
const comparisons = ['=', '<>', '<=', '>=', '<', '>'];
const functions: readonly string[] = ['s_intersects', 't_intersects'];

/**
 * Parses CQL2 text into CQL2 JSON; does not check names and values. @throws {Problem} `malformed` if the text is not
 * CQL2, is nested too deep, or uses an unsupported part.
 */
export function readCql2Text(text: string): unknown {
  const reader = createReader(tokensOf(text), text.length);
  const filter = readOr(reader, filterLimits.depth);
  if (reader.peek() !== undefined) reader.fail();
  return filter;
}

type Read = (reader: Reader, levels: number) => unknown;

const readOr: Read = (reader, levels) => readList(reader, levels, 'or', readAnd);
const readAnd: Read = (reader, levels) => readList(reader, levels, 'and', readNot);

function readList(reader: Reader, levels: number, op: 'and' | 'or', read: Read): unknown {
  const first = read(reader, levels);
  if (!reader.skip(op)) return first;
  const args = [first];
  do args.push(read(reader, levels));
  while (reader.skip(op));
  return { op, args };
}

function readNot(reader: Reader, levels: number): unknown {
  if (levels === 0) refuseFilter(filterFaults.tooDeep(filterLimits.depth));
  if (reader.skip('not')) return not(readNot(reader, levels - 1));
  if (!reader.skip('(')) return readPredicate(reader);
  const inner = readOr(reader, levels - 1);
  reader.expect(')');
  return inner;
}

function not(filter: unknown) {
  return { op: 'not', args: [filter] };
}

function readPredicate(reader: Reader): unknown {
  const token = reader.peek();
  const name = token?.kind === 'name' ? token.text.toLowerCase() : '';
  if (functions.includes(name) && isCall(reader)) return readRelation(reader, name);
  const operand = readOperand(reader);
  const isNegated = reader.skip('not');
  const test = readTest(reader, operand);
  if (test !== undefined) return isNegated ? not(test) : test;
  if (isNegated) return reader.fail();
  if (reader.skip('is')) {
    const isNotNull = reader.skip('not');
    reader.expect('null');
    const isNull = { op: 'isNull', args: [operand] };
    return isNotNull ? not(isNull) : isNull;
  }
  const comparison = comparisons.find((symbol) => reader.skip(symbol));
  if (comparison !== undefined) return { op: comparison, args: [operand, readOperand(reader)] };
  return typeof operand === 'boolean' ? operand : reader.fail();
}

/** Reads a predicate, optionally with NOT. */
function readTest(reader: Reader, operand: unknown): unknown {
  if (reader.skip('like')) return { op: 'like', args: [operand, readOperand(reader)] };
  if (reader.skip('between')) {
    const low = readOperand(reader);
    reader.expect('and');
    return { op: 'between', args: [operand, low, readOperand(reader)] };
  }
  if (!reader.skip('in')) return undefined;
  reader.expect('(');
  const values = [readOperand(reader)];
  while (reader.skip(',')) values.push(readOperand(reader));
  reader.expect(')');
  return { op: 'in', args: [operand, values] };
}

function readRelation(reader: Reader, op: string): unknown {
  reader.next();
  reader.expect('(');
  const args = [readOperand(reader)];
  reader.expect(',');
  args.push(readOperand(reader));
  reader.expect(')');
  return { op, args };
}

function isCall(reader: Reader): boolean {
  const token = reader.peek(1);
  return token?.kind === 'symbol' && token.text === '(';
}

function readOperand(reader: Reader): unknown {
  const token = reader.next();
  if (token.kind === 'number') return token.value;
  if (token.kind === 'text') return token.text;
  if (token.kind === 'quoted') return { property: token.text };
  if (token.kind === 'symbol') return refuseFilter(filterFaults.syntax(token.at + 1));
  const word = token.text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (words.includes(word)) return refuseFilter(filterFaults.syntax(token.at + 1));
  if (reader.peek()?.text === '(' && reader.peek()?.kind === 'symbol') return readCall(reader, word);
  return wktTypes.has(word) ? readWkt(reader, word) : { property: token.text };
}

/** Reads the arguments in parentheses after a word. */
function readCall(reader: Reader, word: string): unknown {
  if (wktTypes.has(word)) return readWkt(reader, word);
  if (!['date', 'timestamp', 'interval', 'bbox'].includes(word))
    return refuseFilter(filterFaults.unsupported(word.toUpperCase()));
  reader.expect('(');
  const values = [readOperand(reader)];
  while (reader.skip(',')) values.push(readOperand(reader));
  reader.expect(')');
  if (word === 'interval' || word === 'bbox') return { [word]: values };
  return values.length === 1 ? { [word]: values[0] } : reader.fail();
}

/** Nesting depth of the coordinates of each type. */
const wktTypes: ReadonlyMap<string, { readonly type: string; readonly levels: number }> = new Map([
  ['point', { type: 'Point', levels: 1 }],
  ['linestring', { type: 'LineString', levels: 1 }],
  ['polygon', { type: 'Polygon', levels: 2 }],
  ['multipoint', { type: 'MultiPoint', levels: 2 }],
  ['multilinestring', { type: 'MultiLineString', levels: 2 }],
  ['multipolygon', { type: 'MultiPolygon', levels: 3 }],
]);

/** Reads the coordinates after the name of a type as a GeoJSON geometry. @throws {Problem} `malformed` */
function readWkt(reader: Reader, word: string): unknown {
  const { type, levels } = wktTypes.get(word) ?? reader.fail();
  reader.skip('z');
  // Each point of a MULTIPOINT may have its own parentheses.
  const isBare = type === 'MultiPoint' && reader.peek(1)?.kind === 'number';
  const coordinates = readLists(reader, isBare ? 1 : levels, { left: filterLimits.parts });
  if (type === 'Point')
    return { type, coordinates: coordinates.length === 1 ? coordinates[0] : reader.fail() };
  return { type, coordinates: type === 'MultiPoint' && !isBare ? coordinates.flat() : coordinates };
}

interface Room {
  left: number;
}

function readLists(reader: Reader, levels: number, room: Room): unknown[] {
  reader.expect('(');
  const readPart = () => (levels === 1 ? readPosition(reader, room) : readLists(reader, levels - 1, room));
  const parts = [readPart()];
  while (reader.skip(',')) parts.push(readPart());
  reader.expect(')');
  return parts;
}

function readPosition(reader: Reader, room: Room): unknown[] {
  room.left -= 1;
  if (room.left < 0) refuseFilter(filterFaults.tooManyParts(filterLimits.parts));
  const position: number[] = [];
  for (let token = reader.peek(); token?.kind === 'number'; token = reader.peek()) {
    position.push(Number(token.value));
    reader.next();
  }
  return position.length === 2 || position.length === 3 ? position : reader.fail();
}

/** A position in the tokens of a filter. */
interface Reader {
  /** Consumes the next token if it is this symbol or word in any case; returns whether it did. */
  skip(symbolOrWord: string): boolean;
  /** Consumes this token. @throws {Problem} `malformed` if the next token differs. */
  expect(symbolOrWord: string): void;
  /** Returns a token without consuming it. */
  peek(ahead?: number): Token | undefined;
  next(): Token;
  fail(): never;
}

/** Creates a reader at the first token. @param length of the text, for faults at its end */
function createReader(tokens: readonly Token[], length: number): Reader {
  let place = 0;
  const fail = () => refuseFilter(filterFaults.syntax((tokens[place]?.at ?? length) + 1));
  const isNext = (wanted: string): boolean => {
    const token = tokens[place];
    return (token?.kind === 'symbol' || token?.kind === 'name') && token.text.toLowerCase() === wanted;
  };
  const skip = (wanted: string): boolean => {
    const isThere = isNext(wanted);
    if (isThere) place += 1;
    return isThere;
  };
  return {
    skip,
    expect(wanted) {
      if (!skip(wanted)) fail();
    },
    peek: (ahead = 0) => tokens[place + ahead],
    next: () => tokens[place++] ?? fail(),
    fail,
  };
}

type Token =
  | { readonly kind: 'name' | 'quoted' | 'text' | 'symbol'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly value: number | bigint; readonly text: string; readonly at: number };

const patterns = {
  blank: /[ \t\r\n\f\v\u00A0]+/y,
  number: /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?/iy,
  // A namespace may precede the name, as in proj:code.
  name: /[:_\p{L}][.:_\p{L}\p{M}\p{N}]*/uy,
  // A quote inside is doubled, or follows a backslash.
  text: /'(?:[^'\\]|''|\\[^])*'/y,
  quoted: /"(?:[^"])+"/y,
  symbol: /<>|<=|>=|[=<>(),/*+^%-]/y,
} as const;

/** Splits a CQL2 text into tokens in one pass. @throws {Problem} `malformed` at an invalid token. */
function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (kind: keyof typeof patterns): string | undefined => {
    const pattern = patterns[kind];
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const found = take('blank') ?? readToken(take, at, tokens) ?? refuseFilter(filterFaults.syntax(at + 1));
    at += found.length;
  }
  return tokens;
}

function readToken(
  take: (kind: keyof typeof patterns) => string | undefined,
  at: number,
  tokens: Token[],
): string | undefined {
  const number = take('number');
  if (number !== undefined) {
    tokens.push({ kind: 'number', value: readNumber(number) ?? Number(number), text: number, at });
    return number;
  }
  for (const kind of ['name', 'text', 'quoted', 'symbol'] as const) {
    const found = take(kind);
    if (found === undefined) continue;
    tokens.push({ kind, text: tokenValue(kind, found), at });
    return found;
  }
  return undefined;
}

function tokenValue(kind: 'name' | 'text' | 'quoted' | 'symbol', found: string): string {
  if (kind === 'quoted') return found.slice(1, -1);
  return kind === 'text' ? found.slice(1, -1).replaceAll(/''|\\'/g, "'") : found;
}
