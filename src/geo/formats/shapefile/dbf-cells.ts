import type { Charset } from '../../../../common/charset/charset.ts';
import { withoutCutCharacter } from './charset/cut-character.ts';
import type { DbfField } from './records.ts';

/** A row of a table, the deletion mark before all; `letters` has one character from U+0000 to U+00FF for each byte. */
export interface DbfRow {
  readonly bytes: Buffer;
  readonly letters: string;
}

/** Returns the JSON text of a cell. */
export type ReadCell = (row: DbfRow) => string;

/** What a reader of cells needs beside them. */
interface CellReading {
  readonly charset: Charset;
  /** Is called for each cell of a date column that holds none. */
  readonly noDate: () => void;
  readonly marks: NullMarks;
}

/** How the cells of a column are written. */
interface CellKind {
  /** Whether the bytes are letters in the charset of the table. */
  readonly isText: boolean;
  /** Whether a cell can be read; without it each one can. A column of which one cannot is left out. */
  readonly canRead?: (cell: Buffer) => boolean;
  readonly reader: (field: DbfField, reading: CellReading) => ReadCell;
}

const blank = 0x20;
const nullJson = 'null';

const isBlank = (cell: Buffer) => cell.every((byte) => byte === blank || byte === 0);
const isFilledWith = (cell: Buffer, filler: number) => cell.every((byte) => byte === filler);

/** Whether a cell of an unknown type can be a text: other control characters are a sign of binary values. */
const isPrintable = (cell: Buffer) =>
  cell.every((byte) => byte >= blank || byte === 0 || (byte >= 9 && byte <= 13));

const text: CellKind = { isText: true, reader: textReader };
const unknown: CellKind = { isText: true, canRead: isPrintable, reader: textReader };
/** Points into another file, or holds what is none of text, number and date. */
const opaque: CellKind = { isText: false, canRead: isBlank, reader: () => () => nullJson };
const number: CellKind = {
  isText: true,
  reader: (field, { charset }) => lettersReader(field, charset, numberCell),
};
const date: CellKind = {
  isText: true,
  reader: (field, { charset, noDate }) =>
    lettersReader(field, charset, (letters) => dateCell(letters, noDate)),
};
const logical: CellKind = {
  isText: true,
  reader: (field, { charset }) =>
    lettersReader(field, charset, (letters) => (/^(?:\?|\**)$/.test(letters) ? nullJson : undefined)),
};

const int32 = binary((cell) => String(cell.readInt32LE()));
const float64 = binary((cell) => doubleText(cell.readDoubleLE()));
const currency = binary((cell) => currencyText(cell.readBigInt64LE()));
const moment: CellKind = {
  ...binary((cell) => momentText(cell.readUInt32LE(), cell.readUInt32LE(4))),
  canRead: (cell) => isBlank(cell) || isMoment(cell.readUInt32LE(), cell.readUInt32LE(4)),
};

/** Kinds by the type of a column and, where it matters, its length. */
const kinds: Readonly<Record<string, CellKind>> = {
  C: text,
  V: text,
  N: number,
  F: number,
  D: date,
  L: logical,
  I4: int32,
  B8: float64,
  Y8: currency,
  T8: moment,
  '@8': moment,
  // Memos, pictures, objects, bytes; and those whose order of bytes only dBase 7 can tell.
  ...Object.fromEntries(['M', 'G', 'P', 'W', 'Q', 'B', '+', 'O'].map((type) => [type, opaque])),
};

/** Creates the reader of a column's cells. */
export function createCellReader(field: DbfField, reading: CellReading): ReadCell {
  const endOf = reading.marks.endOf(field);
  const read =
    endOf === undefined ? kindOf(field).reader(field, reading) : exactReader(field, endOf, reading);
  const isNull = reading.marks.nullOf(field);
  return isNull === undefined ? read : (row) => (isNull(row.bytes) ? nullJson : read(row));
}

/** Reads texts that may end in blanks. */
function exactReader(
  { offset }: DbfField,
  endOf: (row: Buffer) => number,
  { charset }: CellReading,
): ReadCell {
  const decode = createDecoder(charset);
  return ({ bytes }) => {
    const end = endOf(bytes);
    return end === offset ? nullJson : decode(bytes.subarray(offset, end));
  };
}

/** Returns how the cells of a column are written. */
export function kindOf({ type, length }: DbfField): CellKind {
  if (length === 0) return opaque;
  return kinds[`${type}${length}`] ?? kinds[type] ?? unknown;
}

