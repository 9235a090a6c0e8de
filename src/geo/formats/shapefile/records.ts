import { closeSync, fstatSync, openSync, readSync, existsSync } from 'node:fs';
import { MiB } from '../../../lib/units.ts';
import { join } from 'node:path';

/** Header of a `.shp` or `.shx`; lengths and offsets in it count words of two bytes. */
const headerBytes = 100;
const wordBytes = 2;
const fileCode = 9994;
/** Number and length of a record, before its contents. */
const recordHeadBytes = 8;
/** A record contains at least the type of its shape. */
const minContentWords = 2;
const entryBytes = 8;
const blockBytes = MiB;

/** Counts the shapes in a `.shx`; undefined if it is inconsistent, or does not fit the length of the `.shp`. */
function countIndexed(shxPath: string, shpPath: string): number | undefined {
  const shpBytes = withFile(shpPath, ({ bytes }) => bytes);
  return withFile(shxPath, (shx) => {
    if (lengthOf(shx) !== shx.bytes || (shx.bytes - headerBytes) % entryBytes !== 0) return undefined;
    let recordBytes = headerBytes;
    for (let at = headerBytes; at < shx.bytes; at += entryBytes) {
      const entry = shx.at(at, entryBytes);
      const begin = entry.readUInt32BE(0) * wordBytes;
      const words = entry.readUInt32BE(4);
      const length = recordHeadBytes + words * wordBytes;
      recordBytes += length;
      if (words < minContentWords) return undefined;
      if (begin < headerBytes || begin + length > shpBytes || recordBytes > shpBytes) return undefined;
    }
    return (shx.bytes - headerBytes) / entryBytes;
  });
}

/** Counts the consecutive shapes of a `.shp`; undefined if their lengths do not fit. */
function countConsecutive(shpPath: string): number | undefined {
  return withFile(shpPath, (shp) => {
    const end = lengthOf(shp);
    if (end === undefined || end < headerBytes || end > shp.bytes) return undefined;
    let [shapes, at] = [0, headerBytes];
    for (; at + recordHeadBytes <= end; shapes += 1) {
      const words = shp.at(at, recordHeadBytes).readUInt32BE(4);
      if (words < minContentWords) return undefined;
      at += recordHeadBytes + words * wordBytes;
    }
    return at === end ? shapes : undefined;
  });
}

export interface OpenFile {
  readonly bytes: number;
  /** Reads at most 1 MiB inside the file. The result is valid until the next call. */
  at(position: number, length: number): Buffer;
}

/** Returns the length of a file in bytes according to its header. */
function lengthOf(file: OpenFile): number | undefined {
  if (file.bytes < headerBytes) return undefined;
  const header = file.at(0, headerBytes);
  return header.readInt32BE(0) === fileCode ? header.readUInt32BE(24) * wordBytes : undefined;
}

