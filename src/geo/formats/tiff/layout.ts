import type { FileHandle } from 'node:fs/promises';
import { BrokenTiff, openTiff, walkDirectories, type TiffFile, type Directory } from './walk.ts';
import { blocksOf, readImage, type TiffImage, tags } from './image.ts';

export type TiffLayout = Awaited<ReturnType<typeof readTiffLayout>>;
/** An image and the positions of its blocks. Offsets are bytes from the start of the file. */
export type TiffDirectory = TiffLayout['directories'][number];

/**
 * Reads the directories of a TIFF or BigTIFF file of either byte order; reads only headers and block tables.
 * @throws {BrokenTiff} if the file is not a TIFF, has offsets outside itself, or contains a loop.
 */
export async function readTiffLayout(file: FileHandle) {
  const tiff = await openTiff(file);
  const ghostArea = await readGhostArea(tiff);
  const directories = await Array.fromAsync(walkDirectories(tiff), async (directory) => {
    const image = await readImage(directory);
    if (image === undefined) throw new BrokenTiff('an image has no size');
    return { offset: directory.offset, ...image, ...(await blockExtent(tiff, image)) };
  });
  return { ...tiff, ghostArea, directories };
}

async function blockExtent(tiff: TiffFile, image: TiffImage) {
  const blocks = image.tables?.count ?? 0;
  let lostBlocks = Math.max(0, image.expectedBlocks - blocks);
  let firstDataOffset: number | undefined;
  let dataEnd = 0;
  for await (const { start, length } of blocksOf(tiff, image)) {
    if (start === 0 || length === 0) {
      // Both are zero for a sparse block; every reader can derive the length of an image's only block.
      if (length > 0 || (start > 0 && blocks > 1)) lostBlocks += 1;
      continue;
    }
    firstDataOffset ??= start;
    dataEnd = Math.max(dataEnd, start + length);
  }
  if (dataEnd > tiff.fileBytes) throw new BrokenTiff('pixel data lies outside the file');
  return {
    /** Number of tiles or strips whose offset and length the file states; 0 if the tables are missing. */
    blocks,
    /** Number of tiles or strips whose offset or length is missing; GDAL reads them as zeros. */
    lostBlocks,
    /** Offset of the first block with data; undefined if all blocks are sparse. */
    firstDataOffset,
    /** End of the last block in the file. */
    dataEnd,
  };
}

/** A tag with its values in little-endian order. */
export interface Tag {
  readonly number: number;
  /** TIFF number of the type of its values. */
  readonly type: number;
  readonly count: number;
  readonly values: Uint8Array;
}

/** Reads the tags of a directory. @throws {BrokenTiff} if values lie outside the file. */
export async function readTags(tiff: TiffFile, { entries }: Directory): Promise<readonly Tag[]> {
  return await Promise.all(
    Array.from(entries, async ([number, { type, size, count, at }]) => {
      const { buffer, byteOffset, byteLength } = await tiff.read(at, count * size);
      const values = new Uint8Array(buffer, byteOffset, byteLength);
      return { number, type, count, values: tiff.littleEndian ? values : withSwappedBytes(values, size) };
    }),
  );
}

function withSwappedBytes(values: Uint8Array, valueBytes: number): Uint8Array {
  return values.map((_, at) => {
    const place = at % valueBytes;
    return values[at - place + (valueBytes - 1 - place)] ?? 0;
  });
}

/** Directories and values start on even bytes. */
const even = (at: number): number => at + (at % 2);

/**
 * Serializes a chain of little-endian directories, each followed by those of its values that do not fit into it.
 * @param start offset of the bytes in the file.
 * @returns the bytes, and the offset of the first directory in the file.
 */
