import {
  commaProof,
  type CommaProof,
  decideSeparator,
  pointProof,
  type Separators,
} from '../../../../common/table/number-text.ts';
import { isKatoCode, readKatoText } from '../../../../common/table/kato-code.ts';
import { hasLetterMark, legendOf, writeRemark } from '../../../../common/table/marks.ts';
import { lineOf, type MarkReading, numberPart, readValue } from '../model/cells.ts';
import { isNumbering } from './header.ts';
import type { Tally } from '../model/tally.ts';
import type { Cell, CellRemarks, Column, NumberedRow, Sheet } from '../model/types.ts';

/** Merged cells of hostile sheets may overlap. */
const maxFilled = 1_000_000;

/** The rows below the header that are not empty; a cell that is merged downwards is repeated in each of its rows. */
export function bodyRows(sheet: Sheet, start: number, names: readonly string[]): readonly NumberedRow[] {
  const copies = new Map<number, { readonly cells: Cell[]; readonly copied: Set<number> }>();
  const shared = sharedNumbers(sheet, start);
  let filled = 0;
  for (const { top, left, bottom } of sheet.merges) {
    const value = sheet.rows[top]?.[left] ?? null;
    if (top < start || value === null) continue;
    for (let row = top + 1; row <= Math.min(bottom, sheet.rows.length - 1); row += 1) {
      filled += 1;
      if (filled > maxFilled) break;
      // A row without a separate cell is a second line of the row above.
      if ((sheet.rows[row]?.length ?? 0) === 0) continue;
      const copy = copies.get(row) ?? { cells: [...(sheet.rows[row] ?? [])], copied: new Set() };
      while (copy.cells.length < left) copy.cells.push(null);
      copy.cells[left] = value;
      copy.copied.add(left);
      copies.set(row, copy);
    }
  }
  const rows: NumberedRow[] = [];
  for (let index = start; index < sheet.rows.length; index += 1) {
    const copy = copies.get(index);
    const cells = copy?.cells ?? sheet.rows[index] ?? [];
    if (cells.length === 0 || isNumbering(cells) || isHeaderAgain(cells, names)) continue;
    const ofNone = shared.get(index);
    rows.push({
      number: index + 1,
      cells,
      ...(copy === undefined ? {} : { copied: copy.copied }),
      ...(ofNone === undefined ? {} : { shared: ofNone }),
    });
  }
  return rows;
}

/** The positions of numbers in merged cells that cover several columns, or several rows with other cells. */
function sharedNumbers({ rows, merges }: Sheet, start: number): ReadonlyMap<number, Set<number>> {
  const shared = new Map<number, Set<number>>();
  const isOfOneUnit = (top: number, bottom: number, left: number): boolean =>
    merges.some((merge) => merge.top === top && merge.bottom === bottom && merge.left < left);
  let filled = 0;
  for (const { top, left, bottom, right } of merges) {
    const value = rows[top]?.[left] ?? null;
    if (top < start || value === null || typeof readValue(value).value !== 'number') continue;
    const last = Math.min(bottom, rows.length - 1);
    const covered = rows.slice(top, last + 1).filter(({ length }) => length > 0).length;
    if (right === left && (covered < 2 || isOfOneUnit(top, bottom, left))) continue;
    for (let row = top; row <= last && filled < maxFilled; row += 1) {
      const places = shared.get(row) ?? new Set();
      for (let column = left; column <= right && filled < maxFilled; column += 1) {
        places.add(column);
        filled += 1;
      }
      shared.set(row, places);
    }
  }
  return shared;
}

/** Returns true for a header that is repeated on each page. */
export function isHeaderAgain(cells: readonly Cell[], names: readonly string[]): boolean {
  const first = cells.findIndex((cell) => cell !== null);
  if (names[first] === '' || lineOf(cells[first]) !== names[first]) return false;
  const texts = cells.map(lineOf);
  const filled = texts.filter((text) => text !== '').length;
  return filled > 1 && texts.every((text, column) => text === '' || text === names[column]);
}

const heading =
  /(?:област[ьи]|обл\.?|облысы|region|oblast|province)$|:$|^(?:в том числе|из них|оның ішінде|соның ішінде|including|of which)/iu;
