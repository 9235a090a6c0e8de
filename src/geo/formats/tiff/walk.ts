import type { FileHandle } from 'node:fs/promises';

/** Kind of damage: `cut` for directories or tables beyond the end of the file, so that images or masks may be lost. */
export type TiffFault = 'cut' | 'loop' | 'endless' | 'other';

/** A file that is not a TIFF or has inconsistent directories. */
export class BrokenTiff extends Error {
  override readonly name = 'BrokenTiff';
  readonly fault: TiffFault;

  constructor(message: string, fault: TiffFault = 'other') {
    super(message);
    this.fault = fault;
  }
}

export type WordBytes = 1 | 2 | 4 | 8;

/** Bytes per value by TIFF type number; 14 and 15 are unused. */
const typeBytes: readonly (WordBytes | undefined)[] = [
  undefined,
  ...([1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4] as const),
  ...([undefined, undefined, 8, 8, 8] as const),
];

/** Integer types; signed ones are read as unsigned, because no size uses them. */
const wholeTypes: readonly number[] = [1, 3, 4, 6, 8, 9, 13, 16, 17, 18];

/** Values of one tag: `count` of `size` bytes each, from `at` on. */
export interface Entry {
  readonly type: number;
  readonly size: WordBytes;
  readonly count: number;
  readonly at: number;
  /** True for values in the directory itself. */
  readonly isInline: boolean;
}

/** Random access to bytes. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** Reads `length` bytes from `at` on, fewer at the end. */
  read(at: number, length: number): Promise<Uint8Array>;
}

function createReader({ sizeBytes, read }: ByteSource) {
  /** @throws {BrokenTiff} if the file ends before. */
  return async (at: number, length: number): Promise<DataView> => {
    const cut = () => new BrokenTiff(`the file ends before byte ${at + length}`, 'cut');
    if (at < 0 || at + length > sizeBytes) throw cut();
    const bytes = await read(at, length);
    if (bytes.length < length) throw cut();
    return new DataView(bytes.buffer, bytes.byteOffset, length);
  };
}

export function readNumber(view: DataView, at: number, size: WordBytes, littleEndian: boolean): number {
  if (size === 8) return Number(view.getBigUint64(at, littleEndian));
  if (size === 4) return view.getUint32(at, littleEndian);
  return size === 2 ? view.getUint16(at, littleEndian) : view.getUint8(at);
}

/** A TIFF or BigTIFF file of either byte order. Offsets are bytes from the start of the file. */
export type TiffFile = Awaited<ReturnType<typeof openTiffIn>>;

/** Tags of one image. */
export interface Directory {
  readonly offset: number;
  /** By tag number; of a repeated tag the first, like libtiff. Omits tags of unknown type. */
  readonly entries: ReadonlyMap<number, Entry>;
  /** Includes repeated tags and those of unknown type. */
  readonly entryCount: number;
  /** Offset of the next directory; 0 after the last. */
  readonly next: number;
  /** Returns the entry of an integer tag; undefined if it is absent or of another type. */
  wholeNumbers(tag: number): Entry | undefined;
  /** Returns the first number of a tag; undefined if it is absent, empty or of another type. @throws {BrokenTiff} */
  number(tag: number): Promise<number | undefined>;
  /** Returns all numbers of a tag; empty if it is absent or of another type. @throws {BrokenTiff} also for more than `max`. */
  numbers(tag: number, max: number): Promise<readonly number[]>;
}

/** libtiff does not accept a directory with more entries. */
const maxEntries = 4096;
/** Documents of some hundred pages are common; libtiff's time is quadratic. */
export const maxDirectories = 10_000;

/** Opens a file as a TIFF. @throws {BrokenTiff} if it is not one. */
export async function openTiff(file: FileHandle) {
  return await openTiffIn({
    sizeBytes: (await file.stat()).size,
    async read(at, length) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    },
  });
}

/** Opens bytes as a TIFF. @throws {BrokenTiff} if they are not one. */
export async function openTiffIn(source: ByteSource) {
  const fileBytes = source.sizeBytes;
  const read = createReader(source);
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

/** Reads the directory at `offset`. @throws {BrokenTiff} if there is none. */
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
    wholeNumbers,
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
 * Yields the chain of directories.
 * @throws {BrokenTiff} if it leaves the file, contains a loop, exceeds `maxDirectories` or has no end.
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
