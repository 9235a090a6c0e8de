import type { FindingsCollector } from '../../findings-collector.ts';
import { shapefileWarnings } from '../../../messages/shapefile.ts';
import type { Charset } from './charset/charset.ts';
import { createEvidence } from './charset/choose.ts';
import { createCellReader, kindOf, type DbfRow, type ReadCell, nullMarksOf } from './dbf-cells.ts';
import { openToRead, withFile, type OpenFile } from './records.ts';

/** The mark of a deleted row. */
const deleted = 0x2a;

/** A table that has been looked through once. */
type DbfSurvey = Exclude<ReturnType<typeof surveyDbf>, string | undefined>;

/**
 * Looks through a table from end to end: which columns can be read, and what its texts say of their encoding. `dBase 7` for
 * a table of that version, undefined when the file is no dBase table.
 */
export function surveyDbf(path: string) {
  return withFile(path, (file) => {
    const header = readDbfHeader(file);
    if (header === undefined || header === 'dBase 7') return header;
    const marks = nullMarksOf(header.fields);
    const columns = header.fields.filter((field) => !marks.isHidden(field));
    const evidence = createEvidence();
    for (const { name } of columns) evidence.add(name, { begin: 0, end: name.length, room: maxNameBytes });
    const unreadable = new Set<DbfField>();
    const kinds = columns.map((field) => ({ field, kind: kindOf(field) }));
    const texts = kinds.flatMap(({ field, kind }) =>
      kind.isText ? [{ field, endOf: marks.endOf(field) }] : [],
    );
    const doubtful = kinds.flatMap(({ field, kind: { canRead } }) => (canRead ? [{ field, canRead }] : []));
    for (const row of rowsOf(file, header)) {
      if (row[0] === deleted) continue;
      for (const { field, endOf } of texts) {
        const { offset, length } = field;
        evidence.add(row, { begin: offset, end: endOf?.(row) ?? offset + length, room: offset + length });
      }
      for (const { field, canRead } of doubtful) {
        const isWrong =
          !unreadable.has(field) && !canRead(row.subarray(field.offset, field.offset + field.length));
        if (isWrong) unreadable.add(field);
      }
    }
    return { path, header, marks, columns, unreadable, evidence: evidence.finish() };
  });
}

/** How the columns of a table are to be read. */
interface TableReading {
  readonly charset: Charset;
  /** A name for each of the survey's columns. */
  readonly names: readonly string[];
  readonly findings: FindingsCollector;
}

/** Reads the rows of a table in its order, each as the JSON text of an object; undefined for one that was deleted. */
export function* readDbfRows(
  { path, header, marks, columns, unreadable }: DbfSurvey,
  { charset, names, findings }: TableReading,
): Generator<Buffer | undefined, void, void> {
  const datesWrong = new Map<string, number>();
  const cells: { readonly key: string; readonly read: ReadCell }[] = [];
  for (const [index, field] of columns.entries()) {
    if (unreadable.has(field)) continue;
    const name = names[index] ?? '';
    const noDate = () => datesWrong.set(name, (datesWrong.get(name) ?? 0) + 1);
    const read = createCellReader(field, { charset, noDate, marks });
    const key = `${cells.length === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    cells.push({ key, read });
  }
  using file = openToRead(path);
  for (const bytes of rowsOf(file, header)) {
    if (bytes[0] === deleted) {
      yield undefined;
      continue;
    }
    const row: DbfRow = { bytes, letters: bytes.toString('latin1') };
    let text = cells.length === 0 ? '{' : '';
    for (const { key, read } of cells) text += key + read(row);
    yield Buffer.from(`${text}}`);
  }
  for (const [name, count] of datesWrong)
    findings.warn('dates_impossible', shapefileWarnings.datesImpossible(name, count));
}

function* rowsOf(
  file: OpenFile,
  { dataOffset, recordBytes, rowsThere }: DbfHeader,
): Generator<Buffer, void, void> {
  for (let row = 0; row < rowsThere; row += 1) yield file.at(dataOffset + row * recordBytes, recordBytes);
}

const headerBytes = 32;
const fieldBytes = 32;
const nameBytes = 11;
/** Bytes of a name; writers cut longer ones here. */
export const maxNameBytes = 10;
const endOfFields = 0x0d;
/** The version in the lowest bits of the first byte. */
const dBase7 = 4;

/** A column as the header of a `.dbf` describes it. */
export interface DbfField {
  /** As it stands: up to 11 bytes, often cut. */
  readonly name: Buffer;
  /** One capital letter, digit or sign. */
  readonly type: string;
  /** Place in a row, whose first byte is the deletion mark. */
  readonly offset: number;
  readonly length: number;
  /** Of Visual FoxPro, whose other relatives leave it 0. */
  readonly flags: number;
}

/** What the header of a `.dbf` says, as far as the file bears it out. */
interface DbfHeader {
  readonly dataOffset: number;
  readonly recordBytes: number;
  readonly languageByte: number;
  /** As the table says. */
  readonly rows: number;
  /** Those of them that are in the file. */
  readonly rowsThere: number;
  readonly fields: readonly DbfField[];
}

/** Reads the header of a table; `dBase 7` when its columns are described in another way, undefined when it contradicts itself. */
function readDbfHeader(file: OpenFile): DbfHeader | 'dBase 7' | undefined {
  if (file.bytes < headerBytes) return undefined;
  const header = Buffer.from(file.at(0, headerBytes));
  const [dataOffset, recordBytes] = [header.readUInt16LE(8), header.readUInt16LE(10)];
  if (file.bytes < dataOffset || dataOffset <= headerBytes || recordBytes === 0) return undefined;
  const { fields, end } = readFields(
    Buffer.from(file.at(headerBytes, dataOffset - headerBytes)),
    recordBytes,
  );
  // Some writers of other versions put the version of dBase 7, too.
  if (end !== recordBytes && (header.readUInt8(0) & 7) === dBase7) return 'dBase 7';
  // The deletion mark is there even when nothing else is.
  if (end > recordBytes || (fields.length === 0 && recordBytes > 1)) return undefined;
  const rows = header.readUInt32LE(4);
  const rowsThere = Math.min(rows, Math.floor((file.bytes - dataOffset) / recordBytes));
  return { dataOffset, recordBytes, languageByte: header.readUInt8(29), rows, rowsThere, fields };
}

/** Returns the columns, and how many bytes a row has by them. */
function readFields(bytes: Buffer, recordBytes: number) {
  const described: Buffer[] = [];
  for (let at = 0; at + fieldBytes <= bytes.length && bytes[at] !== endOfFields; at += fieldBytes)
    described.push(bytes.subarray(at, at + fieldBytes));
  const [plain, long] = [layOut(described, false), layOut(described, true)];
  return plain.end !== recordBytes && long.end === recordBytes ? long : plain;
}

/** `longTexts`: the decimals of a text column, which has none, count its length in units of 256 bytes. */
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
