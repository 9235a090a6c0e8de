import { compoundFile } from './compound-files.ts';
import type { Sheet, SheetCell } from './workbooks.ts';

/** Settings of a workbook of Excel 5.0 to 2003. */
export interface OlderWorkbook {
  readonly version?: 5 | 8;
  /** Encodes the texts of version 5; the number is that of Windows. */
  readonly codePage?: { readonly number: number; readonly encode: (text: string) => Uint8Array };
  readonly since1904?: boolean;
  /** Longest content of a record of shared texts, so that small workbooks have texts in several records. */
  readonly mostBytes?: number;
}

const u16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value & 0xffff, at * 2);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const f64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};

/** A record of the stream of a workbook. */
export function record(kind: number, ...content: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([u16(kind, bytes.length), bytes]);
}

/** Writes an .xls independently of the reader under test. */
export function olderWorkbook(sheets: readonly Sheet[], about: OlderWorkbook = {}): Buffer {
  const name = about.version === 5 ? 'Book' : 'Workbook';
  return compoundFile([{ name, bytes: workbookStream(sheets, about) }]);
}

/** The stream of the workbook, for tests that change it. */
export function workbookStream(
  sheets: readonly Sheet[],
  { version = 8, codePage, since1904 = false, mostBytes = 8224 }: OlderWorkbook = {},
): Buffer {
  const isBiff8 = version === 8;
  const encode = codePage?.encode ?? ((text: string) => Buffer.from(text, 'latin1'));
  const formats = ['General', 'dd.mm.yyyy'];
  const shared = new Map<string, number>();
  const styleOf = (format: string): number => {
    if (!formats.includes(format)) formats.push(format);
    return formats.indexOf(format);
  };
  const begin = (kind: number): Buffer => record(0x809, u16(isBiff8 ? 0x600 : 0x500, kind, 0, 0));
  const shortText = (text: string): Buffer =>
    isBiff8
      ? Buffer.concat([Buffer.from([text.length, 1]), Buffer.from(text, 'utf16le')])
      : Buffer.concat([Buffer.from([encode(text).length]), encode(text)]);
  const longText = (text: string): Buffer =>
    isBiff8
      ? Buffer.concat([u16(text.length), Buffer.from([1]), Buffer.from(text, 'utf16le')])
      : Buffer.concat([u16(encode(text).length), encode(text)]);

  function cellRecord(cell: SheetCell, row: number, column: number): Buffer {
    const at = (style: number): Buffer => u16(row, column, style);
    if (cell === null) return Buffer.alloc(0);
    if (typeof cell === 'number')
      // Whole numbers are stored in 30 bits, others as doubles.
      return Number.isInteger(cell) && Math.abs(cell) < 2 ** 28
        ? record(0x27e, at(0), u32(cell * 4 + 2))
        : record(0x203, at(0), f64(cell));
    if (typeof cell === 'boolean') return record(0x205, at(0), Buffer.from([cell ? 1 : 0, 0]));
    if (typeof cell === 'string') {
      if (!isBiff8) return record(0x204, at(0), longText(cell));
      shared.set(cell, shared.get(cell) ?? shared.size);
      return record(0xfd, at(0), u32(shared.get(cell) ?? 0));
    }
    if ('runs' in cell) {
      const plain = cell.runs.join('');
      const text = longText(plain + (cell.raised ?? ''));
      // The second font is superscript.
      const runs = isBiff8 ? u16(1, plain.length, 1) : Buffer.from([1, plain.length, 1]);
      return record(0xd6, at(0), text, runs);
    }
    if ('error' in cell) return record(0x205, at(0), Buffer.from([cell.error === '#N/A' ? 0x2a : 7, 1]));
    if ('day' in cell) return record(0x203, at(1), f64(serialOf(cell.day, since1904)));
    if ('format' in cell) return record(0x203, at(styleOf(cell.format)), f64(cell.number));
    const tail = Buffer.alloc(6);
    const { value } = cell;
    if (typeof value === 'number') return record(0x06, at(0), f64(value), tail, u16(0));
    const result = Buffer.from([value === undefined || value === '' ? 3 : 0, 0, 0, 0, 0, 0, 0xff, 0xff]);
    const formula = record(0x06, at(0), result, tail, u16(0));
    return value === undefined || value === ''
      ? formula
      : Buffer.concat([formula, record(0x207, longText(value))]);
  }

  const bodies = sheets.map(({ rows, merges = [], hidden, from = { row: 0, column: 0 } }) => {
    const ofRows = (hidden?.rows ?? []).map((row) =>
      record(0x208, u16(row - 1, 0, 256, 255, 0, 0, 0x120, 0x0f)),
    );
    const ofColumns = (hidden?.columns ?? []).map((column) =>
      record(0x7d, u16(column - 1, column - 1, 0, 0, 1, 0)),
    );
    const cells = rows.flatMap((row, at) =>
      row.map((cell, column) => cellRecord(cell, at + from.row, column + from.column)),
    );
    const ranges = merges.map((range) => rangeOf(range));
    const merged = ranges.length === 0 ? [] : [record(0xe5, u16(ranges.length), ...ranges)];
    return Buffer.concat([begin(0x10), ...ofColumns, ...ofRows, ...cells, ...merged, record(0x0a)]);
  });

  const font = (isRaised: boolean): Buffer =>
    record(0x31, u16(200, 0, 0x7fff, 400, isRaised ? 1 : 0), Buffer.alloc(4), shortText('Arial'));
  const globals = (addresses: readonly number[]): Buffer =>
    Buffer.concat([
      begin(0x05),
      record(0x42, u16(isBiff8 ? 1200 : (codePage?.number ?? 1252))),
      record(0x22, u16(since1904 ? 1 : 0)),
      font(false),
      font(true),
      ...formats
        .slice(1)
        .map((format, index) =>
          isBiff8
            ? record(0x41e, u16(165 + index, format.length), Buffer.from([0]), Buffer.from(format, 'latin1'))
            : record(0x41e, u16(165 + index), Buffer.from([format.length]), Buffer.from(format, 'latin1')),
        ),
      ...formats.map((_, index) =>
        record(0xe0, u16(0, index === 0 ? 0 : 164 + index), Buffer.alloc(isBiff8 ? 16 : 12)),
      ),
      ...sheets.map(({ name, state }, index) =>
        record(
          0x85,
          u32(addresses[index] ?? 0),
          Buffer.from([state === undefined ? 0 : state === 'hidden' ? 1 : 2, 0]),
          shortText(name),
        ),
      ),
      ...(isBiff8 ? [sharedTexts([...shared.keys()], mostBytes)] : []),
      record(0x0a),
    ]);
  let at = globals([]).length;
  const addresses = bodies.map((body) => (at += body.length) - body.length);
  return Buffer.concat([globals(addresses), ...bodies]);
}

