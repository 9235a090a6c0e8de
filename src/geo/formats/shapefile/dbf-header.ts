import type { OpenFile } from './records.ts';

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
export interface DbfHeader {
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
export function readDbfHeader(file: OpenFile): DbfHeader | 'dBase 7' | undefined {
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
