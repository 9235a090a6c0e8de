import {
  type CommaFormat,
  commaProof,
  type CommaProof,
  decideCommas,
} from '../../../common/table/number-text.ts';
import { isKatoCode, readKatoText } from '../../../common/table/kato-code.ts';
import { lineOf, numberPart, readValue } from './cells.ts';
import { isNumbering } from './header.ts';
import type { Tally } from './tally.ts';
import type { Cell, Column, Sheet } from './types.ts';

/** A row of a sheet, with its number as the sheet counts: from 1. */
export interface NumberedRow {
  readonly number: number;
  readonly cells: readonly Cell[];
}

/** Merged cells of hostile sheets may lie over each other. */
const maxFilled = 1_000_000;

/** The rows below the header that are not empty; a cell that is merged downwards stands in each of its rows. */
export function bodyRows(sheet: Sheet, start: number, names: readonly string[]): readonly NumberedRow[] {
  const copies = new Map<number, Cell[]>();
  let filled = 0;
  for (const { top, left, bottom } of sheet.merges) {
    const value = sheet.rows[top]?.[left] ?? null;
    if (top < start || value === null) continue;
    for (let row = top + 1; row <= Math.min(bottom, sheet.rows.length - 1); row += 1) {
      filled += 1;
      if (filled > maxFilled) break;
      const copy = copies.get(row) ?? [...(sheet.rows[row] ?? [])];
      while (copy.length < left) copy.push(null);
      copy[left] = value;
      copies.set(row, copy);
    }
  }
  const rows: NumberedRow[] = [];
  for (let index = start; index < sheet.rows.length; index += 1) {
    const cells = copies.get(index) ?? sheet.rows[index] ?? [];
    if (cells.length === 0 || isNumbering(cells) || isHeaderAgain(cells, names)) continue;
    rows.push({ number: index + 1, cells });
  }
  return rows;
}

/** A header that is printed on each page. */
function isHeaderAgain(cells: readonly Cell[], names: readonly string[]): boolean {
  const first = cells.findIndex((cell) => cell !== null);
  if (names[first] === '' || lineOf(cells[first]) !== names[first]) return false;
  const texts = cells.map(lineOf);
  const filled = texts.filter((text) => text !== '').length;
  return filled > 1 && texts.every((text, column) => text === '' || text === names[column]);
}

const heading =
  /(?:област[ьи]|обл\.?|облысы|region|oblast|province)$|:$|^(?:в том числе|из них|оның ішінде|соның ішінде|including|of which)/iu;
const total =
  /^(?:всего|итого|в целом|барлығы|жиыны|жалпы|total|республика казахстан|қазақстан(?: республикасы)?|казахстан|kazakhstan|republic of kazakhstan|по республике)(?![\p{L}])/iu;

/** Rows apart: those of the table, headings within it, and the lines below it. */
export function partRows(rows: readonly NumberedRow[], columns: readonly Column[]) {
  const isCode = columns.map(({ role }) => role === 'code');
  const isValue = columns.map(({ role }) => role === 'value');
  const name = columns.findIndex(({ role }) => role === 'name');
  const source = columns.map((column) => column.source ?? -1);
  const has = (cells: readonly Cell[], wanted: readonly boolean[]): boolean =>
    wanted.some((isWanted, index) => isWanted && (cells[source[index] ?? -1] ?? null) !== null);
  const hasValues = isValue.includes(true);
  const code = source[columns.findIndex(({ role }) => role === 'code')] ?? -1;
  // A form that is still to be filled in has no row.
  const isBlank = hasValues && !rows.some(({ cells }) => has(cells, isValue));
  const last = rows.findLastIndex(({ cells }) => {
    if (isBlank) return false;
    if (isKatoCode(readKatoText(lineOf(cells[code])).katoCode)) return true;
    if (hasValues) return has(cells, isValue) && cells.filter((cell) => cell !== null).length > 1;
    return (cells[source[name] ?? -1] ?? null) !== null;
  });
  const kept: NumberedRow[] = [];
  const headings: NumberedRow[] = [];
  for (const row of rows.slice(0, last + 1)) {
    const filled = row.cells.filter((cell) => cell !== null);
    const isHeading =
      hasValues && !has(row.cells, isValue) && !has(row.cells, isCode) && new Set(filled).size === 1;
    if (isHeading && heading.test(lineOf(filled[0]))) headings.push(row);
    else kept.push(row);
  }
  return { kept, headings, below: rows.slice(last + 1) };
}

/** Returns whether a row is the sum of others by its name. */
export function isTotal(name: Cell | undefined): boolean {
  return total.test(lineOf(name));
}

/** Reads the cells of rows by the roles of their columns. */
export function readRows(
  rows: readonly NumberedRow[],
  columns: readonly Column[],
  tally: Tally,
): (readonly Cell[])[] {
  const readers = columns.map((column) => {
    const cells = (): Iterable<Cell> => rows.values().map((row) => row.cells[column.source ?? -1] ?? null);
    if (column.role === 'code') return codeReader(column, tally);
    if (column.role === 'value') return valueReader(column, commasOf(column, cells(), tally), tally);
    return (cell: Cell): Cell => (typeof cell === 'string' ? lineOf(cell) : cell);
  });
  const sources = columns.map(({ source }) => source ?? -1);
  return rows.map(({ cells, number }) =>
    readers.map((read, index) => read(cells[sources[index] ?? -1] ?? null, number)),
  );
}

function codeReader({ name: column }: Column, tally: Tally) {
  return (cell: Cell, row: number): Cell => {
    if (cell === null) return null;
    const text = String(cell);
    const { katoCode, repairedFrom, isShortened } = readKatoText(text);
    if (!isKatoCode(katoCode)) tally.add('codesUnreadable', { row, column, text });
    else if (typeof cell === 'number') tally.add('codesWereNumbers', { row, column, text });
    else if (repairedFrom !== undefined)
      tally.add(isShortened === true ? 'codesShortened' : 'codesRepaired', {
        row,
        column,
        text,
        became: katoCode,
      });
    return katoCode;
  };
}

/** Decides what the commas of a column mean, from all its cells. */
function commasOf({ name: column }: Column, cells: Iterable<Cell>, tally: Tally): CommaFormat | undefined {
  const proofs = new Set<CommaProof>();
  let example: string | undefined;
  for (const cell of cells) {
    if (typeof cell !== 'string' || !cell.includes(',')) continue;
    const text = numberPart(cell).replace(/%$/, '');
    const proof = commaProof(text);
    if (proof === undefined) continue;
    proofs.add(proof);
    if (proof === 'nothing') example ??= text;
  }
  const commas = decideCommas(proofs);
  const text = example === undefined ? {} : { text: example };
  if (commas === 'ambiguous') tally.add('decimalCommasAssumed', { column, ...text });
  if (commas === 'mixed') tally.add('mixedCommas', { column, ...text });
  return commas;
}

function valueReader({ name: column }: Column, commas: CommaFormat | undefined, tally: Tally) {
  return (cell: Cell, row: number): Cell => {
    if (typeof cell === 'number' || cell === null) return cell;
    const { value, kind } = readValue(cell, commas);
    if (kind === 'missing') tally.add('missingMarks', { row, text: cell });
    else if (kind === 'error') tally.add('errorCells', { row, text: cell });
    else if (kind === 'percent') tally.add('percents', { row, column, text: cell });
    else if (kind === 'text') tally.add('textInValues', { row, column, text: cell });
    return value;
  };
}
