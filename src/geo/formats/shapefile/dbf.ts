import { writeSync } from 'node:fs';
import { createEvidence } from './charset/choose.ts';
import { withFile, type OpenFile } from './records.ts';

const headerBytes = 32;
const fieldBytes = 32;
const nameBytes = 11;
const endOfFields = 0x0d;
const blank = 0x20;

/**
 * Reads the field names and all texts of a `.dbf`, and gives the fields plain names (`#~0`, `#~1` …) in the file itself:
 * whatever the real names are, nothing that reads the file afterwards can stumble over them. Undefined when the file is
 * no dBase table.
 */
export function surveyDbf(path: string) {
  return withFile(path, 'r+', (file) => {
    if (file.bytes < headerBytes) return undefined;
    const header = Buffer.from(file.at(0, headerBytes));
    const [dataOffset, recordBytes] = [header.readUInt16LE(8), header.readUInt16LE(10)];
    if (file.bytes < dataOffset || dataOffset <= headerBytes) return undefined;
    const fields = readFields(file, dataOffset);
    // The deletion mark is there even when nothing else is.
    if (recordBytes === 0 || (fields.length === 0 && recordBytes > 1)) return undefined;
    const evidence = createEvidence();
    for (const { name } of fields) evidence.add(name, name.length >= nameBytes - 1);
    const texts = fields.filter(({ isText }) => isText);
    for (let at = dataOffset; at + recordBytes <= file.bytes; at += recordBytes) {
      const row = file.at(at, recordBytes);
      for (const { offset, length } of texts) {
        const cell = trimmed(row.subarray(offset, offset + length));
        evidence.add(cell, cell.length === length);
      }
    }
    fields.forEach((_, index) => {
      const slot = Buffer.alloc(nameBytes);
      slot.write(plainName(index), 'latin1');
      writeSync(file.fd, slot, 0, nameBytes, headerBytes + index * fieldBytes);
    });
    const rows = header.readUInt32LE(4);
    return {
      /** Field names as they stand: up to 11 bytes, often cut. */
      names: fields.map(({ name }) => name),
      languageByte: header.readUInt8(29),
      /** As the table says. */
      rows,
      /** Those of them that are in the file. */
      rowsThere: Math.min(rows, Math.floor((file.bytes - dataOffset) / recordBytes)),
      evidence: evidence.finish(),
    };
  });
}

/** Returns the name that a field has been given, by its place; no field of anybody's is called so. */
export function plainName(index: number): string {
  return `#~${index}`;
}

function readFields(file: OpenFile, dataOffset: number) {
  const fields = [];
  let offset = 1; // after the deletion mark
  for (let at = headerBytes; at + fieldBytes <= dataOffset; at += fieldBytes) {
    const bytes = file.at(at, fieldBytes);
    if (bytes[0] === endOfFields) break;
    const slot = bytes.subarray(0, nameBytes);
    const end = slot.indexOf(0);
    const name = Buffer.from(trimmed(end < 0 ? slot : slot.subarray(0, end)));
    const length = bytes.readUInt8(16);
    fields.push({ name, isText: String.fromCharCode(bytes.readUInt8(11)) === 'C', offset, length });
    offset += length;
  }
  return fields;
}

function trimmed(cell: Buffer): Buffer {
  let end = cell.length;
  while (end > 0 && (cell[end - 1] === blank || cell[end - 1] === 0)) end -= 1;
  return cell.subarray(0, end);
}
