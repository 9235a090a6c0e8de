import { SpreadsheetFault } from '../model/types.ts';
import { maxCellCharacters, raised } from './sheet-builder.ts';

/** Kinds of records in a workbook of Excel 5.0 to 2003 (MS-XLS) that are read; all others are passed over. */
export const kinds = {
  formula: 0x06,
  end: 0x0a,
  dateMode: 0x22,
  filePass: 0x2f,
  font: 0x31,
  continued: 0x3c,
  codePage: 0x42,
  columnFormat: 0x7d,
  sheet: 0x85,
  manyShortNumbers: 0xbd,
  richText: 0xd6,
  cellFormat: 0xe0,
  mergedCells: 0xe5,
  sharedTexts: 0xfc,
  sharedText: 0xfd,
  number: 0x203,
  text: 0x204,
  booleanOrError: 0x205,
  formulaText: 0x207,
  row: 0x208,
  shortNumber: 0x27e,
  numberFormat: 0x41e,
  begin: 0x809,
} as const;

export interface BiffRecord {
  readonly kind: number;
  /** Positions of its content in the stream. */
  readonly start: number;
  readonly end: number;
}

export const recordHeaderBytes = 4;

/** The records of a stream from a position on. @throws {SpreadsheetFault} if the stream ends inside a record */
export function* recordsFrom(view: DataView, from: number): Generator<BiffRecord> {
  for (let at = from; at + recordHeaderBytes <= view.byteLength;) {
    const start = at + recordHeaderBytes;
    const end = start + view.getUint16(at + 2, true);
    if (end > view.byteLength) throw new SpreadsheetFault('damaged');
    yield { kind: view.getUint16(at, true), start, end };
    at = end;
  }
}

/** Letters, and the fonts from which superscript characters are known. */
export interface Texts {
  /** Decodes bytes of Excel 5.0 and 95; undefined for later workbooks, whose text is Unicode. */
  readonly decode: ((bytes: Uint8Array) => string) | undefined;
  /** True for each font whose characters are superscript. */
  readonly raisedFonts: readonly boolean[];
}

const flags = { wide: 1, phonetic: 4, rich: 8 };
/** No font has this number. */
const missingFont = 4;
const wideText = new TextDecoder('utf-16le', { ignoreBOM: true });

/** Reads the content of a record, and of the records that continue it. */
export function contentOf(view: DataView<ArrayBuffer>, { start, end }: BiffRecord) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  let [at, last] = [start, end];
  const isContinued = (): boolean =>
    last + recordHeaderBytes <= view.byteLength && view.getUint16(last, true) === kinds.continued;
  /** Goes to the next record that continues this one and has bytes, if this one has no more. */
  const goOn = (): void => {
    for (; at >= last; last = at + view.getUint16(at - 2, true)) {
      if (!isContinued()) throw new SpreadsheetFault('damaged');
      at = last + recordHeaderBytes;
    }
    if (last > view.byteLength) throw new SpreadsheetFault('damaged');
  };
  const byte = (): number => {
    goOn();
    at += 1;
    return bytes[at - 1] ?? 0;
  };
  const short = (): number => byte() + byte() * 256;
  const skip = (count: number): void => {
    let left = count;
    while (left > 0) {
      goOn();
      const step = Math.min(left, last - at);
      at += step;
      left -= step;
    }
  };
  /** Characters of two bytes or one; each record that continues a text says which. */
  const unicode = (count: number, isWideFirst: boolean): string => {
    let [text, left, isWide] = ['', count, isWideFirst];
    while (left > 0) {
      if (at >= last) isWide = (byte() & flags.wide) !== 0;
      const units = Math.min(left, Math.floor((last - at) / (isWide ? 2 : 1)));
      const piece = bytes.subarray(at, at + units * (isWide ? 2 : 1));
      at = units === 0 ? last : at + piece.length;
      left -= units;
      if (text.length < maxCellCharacters) text += isWide ? wideText.decode(piece) : latin(piece);
    }
    return text;
  };
  const runsOf = (count: number, { raisedFonts }: Texts, read: () => number) =>
    Array.from({ length: count }, () => {
      const [start, font] = [read(), read()];
      return { start, isRaised: raisedFonts[font > missingFont ? font - 1 : font] === true };
    });

  return {
    isOver: (): boolean => at >= last && !isContinued(),
    /** A text with the number of its characters before it, in `sizeBytes`. */
    text(texts: Texts, sizeBytes: 1 | 2): string {
      const count = sizeBytes === 1 ? byte() : short();
      if (texts.decode !== undefined) {
        const piece = Uint8Array.from({ length: Math.min(count, last - at) }, byte);
        if (piece.length < count) throw new SpreadsheetFault('damaged');
        return texts.decode(piece);
      }
      const form = byte();
      const runCount = form & flags.rich ? short() : 0;
      const phoneticBytes = form & flags.phonetic ? short() + short() * 65_536 : 0;
      const text = unicode(count, (form & flags.wide) !== 0);
      if (runCount === 0 && phoneticBytes === 0) return text;
      const runs = runsOf(runCount, texts, short);
      skip(phoneticBytes);
      return withRuns(text, runs);
    },
    /** A text whose pieces with another font follow it. */
    richText(texts: Texts): string {
      const text = this.text(texts, 2);
      const read = texts.decode === undefined ? short : byte;
      return withRuns(text, runsOf(read(), texts, read));
    },
  };
}

function latin(bytes: Uint8Array): string {
  let text = '';
  for (const code of bytes) text += String.fromCharCode(code);
  return text;
}

function withRuns(
  text: string,
  runs: readonly { readonly start: number; readonly isRaised: boolean }[],
): string {
  if (!runs.some(({ isRaised }) => isRaised)) return text;
  const pieces = runs.map(({ start, isRaised }, index) => {
    const piece = text.slice(start, runs[index + 1]?.start);
    return isRaised ? raised(piece) : piece;
  });
  return text.slice(0, runs[0]?.start) + pieces.join('');
}

/** Decodes the 30 bits of a number and its two flags: whole, and divided by a hundred. */
export function shortNumber(view: DataView, at: number): number {
  const bits = view.getInt32(at, true);
  scratch.setInt32(4, bits & ~3, true);
  const value = bits & 2 ? bits >> 2 : scratch.getFloat64(0, true);
  return bits & 1 ? value / 100 : value;
}

const scratch = new DataView(new ArrayBuffer(8));

const errors: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
]);

export function errorText(code: number): string {
  return errors.get(code) ?? '#VALUE!';
}