/** Shared texts in records of limited size. A text goes on in the next record, which repeats the size of characters. */
function sharedTexts(texts: readonly string[], mostBytes: number): Buffer {
  const records: Buffer[][] = [[u32(texts.length), u32(texts.length)]];
  let size = 8;
  const add = (bytes: Buffer): void => {
    records.at(-1)?.push(bytes);
    size += bytes.length;
  };
  const startRecord = (): void => {
    records.push([]);
    size = 0;
  };
  for (const text of texts) {
    const isWide = /[\u0100-\uffff]/.test(text);
    const [encoding, unit] = isWide ? (['utf16le', 2] as const) : (['latin1', 1] as const);
    if (size + 3 + unit > mostBytes) startRecord();
    add(Buffer.concat([u16(text.length), Buffer.from([isWide ? 1 : 0])]));
    let left = text;
    while (left !== '') {
      const count = Math.floor((mostBytes - size) / unit);
      add(Buffer.from(left.slice(0, count), encoding));
      left = left.slice(count);
      if (left === '') break;
      startRecord();
      add(Buffer.from([isWide ? 1 : 0]));
    }
  }
  return Buffer.concat(records.map((content, index) => record(index === 0 ? 0xfc : 0x3c, ...content)));
}

/** First and last row, first and last column of a range such as `A1:B3`. */
function rangeOf(range: string): Buffer {
  const places = range.split(':').map((place) => {
    const [, letters = '', row = ''] = /^([A-Z]+)(\d+)$/.exec(place) ?? [];
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    return { row: Number(row) - 1, column };
  });
  const [first, last] = [places[0], places.at(-1)];
  return u16(first?.row ?? 0, last?.row ?? 0, first?.column ?? 0, last?.column ?? 0);
}

function serialOf(day: string, since1904: boolean): number {
  const start = since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  return (Date.parse(`${day}T00:00:00Z`) - start) / 86_400_000;
}