export function writeDirectories(
  images: readonly (readonly Tag[])[],
  { bigTiff, start }: { readonly bigTiff: boolean; readonly start: number },
): { readonly bytes: Buffer; readonly first: number } {
  const sizes = bigTiff ? { count: 8, entry: 20, word: 8 } : { count: 2, entry: 12, word: 4 };
  let end = start;
  const place = (bytes: number): number => {
    const at = even(end);
    end = at + bytes;
    return at;
  };
  const placed = images.map((tags) => ({
    at: place(sizes.count + tags.length * sizes.entry + sizes.word),
    tags: tags
      .toSorted((a, b) => a.number - b.number)
      .map((tag) => ({ ...tag, at: tag.values.length > sizes.word ? place(tag.values.length) : undefined })),
  }));
  const bytes = Buffer.alloc(even(end) - start);
  const writeWord = (value: number, at: number): void => {
    if (bigTiff) bytes.writeBigUInt64LE(BigInt(value), at - start);
    else bytes.writeUInt32LE(value, at - start);
  };
  for (const [index, { at, tags }] of placed.entries()) {
    if (bigTiff) bytes.writeBigUInt64LE(BigInt(tags.length), at - start);
    else bytes.writeUInt16LE(tags.length, at - start);
    for (const [number, tag] of tags.entries()) {
      const entryAt = at + sizes.count + number * sizes.entry;
      bytes.writeUInt16LE(tag.number, entryAt - start);
      bytes.writeUInt16LE(tag.type, entryAt + 2 - start);
      writeWord(tag.count, entryAt + 4);
      const valueAt = entryAt + 4 + sizes.word;
      if (tag.at !== undefined) writeWord(tag.at, valueAt);
      bytes.set(tag.values, (tag.at ?? valueAt) - start);
    }
    writeWord(placed[index + 1]?.at ?? 0, at + sizes.count + tags.length * sizes.entry);
  }
  return { bytes, first: placed[0]?.at ?? 0 };
}

/** Returns the size of the header, after which directories may start. */
export function headerBytes(bigTiff: boolean): number {
  return bigTiff ? 16 : 8;
}

/** Serializes the header of a little-endian file. @param first offset of the first directory. */
export function writeHeader(bigTiff: boolean, first: number): Buffer {
  const header = Buffer.alloc(headerBytes(bigTiff));
  if (bigTiff) {
    header.write('II+\0\x08\0', 'latin1');
    header.writeBigUInt64LE(BigInt(first), 8);
  } else {
    header.write('II*\0', 'latin1');
    header.writeUInt32LE(first, 4);
  }
  return header;
}

/** TIFF types of offsets: 32 bits, and 64. */
const [long, long8] = [4, 16];

/**
 * Moves the offsets of blocks, except the 0 of sparse ones; returns other tags unchanged.
 * @param bigTiff true for a tag of a BigTIFF, whatever the source.
 * @throws {Error} if an offset has another type than GDAL writes, or does not fit.
 */
export function withMovedBlocks(tag: Tag, shift: number, bigTiff: boolean): Tag {
  if (tag.number !== tags.tileOffsets && tag.number !== tags.stripOffsets) return tag;
  if (tag.type !== long && tag.type !== long8)
    throw new Error(`the places of blocks have the type ${tag.type}`);
  const from = Buffer.from(tag.values);
  const values = Buffer.alloc(tag.count * (bigTiff ? 8 : 4));
  for (let i = 0; i < tag.count; i += 1) {
    const at = tag.type === long8 ? Number(from.readBigUInt64LE(i * 8)) : from.readUInt32LE(i * 4);
    const moved = at === 0 ? 0 : at + shift;
    if (bigTiff) values.writeBigUInt64LE(BigInt(moved), i * 8);
    else values.writeUInt32LE(moved, i * 4);
  }
  return { ...tag, type: bigTiff ? long8 : long, values };
}

/** Returns the tag with the offsets of an image's tiles. */
export function placesTag(places: readonly number[], bigTiff: boolean): Tag {
  const values = Buffer.alloc(places.length * (bigTiff ? 8 : 4));
  for (const [i, place] of places.entries()) {
    if (bigTiff) values.writeBigUInt64LE(BigInt(place), i * 8);
    else values.writeUInt32LE(place, i * 4);
  }
  return { number: tags.tileOffsets, type: bigTiff ? long8 : long, count: places.length, values };
}

