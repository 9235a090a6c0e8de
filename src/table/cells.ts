import { EngineDied } from '../geo/engine.ts';
import { parseNumberText, parsePlainNumber, type Separators } from '../../common/table/number-text.ts';

/** A cell of an attribute table: the JSON text of its value, with the digits of the file. */
export type Cell = string;

/** Value that an observation stores for a cell: a finite number, otherwise the text, otherwise null. */
export type Reading = number | string | null;

const openers = new Set(['[', '{']);
/** Fast path: most cells match, and the general path costs ten times as much. */
const plainJsonNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const jsonSpace = new Set([' ', '\t', '\n', '\r']);

const codes = {
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

/** Splits a valid JSON array into the JSON texts of its items, unchanged; at most one more than `maxCells`. */
export function splitCells(row: string, maxCells = Infinity): Cell[] {
  const cells: Cell[] = [];
  const end = row.lastIndexOf(']');
  let start = row.indexOf('[') + 1;
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const code = row.charCodeAt(at);
    if (code === codes.comma) {
      if (depth > 0) continue;
      cells.push(row.slice(start, at).trim());
      if (cells.length > maxCells) return cells;
      start = at + 1;
    } else if (code === codes.quote) at = endOfString(row, at);
    else if (code === codes.openBracket || code === codes.openBrace) depth += 1;
    else if (code === codes.closeBracket || code === codes.closeBrace) depth -= 1;
  }
  const last = row.slice(start, end).trim();
  if (cells.length > 0 || last !== '') cells.push(last);
  return cells;
}

/** Returns the index of the quote that ends the string starting at `start`. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - 1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Returns the value that an observation stores for a cell. @throws {EngineDied} if the cell is not JSON. */
export function readCell(cell: Cell | undefined, separators: Separators | undefined): Reading {
  if (cell !== undefined && plainJsonNumber.test(cell)) return parsePlainNumber(cell) ?? cell;
  const text = cellText(cell);
  return text === undefined ? null : (parseNumberText(text, separators) ?? text);
}

/**
 * Returns a cell as text, or undefined if it is empty (null, missing or blank): strings unchanged, numbers digit by digit, objects and
 * arrays as JSON without white space. U+0000 and unpaired surrogates, which PostgreSQL text cannot hold, become U+FFFD.
 * @throws {EngineDied} if a cell is not JSON.
 */
export function cellText(cell: Cell | undefined): string | undefined {
  if (cell === undefined || cell === 'null' || cell === '') return undefined;
  const text = cell.startsWith('"') ? parseString(cell) : compact(cell);
  return text.trim() === '' ? undefined : text.replaceAll('\u0000', '\ufffd').toWellFormed();
}

/**
 * Returns a cell as text independent of number spelling, or undefined if it is empty: integers without exponent, other
 * numbers in their shortest form. Digits beyond the precision of a double are preserved.
 */
export function plainText(cell: Cell | undefined): string | undefined {
  const text = cellText(cell);
  return text === undefined || cell?.startsWith('"') ? text : (plainNumber(text) ?? text);
}

function parseString(cell: Cell): string {
  try {
    const parsed: unknown = JSON.parse(cell);
    return typeof parsed === 'string' ? parsed : cell;
  } catch (error) {
    throw new EngineDied('a cell that begins like a text is none', { cause: error });
  }
}

/**
 * Removes white space outside strings. Collects character codes in an array: text that grows by single characters takes
 * thirty times the memory.
 */
function compact(cell: Cell): string {
  if (!openers.has(cell.charAt(0)) || !/[ \t\n\r]/.test(cell)) return cell;
  const kept = new Uint16Array(cell.length);
  let length = 0;
  for (let at = 0; at < cell.length; at += 1) {
    if (jsonSpace.has(cell.charAt(at))) continue;
    const end = cell.charAt(at) === '"' ? Math.min(endOfString(cell, at), cell.length - 1) : at;
    for (; at < end; length += 1, at += 1) kept[length] = cell.charCodeAt(at);
    kept[length] = cell.charCodeAt(at);
    length += 1;
  }
  return Buffer.from(kept.buffer, 0, 2 * length).toString('utf16le');
}

const jsonNumber = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Longer numbers are not written out (the largest double has 309 digits) but stay as in the file. */
const longestNumber = 400;

function plainNumber(text: string): string | undefined {
  const decimal = decimalOf(text);
  if (decimal === undefined) return undefined;
  const { negative, digits, scale } = decimal;
  const minus = negative ? '-' : '';
  if (scale >= 0) return minus + digits + '0'.repeat(scale);
  const shortest = String(Number(text));
  const held = decimalOf(shortest);
  if (held?.digits === digits && held.scale === scale) return shortest;
  const padded = digits.padStart(1 - scale, '0');
  return `${minus}${padded.slice(0, scale)}.${padded.slice(scale)}`;
}

/** Returns the exact value of a JSON number: `digits` times ten to the power of `scale`, without insignificant zeros. */
function decimalOf(text: string): { negative: boolean; digits: string; scale: number } | undefined {
  const match = text.length > longestNumber ? null : jsonNumber.exec(text);
  if (match === null) return undefined;
  const [, minus = '', whole = '', fraction = '', power = '0'] = match;
  if (Math.abs(Number(power)) > longestNumber) return undefined;
  const all = (whole + fraction).replace(/^0+/, '');
  if (all === '') return { negative: false, digits: '0', scale: 0 };
  const digits = all.replace(/0+$/, '');
  const scale = Number(power) - fraction.length + (all.length - digits.length);
  return { negative: minus !== '', digits, scale };
}
