import type { FileHandle } from 'node:fs/promises';
import {
  BrokenTiff,
  createReader,
  readNumber,
  typeBytes,
  wholeTypes,
  type Entry,
  type Read,
  type WordBytes,
} from './bytes.ts';

/** A TIFF or BigTIFF file of either byte order. Offsets are bytes from the start of the file. */
export interface TiffFile {
  readonly bigTiff: boolean;
  readonly littleEndian: boolean;
  readonly fileBytes: number;
  readonly firstDirectory: number;
  readonly read: Read;
}

/** The tags of one image. */
export interface Directory {
  readonly offset: number;
  /** By tag number; of tags that occur twice the first, as libtiff has it. Those of unknown type are left out. */
  readonly entries: ReadonlyMap<number, Entry>;
  /** How many there are, with those that occur twice or are of unknown type. */
  readonly entryCount: number;
  /** Where the next one begins; 0 behind the last. */
  readonly next: number;
  /** The first number of a tag; undefined when it is absent, empty or of another type. @throws {BrokenTiff} */
  number(tag: number): Promise<number | undefined>;
  /** All numbers of a tag, none where it is absent or of another type. @throws {BrokenTiff} also when there are more than `max`. */
  numbers(tag: number, max: number): Promise<readonly number[]>;
}

/** libtiff takes a directory with more for no directory. */
const maxEntries = 4096;
/** Documents of some hundred pages are common; libtiff's time grows with the square of the number. */
export const maxDirectories = 10_000;

/** @throws {BrokenTiff} when the file is no TIFF. */
export async function openTiff(file: FileHandle): Promise<TiffFile> {
  const fileBytes = (await file.stat()).size;
  const read = createReader(file, fileBytes);
  const header = await read(0, 8);
  const littleEndian = header.getUint16(0) === 0x4949;
  if (!littleEndian && header.getUint16(0) !== 0x4d4d) throw new BrokenTiff('the file is no TIFF');
  const magic = header.getUint16(2, littleEndian);
  if (magic !== 42 && magic !== 43) throw new BrokenTiff('the file is no TIFF');
  const bigTiff = magic === 43;
  const firstDirectory = bigTiff
    ? readNumber(await read(8, 8), 0, 8, littleEndian)
    : readNumber(header, 4, 4, littleEndian);
  return { bigTiff, littleEndian, fileBytes, firstDirectory, read };
}

/** Reads the directory at `offset`. @throws {BrokenTiff} when there is none. */
export async function readDirectory(tiff: TiffFile, offset: number): Promise<Directory> {
  const { bigTiff, littleEndian, read } = tiff;
  const wordBytes = bigTiff ? 8 : 4;
  const countBytes = bigTiff ? 8 : 2;
  const entryBytes = bigTiff ? 20 : 12;
  const entryCount = readNumber(await read(offset, countBytes), 0, countBytes, littleEndian);
  if (entryCount > maxEntries) throw new BrokenTiff(`a directory has ${entryCount} entries`);
  const table = await read(offset + countBytes, entryCount * entryBytes + wordBytes);
  const numberAt = (at: number, size: WordBytes) => readNumber(table, at, size, littleEndian);
  const entries = new Map<number, Entry>();
  const seen = new Set<number>();
  for (let at = 0; at < entryCount * entryBytes; at += entryBytes) {
    const tag = numberAt(at, 2);
    const type = numberAt(at + 2, 2);
    const size = typeBytes[type];
    if (seen.has(tag)) continue;
    seen.add(tag);
    if (size === undefined) continue;
    const count = numberAt(at + 4, wordBytes);
    const valueAt = at + 4 + wordBytes;
    const isInline = count * size <= wordBytes;
    const place = isInline ? offset + countBytes + valueAt : numberAt(valueAt, wordBytes);
    entries.set(tag, { type, size, count, at: place, isInline });
  }
  const wholeNumbers = (tag: number): Entry | undefined => {
    const entry = entries.get(tag);
    return entry !== undefined && wholeTypes.includes(entry.type) ? entry : undefined;
  };
  return {
    offset,
    entries,
    entryCount,
    next: numberAt(entryCount * entryBytes, wordBytes),
    async number(tag) {
      const entry = wholeNumbers(tag);
      if (entry === undefined || entry.count < 1) return undefined;
      if (entry.isInline) return numberAt(entry.at - offset - countBytes, entry.size);
      return readNumber(await read(entry.at, entry.size), 0, entry.size, littleEndian);
    },
    async numbers(tag, max) {
      const entry = wholeNumbers(tag);
      if (entry === undefined) return [];
      const { at, count, size } = entry;
      if (count > max) throw new BrokenTiff(`tag ${tag} has ${count} numbers`, 'endless');
      const values = await read(at, count * size);
      return Array.from({ length: count }, (_, i) => readNumber(values, i * size, size, littleEndian));
    },
  };
}

/**
 * Walks the chain of directories.
 * @throws {BrokenTiff} when it leaves the file, runs in a loop, is longer than `maxDirectories` or has no link at all.
 */
export async function* walkDirectories(tiff: TiffFile): AsyncGenerator<Directory> {
  const seen = new Set<number>();
  for (let offset = tiff.firstDirectory; offset !== 0;) {
    if (seen.has(offset)) throw new BrokenTiff('the directories run in a loop', 'loop');
    if (seen.size >= maxDirectories)
      throw new BrokenTiff(`there are more than ${maxDirectories} directories`, 'endless');
    seen.add(offset);
    const directory = await readDirectory(tiff, offset);
    yield directory;
    offset = directory.next;
  }
  if (seen.size === 0) throw new BrokenTiff('there is no image');
}
