import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { MiB } from '../../../common/units.ts';
import { createEvidence, type TextEvidence } from './charset/evidence.ts';

/** What a dBase table says of itself and of its texts, all names and texts still bytes. */
export interface DbfSurvey {
  /** Field names as they stand: up to 11 bytes, often cut. */
  readonly names: readonly Buffer[];
  readonly languageByte: number;
  /** As the table says. */
  readonly rows: number;
  readonly evidence: TextEvidence;
}

interface Field {
  readonly name: Buffer;
  readonly isText: boolean;
  readonly offset: number;
  readonly length: number;
}

const headerBytes = 32;
const fieldBytes = 32;
const nameBytes = 11;
const endOfFields = 0x0d;
const blank = 0x20;
/** Rows that are read in one go. */
const blockBytes = 4 * MiB;

/**
 * Reads the field names and all texts of a `.dbf`, and gives the fields plain names (`#~0`, `#~1` …) in the file itself:
 * whatever the real names are, nothing that reads the file afterwards can stumble over them. Undefined when the file is
 * no dBase table.
 */
export function surveyDbf(path: string): DbfSurvey | undefined {
  const fd = openSync(path, 'r+');
  try {
    const header = readBytes(fd, 0, headerBytes);
    if (header.length < headerBytes) return undefined;
    const [dataOffset, recordBytes] = [header.readUInt16LE(8), header.readUInt16LE(10)];
    const fields = readFields(fd, dataOffset);
    if (fstatSync(fd).size < dataOffset || dataOffset <= headerBytes) return undefined;
    // The deletion mark is there even when nothing else is.
    if (recordBytes === 0 || (fields.length === 0 && recordBytes > 1)) return undefined;
    const evidence = createEvidence();
    for (const { name } of fields) evidence.add(name, name.length >= nameBytes - 1);
    const texts = fields.filter(({ isText }) => isText);
    for (const row of readRows(fd, dataOffset, recordBytes)) {
      for (const { offset, length } of texts) {
        const cell = trimmed(row.subarray(offset, offset + length));
        evidence.add(cell, cell.length === length);
      }
    }
    fields.forEach((_, index) => rename(fd, index));
    return {
      names: fields.map(({ name }) => name),
      languageByte: header[29] ?? 0,
      rows: header.readUInt32LE(4),
      evidence: evidence.finish(),
    };
  } finally {
    closeSync(fd);
  }
}

/** The name that a field has been given, by its place; no field of anybody's is called so. */
export function plainName(index: number): string {
  return `#~${index}`;
}

function readFields(fd: number, dataOffset: number): readonly Field[] {
  const fields: Field[] = [];
  let offset = 1; // after the deletion mark
  for (let at = headerBytes; at + fieldBytes <= dataOffset; at += fieldBytes) {
    const bytes = readBytes(fd, at, fieldBytes);
    if (bytes.length < fieldBytes || bytes[0] === endOfFields) break;
    const type = String.fromCharCode(bytes[11] ?? 0);
    const length = bytes[16] ?? 0;
    fields.push({ name: nameIn(bytes), isText: type === 'C', offset, length });
    offset += length;
  }
  return fields;
}

function nameIn(field: Buffer): Buffer {
  const slot = field.subarray(0, nameBytes);
  const end = slot.indexOf(0);
  return Buffer.from(trimmed(end < 0 ? slot : slot.subarray(0, end)));
}

function* readRows(fd: number, dataOffset: number, recordBytes: number): Generator<Buffer, void, void> {
  const rowsPerBlock = Math.max(1, Math.floor(blockBytes / recordBytes));
  for (let at = dataOffset; ; at += rowsPerBlock * recordBytes) {
    const block = readBytes(fd, at, rowsPerBlock * recordBytes);
    for (let row = 0; row + recordBytes <= block.length; row += recordBytes) {
      yield block.subarray(row, row + recordBytes);
    }
    if (block.length < rowsPerBlock * recordBytes) return;
  }
}

function trimmed(cell: Buffer): Buffer {
  let end = cell.length;
  while (end > 0 && (cell[end - 1] === blank || cell[end - 1] === 0)) end -= 1;
  return cell.subarray(0, end);
}

function rename(fd: number, index: number): void {
  const slot = Buffer.alloc(nameBytes);
  slot.write(plainName(index), 'latin1');
  writeSync(fd, slot, 0, nameBytes, headerBytes + index * fieldBytes);
}

function readBytes(fd: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const read = readSync(fd, buffer, filled, bytes - filled, at + filled);
    if (read === 0) break;
    filled += read;
  }
  return buffer.subarray(0, filled);
}