/** Returns the tag with the byte counts of an image's tiles. */
export function lengthsTag(lengths: readonly number[]): Tag {
  const values = Buffer.alloc(lengths.length * 4);
  for (const [i, length] of lengths.entries()) values.writeUInt32LE(length, i * 4);
  return { number: tags.tileByteCounts, type: long, count: lengths.length, values };
}

const lead = 'GDAL_STRUCTURAL_METADATA_SIZE=';

/**
 * Reads the ghost area: GDAL's name for the lines of `KEY=value` that its COG driver writes after the header to
 * describe the layout of blocks. The first line has its size: `GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\n`. `bytes`
 * includes the header; 0 without a ghost area. Source: "Cloud Optimized GeoTIFF", GDAL's driver documentation.
 */
async function readGhostArea({ read, fileBytes, bigTiff, firstDirectory }: TiffFile) {
  const start = bigTiff ? 16 : 8;
  const none = { bytes: 0, lines: new Map<string, string>() };
  if (firstDirectory <= start) return none;
  const lineBytes = lead.length + '000000 bytes\n'.length;
  const line = asciiOf(await read(start, lineBytes));
  const size = /^(\d{6}) bytes\n$/.exec(line.startsWith(lead) ? line.slice(lead.length) : '')?.[1];
  if (size === undefined) return none;
  const isThere = start + lineBytes + Number(size) <= fileBytes;
  const text = isThere ? asciiOf(await read(start + lineBytes, Number(size))) : '';
  const lines = text.split('\n').map((each) => /^([^=]*)=([^]*)$/.exec(each)?.slice(1, 3) ?? []);
  return {
    bytes: lineBytes + Number(size),
    lines: new Map(lines.map(([key = '', value = '']) => [key, value.trim()])),
  };
}

function asciiOf({ buffer, byteOffset, byteLength }: DataView): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

/** Lists false statements of the ghost area: readers that trust it would read other pixels than readers that do not. */
export async function ghostAreaProblems(layout: TiffLayout): Promise<string[]> {
  if (layout.ghostArea.lines.get('KNOWN_INCOMPATIBLE_EDITION') === 'YES')
    return ['it was edited after it had become a COG'];
  const problems: string[] = [];
  for (const [index, image] of layout.directories.entries()) {
    const problem = await ghostAreaProblem(layout, image);
    if (problem !== undefined) problems.push(`image ${index} ${problem}`);
  }
  return problems;
}

async function ghostAreaProblem(layout: TiffLayout, image: TiffImage): Promise<string | undefined> {
  const { lines } = layout.ghostArea;
  const isOrdered = lines.get('BLOCK_ORDER') === 'ROW_MAJOR' && !image.separatePlanes;
  const hasLeaders = lines.get('BLOCK_LEADER') === 'SIZE_AS_UINT4';
  const hasTrailers = lines.get('BLOCK_TRAILER') === 'LAST_4_BYTES_REPEATED';
  if (!isOrdered && !hasLeaders && !hasTrailers) return undefined;
  let last = 0;
  for await (const { start, length } of blocksOf(layout, image)) {
    if (start === 0 || length === 0) continue;
    if (isOrdered && start < last) return 'has blocks in another order than the file says';
    last = start;
    // GDAL writes ghost areas in little-endian files only.
    const leader = hasLeaders ? await readIfThere(layout, start - 4, 4) : undefined;
    if (hasLeaders && leader?.getUint32(0, true) !== length) {
      return 'has blocks of another size than stands before them';
    }
    if (!hasTrailers || length < 4) continue;
    const ends = await readIfThere(layout, start + length - 4, 8);
    if (ends === undefined || ends.getUint32(0) !== ends.getUint32(4)) {
      return 'has blocks of another end than stands behind them';
    }
  }
  return undefined;
}

/** Reads bytes that may lie beyond the end of the file. */
function readIfThere(tiff: TiffFile, at: number, bytes: number): Promise<DataView> | undefined {
  return at >= 0 && at + bytes <= tiff.fileBytes ? tiff.read(at, bytes) : undefined;
}