/** Splits rows into those of the table, headings within it, and the lines below it. */
export function partRows(rows: readonly NumberedRow[], columns: readonly Column[]) {
  const isCode = columns.map(({ role }) => role === 'code');
  const isValue = columns.map(({ role }) => role === 'value');
  const name = columns.findIndex(({ role }) => role === 'name');
  const source = columns.map((column) => column.source ?? -1);
  const has = (cells: readonly Cell[], wanted: readonly boolean[]): boolean =>
    wanted.some((isWanted, index) => isWanted && (cells[source[index] ?? -1] ?? null) !== null);
  const hasValues = isValue.includes(true);
  const code = source[columns.findIndex(({ role }) => role === 'code')] ?? -1;
  // An empty form has no rows.
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

/** The cells of rows, and the remarks on them by their columns. */
export interface ReadRows {
  readonly cells: (readonly Cell[])[];
  readonly remarks: readonly CellRemarks[];
}

/** Reads the cells of rows by the roles of their columns; `notes` are the lines around the table, which explain marks. */
export function readRows(
  rows: readonly NumberedRow[],
  columns: readonly Column[],
  { tally, notes }: { readonly tally: Tally; readonly notes: readonly string[] },
): ReadRows {
  const legend = legendOf(notes);
  const found: Map<number, string>[] = rows.map(() => new Map<number, string>());
  const readers = columns.map((column, index) => {
    const cells = (): Iterable<Cell> => rows.values().map((row) => row.cells[column.source ?? -1] ?? null);
    if (column.role === 'code') return codeReader(column, tally);
    if (column.role === 'value') {
      const reading = { legend, hasLetters: !areCurrency(cells()) };
      const separators = separatorsOf(column, cells(), tally);
      const remark = (at: number, text: string): void => void found[at]?.set(index, text);
      return valueReader(column, { separators, reading, tally, remark });
    }
    return (cell: Cell): Cell => (typeof cell === 'string' ? lineOf(cell) : cell);
  });
  const sources = columns.map(({ source }) => source ?? -1);
  const cells = rows.map(({ cells, number, copied, shared }, at) =>
    readers.map((read, index) => {
      const source = sources[index] ?? -1;
      const cell = cells[source] ?? null;
      const { name: column, role } = columns[index] ?? { name: '', role: 'note' };
      if (role === 'value' && shared?.has(source) === true) {
        if (cell !== null) tally.add('mergedValues', { row: number, column, text: String(cell) });
        return null;
      }
      if (copied?.has(source) === true) tally.add('cellsCopied', { row: number, column, text: String(cell) });
      return read(cell, number, at);
    }),
  );
  return { cells, remarks: found.map((each) => (each.size === 0 ? undefined : each)) };
}

/** Returns true if most numbers have a letter behind them: `15 р.` is a price. */
function areCurrency(cells: Iterable<Cell>): boolean {
  let [letters, numbers] = [0, 0];
  for (const cell of cells) {
    if (cell === null) continue;
    if (typeof cell === 'string' && hasLetterMark(cell)) letters += 1;
    else if (readValue(cell).kind === 'number') numbers += 1;
  }
  return letters > numbers;
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

/** Decides on the meaning of commas and points in a column, from all its cells. */
function separatorsOf({ name: column }: Column, cells: Iterable<Cell>, tally: Tally): Separators {
  const commas = createProofs();
  const points = createProofs();
  for (const cell of cells) {
    if (typeof cell !== 'string' || !/[.,]/.test(cell)) continue;
    const text = numberPart(cell).replace(/%$/, '');
    commas.add(text, commaProof(text));
    points.add(text, pointProof(text));
  }
  const found = { commas: commas.decide(), points: points.decide() };
  if (found.commas === 'ambiguous') tally.add('decimalCommasAssumed', { column, ...commas.example() });
  if (found.commas === 'mixed') tally.add('mixedCommas', { column, ...commas.example() });
  if (found.points === 'ambiguous') tally.add('decimalPointsAssumed', { column, ...points.example() });
  if (found.points === 'mixed') tally.add('mixedPoints', { column, ...points.example() });
  return found;
}

/** Collects the evidence in the cells of a column, and the first ambiguous cell. */
function createProofs() {
  const proofs = new Set<CommaProof>();
  let text: string | undefined;
  return {
    add(cell: string, proof: CommaProof | undefined): void {
      if (proof !== undefined) proofs.add(proof);
      if (proof === 'nothing') text ??= cell;
    },
    decide: () => decideSeparator(proofs),
    example: () => (text === undefined ? {} : { text }),
  };
}

interface ValueReading {
  readonly separators: Separators;
  readonly reading: MarkReading;
  readonly tally: Tally;
  /** Keeps a remark on the value in a row. */
  readonly remark: (at: number, text: string) => void;
}

function valueReader({ name: column }: Column, { separators, reading, tally, remark }: ValueReading) {
  return (cell: Cell, row: number, at: number): Cell => {
    if (cell === null) return cell;
    if (typeof cell === 'number' && cell !== 0) return cell;
    const { value, kind, marks } = readValue(cell, separators, reading);
    const text = String(cell);
    if (marks !== undefined) {
      remark(at, writeRemark(marks));
      if (kind !== 'missing') tally.add('footnoteMarks', { row, text, became: String(value), marks });
    }
    if (kind === 'negative') tally.add('negatives', { row, text, became: String(value) });
    else if (kind === 'missing') tally.add('missingMarks', { row, text, marks });
    else if (kind === 'error') tally.add('errorCells', { row, text });
    else if (kind === 'percent') tally.add('percents', { row, column, text });
    else if (kind === 'text') tally.add('textInValues', { row, column, text });
    return value;
  };
}
