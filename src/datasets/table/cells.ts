import { EngineDied } from '../../geo/engine.ts';
import { type CommaFormat, parseNumberText } from './number-text.ts';

/** A cell of an attribute table: the JSON text of its value, its digits as the file has them. */
export type Cell = string;

export interface Reading {
  readonly value: number | null;
  readonly valueText: string | null;
}

const empty: Reading = { value: null, valueText: null };
const openers = new Set(['[', '{']);
const closers = new Set([']', '}']);
const jsonSpace = new Set([' ', '\t', '\n', '\r']);

/** Cuts a valid JSON array into the JSON texts of its items, unchanged; at most one more than `maxCells`. */
export function splitCells(row: string, maxCells = Infinity): Cell[] {
  const cells: Cell[] = [];
  const end = row.lastIndexOf(']');
  let start = row.indexOf('[') + 1;
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const character = row.charAt(at);
    if (character === '"') at = endOfString(row, at);
    else if (openers.has(character)) depth += 1;
    else if (closers.has(character)) depth -= 1;
    else if (character === ',' && depth === 0) {
      cells.push(row.slice(start, at).trim());
      if (cells.length > maxCells) return cells;
      start = at + 1;
    }
  }
  const last = row.slice(start, end).trim();
  return cells.length === 0 && last === '' ? [] : [...cells, last];
}

/** Returns the place of the quote that ends the string which begins at `start`. */
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

/** Reads what an observation stores of a cell: a finite number, else the text, else nothing. */
export function readCell(cell: Cell | undefined, commas: CommaFormat | undefined): Reading {
  const text = cellText(cell);
  if (text === undefined) return empty;
  const value = parseNumberText(text, commas);
  return value === undefined ? { value: null, valueText: text } : { value, valueText: null };
}

/**
 * Returns a cell as text, or undefined when it is empty (null, missing or blanks alone): strings as they are, numbers digit by
 * digit, objects and arrays as JSON without white space. U+0000 and halves of surrogate pairs, which no database text
 * can hold, become U+FFFD.
 * @throws {EngineDied} when a cell is no JSON.
 */
export function cellText(cell: Cell | undefined): string | undefined {
  if (cell === undefined || cell === 'null' || cell === '') return undefined;
  const text = cell.startsWith('"') ? parseString(cell) : compact(cell);
  return text.trim() === '' ? undefined : text.replaceAll('\u0000', '\ufffd').toWellFormed();
}

/**
 * Returns a cell as text that shows its value rather than its spelling, or undefined when it is empty: a number as an integer
 * without exponent where it is one, else in its shortest form. Digits that a double cannot hold are kept.
 */
export function plainText(cell: Cell | undefined): string | undefined {
  const text = cellText(cell);
  return text === undefined || cell?.startsWith('"') ? text : (plainNumber(text) ?? text);
}

/** Returns the KATO code in a cell, or undefined when it is empty. */
export function katoCode(cell: Cell | undefined): string | undefined {
  return plainText(cell)?.trim();
}

function parseString(cell: Cell): string {
  try {
    const parsed: unknown = JSON.parse(cell);
    return typeof parsed === 'string' ? parsed : cell;
  } catch (error) {
    throw new EngineDied('a cell that begins like a text is none', { cause: error });
  }
}

/** Removes white space outside of strings. Gathers numbers: a text that grows by single characters takes thirty times the memory. */
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
/** Nothing longer is written out (the largest double has 309 digits); such a number stays as the file has it. */
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

/** Returns the exact value of a JSON number: `digits` times ten to the power of `scale`, without zeros that do not matter. */
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
