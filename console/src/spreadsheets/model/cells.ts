import { parseNumberText, type Separators } from '../../../../common/table/number-text.ts';
import { readPeriod, type ReadPeriod } from '../../../../common/table/periods/read.ts';
import { isKatoCode, readKatoText } from '../../../../common/table/kato-code.ts';
import {
  type BareNumber,
  isRoundedZero,
  type Mark,
  type MarkLegend,
  meaningOf,
  readMark,
  withoutFootnote,
  withoutMarks,
} from '../../../../common/table/marks.ts';
import type { Cell } from './types.ts';

/** The apparent kind of a cell, independent of its column. */
export type Kind = 'empty' | 'code' | 'number' | 'period' | 'missing' | 'error' | 'text';

/** Placeholders for missing values without a meaning of their own; `readMark` knows the others. */
const missing = /^(?:[_]+|null)$/i;
const error =
  /^#(?:N\/A|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|NULL!|SPILL!|CALC!|Н\/Д|ДЕЛ\/0!|ЗНАЧ!|ССЫЛКА!|ИМЯ\?|ЧИСЛО!|ПУСТО!)$/i;
/** A negative number in accounting notation. */
const inParentheses = /^\(\s*([^()+\-\u2212]*\d[^()]*)\)$/;
/** A number with a word or a sign that makes it a bound: `менее 5`, `<5`, `5 и более`. */
const bounded =
  /^(?:[<>≤≥~≈]\s*|(?:не\s+)?(?:менее|более|меньше|больше|до|от|свыше|около|порядка|примерно|less than|more than|under|over|about|up to)\s+)\d[\d\s.,]*%?$|^\d[\d\s.,]*%?\s*(?:и более|и менее|и выше|и ниже|and more|and over|and less|дейін|жоғары|аз|астам|көп)$/iu;
const plainNumber = /^-?\d+(?:\.\d+)?$/;
const firstYear = 1900;
const lastYear = 2099;

/** The result of reading a cell of values. */
export interface Reading {
  /** Null if the cell is empty or has a placeholder; text if it is not a number. */
  readonly value: number | string | null;
  readonly kind: 'number' | 'negative' | 'percent' | 'missing' | 'error' | 'text' | 'empty';
  /** The marks behind the number, or in the place of a value. */
  readonly marks?: readonly Mark[];
}

/** Choices for reading the marks of a column. */
export interface MarkReading {
  /** Explanations in the notes of the table. */
  readonly legend?: MarkLegend;
  /** False if a letter behind numbers is a currency. */
  readonly hasLetters?: boolean;
}

const nothing: Reading = { value: null, kind: 'empty' };

/** Reads a cell of values. */
export function readValue(cell: Cell, separators?: Separators, reading: MarkReading = {}): Reading {
  if (cell === null) return nothing;
  const { legend } = reading;
  if (typeof cell === 'number') return { value: cell, kind: 'number', ...smallOf(cell === 0, '0', legend) };
  if (plainNumber.test(cell) && separators?.points !== 'thousands')
    return { value: Number(cell), kind: 'number', ...smallOf(isRoundedZero(cell), cell, legend) };
  const { number: bare, marks: signs } = numberAndMarks(cell, reading.hasLetters);
  const marks = signs.length === 0 ? {} : { marks: signs.map((sign) => meaningOf(sign, legend)) };
  const negative = inParentheses.exec(bare)?.[1];
  const amount = negative ?? bare;
  const isPercent = amount.endsWith('%');
  const value = parseNumberText(isPercent ? amount.slice(0, -1) : amount, separators);
  if (value !== undefined && negative !== undefined) return { value: -value, kind: 'negative', ...marks };
  if (value !== undefined) {
    const small = signs.length === 0 ? smallOf(isRoundedZero(amount), amount, legend) : marks;
    return { value, kind: isPercent ? 'percent' : 'number', ...small };
  }
  const mark = readMark(cell, legend);
  if (mark !== undefined) return { value: null, kind: 'missing', marks: [mark] };
  if (missing.test(bare)) return { value: null, kind: 'missing' };
  if (error.test(bare)) return { value: null, kind: 'error' };
  return { value: cell.trim(), kind: 'text' };
}

/** A zero is a small amount if the notes of the table say so. */
function smallOf(isZero: boolean, text: string, legend: MarkLegend | undefined): Pick<Reading, 'marks'> {
  const small = isZero ? legend?.get('0,0') : undefined;
  return small === undefined ? {} : { marks: [{ ...small, sign: text, text: `${text} ${small.text}` }] };
}

/** Returns true if a text is a bound instead of a number, such as `менее 5`, and not a name. */
export function isBounded(cell: Cell): boolean {
  return typeof cell === 'string' && bounded.test(cell.trim());
}

/** The text of a number without surrounding characters. */
export function numberPart(cell: string, hasLetters?: boolean): string {
  return numberAndMarks(cell, hasLetters).number;
}

/** Separates a number from the marks behind it. A word behind a year belongs to the period: `2023 (оценка)`. */
function numberAndMarks(cell: string, hasLetters?: boolean): BareNumber {
  const found = withoutMarks(cell, hasLetters);
  if (found.marks.length === 0 || !likePeriod.test(found.number)) return found;
  const { number, marks } = withoutMarks(cell, false);
  return marks.every((mark) => !/\p{L}/u.test(mark)) ? { number, marks } : { number: cell.trim(), marks: [] };
}

/** Returns the apparent kind of a cell. Four digits that can be a year count as a period. */
export function kindOf(cell: Cell): Kind {
  if (cell === null) return 'empty';
  if (typeof cell === 'number') {
    if (Number.isInteger(cell) && cell >= firstYear && cell <= lastYear) return 'period';
    return isKatoCode(String(cell)) ? 'code' : 'number';
  }
  const { kind } = readValue(cell);
  if (kind === 'missing' || kind === 'error') return kind;
  // `1.1E8` is the shortest text of a code.
  if (cell.length >= shortestCode && isKatoCode(readKatoText(cell).katoCode)) return 'code';
  if (kind !== 'text' && !likePeriod.test(numberPart(cell))) return 'number';
  if (periodOf(cell)?.note === '') return 'period';
  return kind === 'text' ? 'text' : 'number';
}

const shortestCode = 5;
/** Numbers that can be a year, or a year and a month. */
const likePeriod = /^\s*(?:\d{4}(?:\.0|\.\d\d)?|\d\d?\.\d{4})\s*$/;

const periods = new Map<string, ReadPeriod | undefined>();
const maxKnownPeriods = 10_000;

/** Reads the period in a cell. Results are cached, since a sheet has few different periods and each takes time. */
export function periodOf(cell: Cell): ReadPeriod | undefined {
  if (cell === null) return undefined;
  const text = withoutFootnote(String(cell));
  if (periods.has(text)) return periods.get(text);
  if (periods.size > maxKnownPeriods) periods.clear();
  const period = readPeriod(text);
  periods.set(text, period);
  return period;
}

/** Returns the text of a cell in one line, as in a header. */
export function lineOf(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  return String(cell)
    .replaceAll('\u00ad', '')
    .replaceAll(/[\s\u00a0\u200b\ufeff]+/g, ' ')
    .trim();
}

/** The letters of a column in a spreadsheet. */
export function letterOf(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : letterOf(Math.floor(column / 26) - 1) + letter;
}
