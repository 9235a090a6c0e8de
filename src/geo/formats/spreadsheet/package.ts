import { readFile } from 'node:fs/promises';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import { Problem } from '../../../lib/errors.ts';
import { Message } from '../../../lib/message.ts';
import { MiB } from '../../../lib/units.ts';
import { spreadsheetProblems } from '../../../messages/forms/english.ts';
import { workbookLimits } from '../../spreadsheet.ts';
import { openArchive } from '../zip/archive.ts';
import { checkMethod, entryName } from '../zip/structure.ts';

/** A member of a workbook, unpacked and checked against its checksum. */
interface Part {
  readonly name: string;
  readonly entry: Entry;
  /** The member as it lies in the archive, compressed or not. */
  readonly packed: Buffer;
  readonly bytes: Buffer;
}

/** A workbook as a package of parts, in the order of the archive. */
export interface WorkbookPackage {
  readonly parts: readonly Part[];
  /** Finds a part by its path, in any case. */
  find(name: string): Part | undefined;
  /** Returns the text of a part. @throws {Problem} if it is missing, too large or not in UTF-8 */
  text(name: string): string;
}

const localHeaderBytes = 30;
const xmlName = /\.(?:xml|rels|vml|rdf)$/i;
/** Byte-order marks of encodings other than UTF-8, and `<` in two bytes, as latin1. */
const otherEncodings = ['\xFF\xFE', '\xFE\xFF', '<\0', '\0<'];

/**
 * Opens the archive of a workbook, and checks all its parts.
 * @throws {Problem} for an archive that is damaged or malicious, and XML with a document type or in another encoding
 */
export async function openPackage(path: string): Promise<WorkbookPackage> {
  const file = await readFile(path);
  const parts = await readParts(path, file);
  const byName = new Map(parts.map((part) => [part.name.toLowerCase(), part]));
  if (byName.size < parts.length) throw spreadsheetProblems.repeatedPart();
  for (const { name, bytes } of parts) if (xmlName.test(name)) refuseUnsafeXml(name, bytes);
  const find = (name: string) => byName.get(name.toLowerCase());
  return {
    parts,
    find,
    text(name) {
      const part = find(name);
      if (part === undefined) throw spreadsheetProblems.missingPart(name);
      if (part.bytes.length > workbookLimits.partBytes)
        throw spreadsheetProblems.largePart(name, workbookLimits.partBytes / MiB);
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part.bytes);
      } catch (error) {
        throw spreadsheetProblems.otherEncoding(name).because(error);
      }
    },
  };
}

async function readParts(path: string, file: Buffer): Promise<readonly Part[]> {
  try {
    using archive = await openArchive(path);
    const { entries } = archive;
    if (entries.length > workbookLimits.parts) throw spreadsheetProblems.tooManyParts(workbookLimits.parts);
    const total = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (total > workbookLimits.unpackedBytes)
      throw spreadsheetProblems.unpacksTooLarge(workbookLimits.unpackedBytes / MiB);
    return entries.map((entry) => readPart(file, entry));
  } catch (error) {
    const isOfArchive = error instanceof Problem && error.sentence?.code.startsWith('archive.') === true;
    if (!isOfArchive) throw error;
    throw spreadsheetProblems.brokenArchive(new Message(error.message, error.sentence)).because(error);
  }
}

function readPart(file: Buffer, entry: Entry): Part {
  checkMethod(entry);
  const name = entryName(entry);
  const head = entry.relativeOffsetOfLocalHeader;
  if (head + localHeaderBytes > file.length) throw spreadsheetProblems.brokenPart(name);
  const start = head + localHeaderBytes + file.readUInt16LE(head + 26) + file.readUInt16LE(head + 28);
  const packed = file.subarray(start, start + entry.compressedSize);
  if (packed.length !== entry.compressedSize) throw spreadsheetProblems.brokenPart(name);
  const bytes = entry.compressionMethod === 0 ? packed : inflated(packed, entry);
  if (bytes?.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32)
    throw spreadsheetProblems.brokenPart(name);
  return { name, entry, packed, bytes };
}

/** Unpacks no more than the archive declares. */
function inflated(packed: Buffer, { uncompressedSize }: Entry): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize) });
  } catch {
    return undefined;
  }
}

/** Programs that open the filled workbook read all its parts, not only those that are parsed here. */
function refuseUnsafeXml(name: string, bytes: Buffer): void {
  const text = bytes.toString('latin1');
  if (otherEncodings.some((start) => text.startsWith(start))) throw spreadsheetProblems.otherEncoding(name);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw spreadsheetProblems.entities(name);
}

const encryptionAndSizeFlags = 0x9;

/**
 * Writes a package again. A part that is not in `changed` keeps its bytes as they lie in the archive, and its place.
 * @param changed texts of parts, by the names of the parts
 */
export function writePackage({ parts }: WorkbookPackage, changed: ReadonlyMap<string, string>): Buffer {
  const [members, list]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const part of parts) {
    const text = changed.get(part.name);
    const { entry, packed, bytes } = text === undefined ? part : changedPart(part, Buffer.from(text));
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(entry.versionNeededToExtract, 0);
    fields.writeUInt16LE(entry.generalPurposeBitFlag & ~encryptionAndSizeFlags & 0xffff, 2);
    fields.writeUInt16LE(entry.compressionMethod, 4);
    fields.writeUInt16LE(entry.lastModFileTime, 6);
    fields.writeUInt16LE(entry.lastModFileDate, 8);
    fields.writeUInt32LE(text === undefined ? entry.crc32 : crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(entry.fileNameRaw.length, 22);
    const name = Buffer.from(entry.fileNameRaw);
    members.push(Buffer.from('PK\u0003\u0004', 'latin1'), fields, name, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(entry.externalFileAttributes, 6);
    tail.writeUInt32LE(offset, 10);
    const made = Buffer.alloc(2);
    made.writeUInt16LE(entry.versionMadeBy);
    list.push(Buffer.from('PK\u0001\u0002', 'latin1'), made, fields, tail, name);
    offset += 4 + fields.length + name.length + packed.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...members, directory, end]);
}

function changedPart({ entry, ...part }: Part, bytes: Buffer): Part {
  const packed = entry.compressionMethod === 0 ? bytes : deflateRawSync(bytes);
  return { ...part, entry, packed, bytes };
}