/** Opens a file for mostly sequential reads in blocks. */
export function openToRead(path: string): OpenFile & Disposable {
  const fd = openSync(path, 'r');
  const block = Buffer.alloc(blockBytes);
  let [begin, filled] = [0, 0];
  return {
    bytes: fstatSync(fd).size,
    at(position, length) {
      if (position < begin || position + length > begin + filled) {
        begin = position;
        filled = readSync(fd, block, 0, blockBytes, position);
      }
      return block.subarray(position - begin, position - begin + length);
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}

/** Opens a file for the duration of `work`. */
export function withFile<T>(path: string, work: (file: OpenFile) => T): T {
  using file = openToRead(path);
  return work(file);
}

/** Offset of the row count in a `.dbf`. */
const rowCountAt = 4;
const rowCountBytes = 4;

/** Number of shapes, and whether the `.shx` lists them. */
interface Shapes {
  readonly count: number;
  readonly isIndexed: boolean;
}

/**
 * Counts the shapes that the `.shx` of `input.shp` lists. Counts the consecutive shapes instead if the `.shx` is
 * missing, wrong, or lists fewer shapes than both the `.shp` and the table have: an index shorter than the table hides
 * shapes; one that is shorter than the `.shp` only omits deleted shapes.
 */
export function countShapes(scratch: string): Shapes | undefined {
  const [shp, shx] = [join(scratch, 'input.shp'), join(scratch, 'input.shx')];
  const indexed = existsSync(shx) ? countIndexed(shx, shp) : undefined;
  if (indexed !== undefined) {
    const rows = rowsOf(join(scratch, 'input.dbf'));
    const hidesShapes = rows !== undefined && rows > indexed && countConsecutive(shp) === rows;
    return hidesShapes ? { count: rows, isIndexed: false } : { count: indexed, isIndexed: true };
  }
  const consecutive = countConsecutive(shp);
  return consecutive === undefined ? undefined : { count: consecutive, isIndexed: false };
}

function rowsOf(dbf: string): number | undefined {
  if (!existsSync(dbf)) return undefined;
  return withFile(dbf, (file) =>
    file.bytes < rowCountAt + rowCountBytes ? undefined : file.at(rowCountAt, rowCountBytes).readUInt32LE(0),
  );
}

const dbfHeaderBytes = 32;
const fieldBytes = 32;
const nameBytes = 11;
/** Bytes at which writers cut names. */
export const maxNameBytes = 10;
const endOfFields = 0x0d;
/** The version in the lowest bits of the first byte. */
const dBase7 = 4;

/** Description of a column in the header of a `.dbf`. */
export interface DbfField {
  /** Verbatim: up to 11 bytes, often truncated. */
  readonly name: Buffer;
  /** One capital letter, digit or sign. */
  readonly type: string;
  /** Offset in a row, whose first byte is the deletion mark. */
  readonly offset: number;
  readonly length: number;
  /** Used by Visual FoxPro; 0 in other tables. */
  readonly flags: number;
}

/** The header of a `.dbf`, as far as the file confirms it. */
export interface DbfHeader {
  readonly dataOffset: number;
  readonly recordBytes: number;
  readonly languageByte: number;
  /** According to the table. */
  readonly rows: number;
  /** Number of rows actually in the file. */
  readonly rowsThere: number;
  readonly fields: readonly DbfField[];
}

/** Reads the header of a table; `dBase 7` if its columns have another layout, undefined if it is inconsistent. */
export function readDbfHeader(file: OpenFile): DbfHeader | 'dBase 7' | undefined {
  if (file.bytes < dbfHeaderBytes) return undefined;
  const header = Buffer.from(file.at(0, dbfHeaderBytes));
  const [dataOffset, recordBytes] = [header.readUInt16LE(8), header.readUInt16LE(10)];
  if (file.bytes < dataOffset || dataOffset <= dbfHeaderBytes || recordBytes === 0) return undefined;
  const { fields, end } = readFields(
    Buffer.from(file.at(dbfHeaderBytes, dataOffset - dbfHeaderBytes)),
    recordBytes,
  );
  // Some writers of other versions write the version of dBase 7 as well.
  if (end !== recordBytes && (header.readUInt8(0) & 7) === dBase7) return 'dBase 7';
  // The deletion mark always exists.
  if (end > recordBytes || (fields.length === 0 && recordBytes > 1)) return undefined;
  const rows = header.readUInt32LE(4);
  const rowsThere = Math.min(rows, Math.floor((file.bytes - dataOffset) / recordBytes));
  return { dataOffset, recordBytes, languageByte: header.readUInt8(29), rows, rowsThere, fields };
}

/** Returns the columns, and the resulting size of a row. */
function readFields(bytes: Buffer, recordBytes: number) {
  const described: Buffer[] = [];
  for (let at = 0; at + fieldBytes <= bytes.length && bytes[at] !== endOfFields; at += fieldBytes)
    described.push(bytes.subarray(at, at + fieldBytes));
  const [plain, long] = [layOut(described, false), layOut(described, true)];
  return plain.end !== recordBytes && long.end === recordBytes ? long : plain;
}

/** `longTexts`: the number of decimals of a text column, otherwise unused, counts units of 256 bytes of its length. */
function layOut(described: readonly Buffer[], longTexts: boolean) {
  const fields: DbfField[] = [];
  let end = 1; // after the deletion mark
  for (const bytes of described) {
    const slot = bytes.subarray(0, nameBytes);
    const nameEnd = slot.indexOf(0);
    const type = String.fromCharCode(bytes.readUInt8(11)).toUpperCase();
    const length = longTexts && type === 'C' ? bytes.readUInt16LE(16) : bytes.readUInt8(16);
    const name = withoutPadding(nameEnd < 0 ? slot : slot.subarray(0, nameEnd));
    fields.push({ name, type, offset: end, length, flags: bytes.readUInt8(18) });
    end += length;
  }
  return { fields, end };
}

function withoutPadding(name: Buffer): Buffer {
  let end = name.length;
  while (end > 0 && name[end - 1] === 0x20) end -= 1;
  return name.subarray(0, end);
}
