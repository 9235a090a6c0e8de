import { closeSync, fstatSync, openSync, readSync, existsSync } from 'node:fs';
import { MiB } from '../../../lib/units.ts';
import { join } from 'node:path';

/** Header of a `.shp` or `.shx`; lengths and places in them are counted in words of two bytes. */
const headerBytes = 100;
const wordBytes = 2;
const fileCode = 9994;
/** Number and length of a record, before its content. */
const recordHeadBytes = 8;
/** A record holds at least the kind of its shape. */
const minContentWords = 2;
const entryBytes = 8;
const blockBytes = MiB;

/** Counts the shapes that a `.shx` lists; undefined when it contradicts itself or the length of the `.shp`. */
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

/** Counts the shapes that follow each other in a `.shp`; undefined when their lengths do not add up. */
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

/** An open file. */
export interface OpenFile {
  readonly bytes: number;
  /** Reads less than 1 MiB that is in the file. The result holds until the next call. */
  at(position: number, length: number): Buffer;
}

/** Returns the length of a file in bytes as its header says it. */
function lengthOf(file: OpenFile): number | undefined {
  if (file.bytes < headerBytes) return undefined;
  const header = file.at(0, headerBytes);
  return header.readInt32BE(0) === fileCode ? header.readUInt32BE(24) * wordBytes : undefined;
}

/** Opens a file that is read block by block: most of what is asked for lies behind what was asked for before. */
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

/** Opens a file for as long as the work on it takes. */
export function withFile<T>(path: string, work: (file: OpenFile) => T): T {
  using file = openToRead(path);
  return work(file);
}

/** Where a `.dbf` says how many rows it has. */
const rowCountAt = 4;
const rowCountBytes = 4;

/** The shapes of a shapefile, and whether its `.shx` lists them. */
interface Shapes {
  readonly count: number;
  readonly isIndexed: boolean;
}

/**
 * Counts the shapes that the `.shx` of `input.shp` lists, or else those that follow each other in it: when there is no
 * `.shx`, when it is wrong, and when it lists fewer of them than there are both shapes and rows. An index that is shorter
 * than the table hides shapes; one that is shorter than the `.shp` alone passes over shapes that were deleted.
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
