import type { Charset } from '../../../../common/charset/charset.ts';
import { withoutCutCharacter } from './charset/cut-character.ts';
import type { DbfField } from './records.ts';

/** A row of a table, starting with its deletion mark; `letters` has one character from U+0000 to U+00FF per byte. */
export interface DbfRow {
  readonly bytes: Buffer;
  readonly letters: string;
}

/** Returns the JSON text of a cell. */
export type ReadCell = (row: DbfRow) => string;

interface CellReading {
  readonly charset: Charset;
  /** Called for each cell of a date column without a valid date. */
  readonly noDate: () => void;
  readonly marks: NullMarks;
}

/** Encoding of the cells of a column. */
interface CellKind {
  /** True for texts in the charset of the table. */
  readonly isText: boolean;
  /** Returns whether a cell is readable; by default every cell is. A column with an unreadable cell is left out. */
  readonly canRead?: (cell: Buffer) => boolean;
  readonly reader: (field: DbfField, reading: CellReading) => ReadCell;
}

const blank = 0x20;
const nullJson = 'null';

const isBlank = (cell: Buffer) => cell.every((byte) => byte === blank || byte === 0);
const isFilledWith = (cell: Buffer, filler: number) => cell.every((byte) => byte === filler);

/** Returns whether a cell of an unknown type may be text: control characters indicate binary values. */
const isPrintable = (cell: Buffer) =>
  cell.every((byte) => byte >= blank || byte === 0 || (byte >= 9 && byte <= 13));

const text: CellKind = { isText: true, reader: textReader };
const unknown: CellKind = { isText: true, canRead: isPrintable, reader: textReader };
/** A reference into another file, or a value other than text, number and date. */
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

/** By column type and, if relevant, length. */
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
  // Memos, pictures, objects, bytes; and types whose byte order is known in dBase 7 only.
  ...Object.fromEntries(['M', 'G', 'P', 'W', 'Q', 'B', '+', 'O'].map((type) => [type, opaque])),
};

export function createCellReader(field: DbfField, reading: CellReading): ReadCell {
  const endOf = reading.marks.endOf(field);
  const read =
    endOf === undefined ? cellKindOf(field).reader(field, reading) : exactReader(field, endOf, reading);
  const isNull = reading.marks.nullOf(field);
  return isNull === undefined ? read : (row) => (isNull(row.bytes) ? nullJson : read(row));
}

/** Reads texts that may end with spaces. */
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

/** Returns the encoding of a column's cells. */
export function cellKindOf({ type, length }: DbfField): CellKind {
  if (length === 0) return opaque;
  return kinds[`${type}${length}`] ?? kinds[type] ?? unknown;
}

/** Texts that require neither a charset nor escapes in JSON. */
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
    // The remainder is from the writer's memory.
    end = begin + nul;
    while (end > begin && letters.charCodeAt(end - 1) === blank) end -= 1;
    return begin === end ? nullJson : decode(bytes.subarray(begin, end));
  };
}

/** Reads a value written in digits; `read` returns its JSON text, or undefined to keep it as text. */
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

/** Reads values of a fixed size; a cell of spaces is empty. */
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

/** Formats money, which is stored in ten-thousandths. */
function currencyText(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(5, '0');
  const fraction = digits.slice(-4).replace(/0{1,4}$/, '');
  const whole = digits.slice(0, -4);
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const nullable = 0x02;
/** Texts and bytes of variable length, which may be stored in their last byte. */
const variableTypes: readonly string[] = ['V', 'Q'];

/** Reads a bit of a row that belongs to one of its cells. */
type Bit = (row: Buffer) => boolean;

/** Hidden column in which Visual FoxPro stores that a cell is null, or shorter than its field. */
type NullMarks = ReturnType<typeof nullMarksOf>;

/** Finds the hidden column of null marks; tables of other programs have none. */
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
    /** Returns a test for null cells of a column; undefined for a column without marks. */
    nullOf: (field: DbfField) => isNull.get(field),
    /** Returns a function for the end of a cell with variable length; undefined for all other columns. */
    endOf(field: DbfField): ((row: Buffer) => number) | undefined {
      const short = isShort.get(field);
      const end = field.offset + field.length;
      if (short === undefined) return undefined;
      return (row) => (short(row) ? Math.min(field.offset + (row[end - 1] ?? 0), end - 1) : end);
    },
  };
}

/** A JSON number, but with leading zeros allowed. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const looseNumber = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/;
const stars = /^\*+$/;
/** Notations of NaN; `IO`, `QO` and `R` are rounded forms of `IND` and `QNAN`. */
const notANumber = /^[+-]?(?:nan(?:\(\w*\))?|1\.#(?:IND|QNAN|SNAN|NAN|IO|QO|R)\d*)$/i;

/** Returns the JSON text of a trimmed number cell, digit by digit; undefined to keep it as text. */
function numberCell(letters: string): string | undefined {
  if (plainNumber.test(letters)) return letters;
  if (letters === '' || stars.test(letters) || notANumber.test(letters)) return nullJson;
  const [, sign, whole = '', fraction = '', exponent = ''] = looseNumber.exec(letters) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const integer = whole.replace(/^0+(?=\d)/, '') || '0';
  return `${sign === '-' ? '-' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}${exponent}`;
}

const written = /^(\d{4})(-?)(\d\d)\2(\d\d)$/;

/** Returns the JSON text of a trimmed date cell; undefined, after a call of `noDate`, to keep an invalid date as text. */
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

/** Returns whether a Julian day and milliseconds since midnight are a valid time, or both 0, which means none. */
function isMoment(day: number, ms: number): boolean {
  return (day === 0 && ms === 0) || (day >= firstDay && day <= lastDay && ms < msPerDay);
}

/** Returns the JSON text of a time in ISO 8601 without a zone. */
function momentText(day: number, ms: number): string {
  if (day === 0) return nullJson;
  return `"${new Date((day - epochDay) * msPerDay + ms).toISOString().replace(/(?:\.000)?Z$/, '')}"`;
}