/** Texts that need neither a charset nor an escape in JSON. */
const plainLetters = /^[ !#-[\]-~]*$/;

function textReader({ offset, length }: DbfField, { charset }: CellReading): ReadCell {
  const decode = createDecoder(charset);
  return ({ bytes, letters }) => {
    let [begin, end] = [offset, offset + length];
    while (end > begin && letters.charCodeAt(end - 1) === blank) end -= 1;
    while (begin < end && letters.charCodeAt(begin) === blank) begin += 1;
    if (begin === end) return nullJson;
    const cell = letters.slice(begin, end);
    if (plainLetters.test(cell)) return `"${cell}"`;
    const nul = cell.indexOf('\0');
    if (nul < 0) return decode(bytes.subarray(begin, end));
    // What comes after it was in the writer's memory.
    end = begin + nul;
    while (end > begin && letters.charCodeAt(end - 1) === blank) end -= 1;
    return begin === end ? nullJson : decode(bytes.subarray(begin, end));
  };
}

/** Reads what is written in digits; `read` gives the JSON text, or undefined for what is to stay a text. */
function lettersReader(
  { offset, length }: DbfField,
  charset: Charset,
  read: (letters: string) => string | undefined,
): ReadCell {
  const decode = createDecoder(charset);
  return ({ bytes, letters }) => {
    let [begin, end] = [offset, offset + length];
    while (end > begin && isPadding(letters.charCodeAt(end - 1))) end -= 1;
    while (begin < end && isPadding(letters.charCodeAt(begin))) begin += 1;
    return read(letters.slice(begin, end)) ?? decode(bytes.subarray(begin, end));
  };
}

function isPadding(code: number): boolean {
  return code === blank || code === 0 || (code >= 9 && code <= 13);
}

function createDecoder(charset: Charset): (bytes: Uint8Array) => string {
  return (bytes) => JSON.stringify(charset.decode(withoutCutCharacter(bytes, charset)));
}

/** Reads values of a fixed number of bytes; a cell of blanks alone was never filled. */
function binary(read: (cell: Buffer) => string): CellKind {
  return {
    isText: false,
    reader:
      ({ offset, length }) =>
      ({ bytes }) => {
        const cell = bytes.subarray(offset, offset + length);
        return isFilledWith(cell, blank) ? nullJson : read(cell);
      },
  };
}

function doubleText(value: number): string {
  if (Number.isNaN(value)) return nullJson;
  return Number.isFinite(value) ? String(value) : JSON.stringify(String(value));
}

/** Money is counted in units of a ten thousandth. */
function currencyText(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(5, '0');
  const fraction = digits.slice(-4).replace(/0{1,4}$/, '');
  const whole = digits.slice(0, -4);
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const nullable = 0x02;
/** Texts and bytes of a length of their own, which may stand in their last byte. */
const variableTypes: readonly string[] = ['V', 'Q'];

/** The bit of a row that says something of one of its cells. */
type Bit = (row: Buffer) => boolean;

/** The hidden column in which Visual FoxPro keeps what cells cannot say: that they are null, or shorter than their place. */
type NullMarks = ReturnType<typeof nullMarksOf>;

/** Finds the hidden column of null marks; a table of another program has none. */
export function nullMarksOf(fields: readonly DbfField[]) {
  const hidden = fields.find(({ type }) => type === '0');
  const [isNull, isShort] = [new Map<DbfField, Bit>(), new Map<DbfField, Bit>()];
  if (hidden !== undefined) {
    let bits = 0;
    const nextBit = (): Bit => {
      const [at, mask] = [hidden.offset + (bits >> 3), 1 << (bits & 7)];
      bits += 1;
      return at < hidden.offset + hidden.length ? (row) => ((row[at] ?? 0) & mask) !== 0 : () => false;
    };
    for (const field of fields) {
      if (field === hidden) continue;
      if (variableTypes.includes(field.type)) isShort.set(field, nextBit());
      if ((field.flags & nullable) !== 0) isNull.set(field, nextBit());
    }
  }
  return {
    isHidden: (field: DbfField) => field === hidden,
    /** How to see that a cell of a column is null; undefined for a column that has no marks. */
    nullOf: (field: DbfField) => isNull.get(field),
    /** How to see where the cell of a column ends whose cells have lengths of their own; undefined for all others. */
    endOf(field: DbfField): ((row: Buffer) => number) | undefined {
      const short = isShort.get(field);
      const end = field.offset + field.length;
      if (short === undefined) return undefined;
      return (row) => (short(row) ? Math.min(field.offset + (row[end - 1] ?? 0), end - 1) : end);
    },
  };
}

/** A number as JSON has it, except that zeros may come before it. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const looseNumber = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;
const stars = /^\*+$/;
/** How programs write what is not a number; `IO`, `QO` and `R` are what rounding leaves of `IND` and `QNAN`. */
const notANumber = /^[+-]?(?:nan(?:\(\w*\))?|1\.#(?:IND|QNAN|SNAN|NAN|IO|QO|R)\d*)$/i;

/** Returns the JSON text of a trimmed cell of a number column, digit by digit; undefined for what is to stay a text. */
function numberCell(letters: string): string | undefined {
  if (plainNumber.test(letters)) return letters;
  if (letters === '' || stars.test(letters) || notANumber.test(letters)) return nullJson;
  const [, sign, whole = '', fraction = '', exponent = ''] = looseNumber.exec(letters) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const integer = whole.replace(/^0+(?=\d)/, '') || '0';
  return `${sign === '-' ? '-' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}${exponent}`;
}

const written = /^(\d{4})(-?)(\d\d)\2(\d\d)$/;

/**
 * Returns the JSON text of a trimmed cell of a date column; undefined, after a call of `noDate`, when it holds no date of
 * the calendar and is to stay a text.
 */
function dateCell(letters: string, noDate: () => void): string | undefined {
  if (/^0*$/.test(letters) || stars.test(letters)) return nullJson;
  const [, year = '', , month = '', day = ''] = written.exec(letters) ?? [];
  if (isDate(Number(year), Number(month), Number(day))) return `"${year}-${month}-${day}"`;
  noDate();
  return undefined;
}

function isDate(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day <= days;
}

const msPerDay = 86_400_000;
/** Julian days of 0001-01-01, 1970-01-01 and 9999-12-31. */
const [firstDay, epochDay, lastDay] = [1_721_426, 2_440_588, 5_373_484];

/** Whether a day of the Julian count and milliseconds since midnight name a time, or are both 0, which is none. */
function isMoment(day: number, ms: number): boolean {
  return (day === 0 && ms === 0) || (day >= firstDay && day <= lastDay && ms < msPerDay);
}

/** Returns the JSON text of a time as ISO 8601 has it, without a zone. */
function momentText(day: number, ms: number): string {
  if (day === 0) return nullJson;
  return `"${new Date((day - epochDay) * msPerDay + ms).toISOString().replace(/(?:\.000)?Z$/, '')}"`;
}
