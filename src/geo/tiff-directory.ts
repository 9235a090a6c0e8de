import type { FileHandle } from 'node:fs/promises';
import {
  blocksOf,
  BrokenTiff,
  createReader,
  readNumber,
  typeBytes,
  type BlockTables,
  type Entry,
  type Read,
} from './tiff-bytes.ts';

/** One image of a TIFF file, as far as its layout is concerned. Offsets are bytes from the start of the file. */
export interface TiffDirectory {
  readonly offset: number;
  readonly width: number;
  readonly height: number;
  /** Absent for an image in strips. */
  readonly tile: { readonly width: number; readonly height: number } | undefined;
  /** A smaller version of another image. */
  readonly reduced: boolean;
  /** A transparency mask of another image. */
  readonly mask: boolean;
  /** Tiles or strips whose place and length the file tells; 0 when it has forgotten to. */
  readonly blocks: number;
  /** Tiles or strips that the image has and whose place or length the file does not tell; GDAL makes zeros of them. */
  readonly lostBlocks: number;
  /** TIFF's number of the way in which blocks are compressed. */
  readonly compression: number;
  /** Bytes of a whole tile or strip before compression, and of the last strip, which may be lower. */
  readonly blockBytes: { readonly whole: number; readonly last: number };
  /** Tiles or strips of one plane; there are several planes where bands are stored apart. */
  readonly blocksPerPlane: number;
  /** Where the places of the blocks are listed; absent when the file has forgotten to. */
  readonly tables: BlockTables | undefined;
  /** Of the first block that holds data; absent when all blocks are sparse. */
  readonly firstDataOffset: number | undefined;
  /** Where the block that lies last in the file ends. */
  readonly dataEnd: number;
}

export interface TiffLayout {
  readonly bigTiff: boolean;
  readonly littleEndian: boolean;
  readonly fileBytes: number;
  /** Bytes from the header to the first directory that GDAL's COG driver uses to describe the layout; 0 without. */
  readonly structuralMetadataBytes: number;
  readonly directories: readonly TiffDirectory[];
}

const maxDirectories = 1024;
const maxEntries = 4096;

const tags = {
  newSubfileType: 254,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
} as const;
const separatePlanes = 2;
const wanted: readonly number[] = Object.values(tags);

/**
 * Walks the directories of a TIFF or BigTIFF file of either byte order; reads nothing but headers and block tables.
 * @throws {BrokenTiff} when the file is no TIFF, points outside itself, or runs in a loop.
 */
export async function readTiffLayout(file: FileHandle): Promise<TiffLayout> {
  const fileBytes = (await file.stat()).size;
  const read = createReader(file, fileBytes);
  const header = await read(0, 8);
  const littleEndian = header.getUint16(0) === 0x4949;
  if (!littleEndian && header.getUint16(0) !== 0x4d4d) throw new BrokenTiff('the file is no TIFF');
  const magic = header.getUint16(2, littleEndian);
  if (magic !== 42 && magic !== 43) throw new BrokenTiff('the file is no TIFF');
  const bigTiff = magic === 43;
  const numberAt = (view: DataView, at: number, size: 1 | 2 | 4 | 8): number =>
    readNumber(view, at, size, littleEndian);

  const headerBytes = bigTiff ? 16 : 8;
  let next = bigTiff ? numberAt(await read(8, 8), 0, 8) : numberAt(header, 4, 4);
  const structuralMetadataBytes = next > headerBytes ? await structuralMetadata(read, headerBytes) : 0;
  const seen = new Set<number>();
  const directories: TiffDirectory[] = [];
  while (next !== 0) {
    if (seen.has(next)) throw new BrokenTiff('the directories run in a loop');
    if (seen.size >= maxDirectories)
      throw new BrokenTiff(`there are more than ${maxDirectories} directories`);
    seen.add(next);
    const offset = next;
    const entries = new Map<number, Entry>();
    const countBytes = bigTiff ? 8 : 2;
    const count = numberAt(await read(offset, countBytes), 0, countBytes);
    if (count > maxEntries) throw new BrokenTiff(`a directory has ${count} entries`);
    const entryBytes = bigTiff ? 20 : 12;
    const wordBytes = bigTiff ? 8 : 4;
    const table = await read(offset + countBytes, count * entryBytes + wordBytes);
    for (let at = 0; at < count * entryBytes; at += entryBytes) {
      const tag = numberAt(table, at, 2);
      const size = typeBytes[numberAt(table, at + 2, 2)];
      if (size === undefined || !wanted.includes(tag)) continue;
      const valueCount = numberAt(table, at + 4, wordBytes);
      const valueAt = at + 4 + wordBytes;
      const inline = valueCount * size <= wordBytes;
      entries.set(tag, {
        size,
        count: valueCount,
        at: inline ? offset + countBytes + valueAt : numberAt(table, valueAt, wordBytes),
      });
    }
    next = numberAt(table, count * entryBytes, wordBytes);
    directories.push(await toDirectory(offset, entries));
  }
  if (directories.length === 0) throw new BrokenTiff('there is no image');
  return { bigTiff, littleEndian, fileBytes, structuralMetadataBytes, directories };

  async function toDirectory(offset: number, entries: ReadonlyMap<number, Entry>): Promise<TiffDirectory> {
    const single = async (tag: number): Promise<number | undefined> => {
      const entry = entries.get(tag);
      return entry === undefined || entry.count < 1
        ? undefined
        : numberAt(await read(entry.at, entry.size), 0, entry.size);
    };
    const width = await single(tags.width);
    const height = await single(tags.height);
    if (width === undefined || height === undefined) throw new BrokenTiff('an image has no size');
    const tileWidth = await single(tags.tileWidth);
    const tileHeight = await single(tags.tileHeight);
    const tile = tileWidth && tileHeight ? { width: tileWidth, height: tileHeight } : undefined;
    const kind = (await single(tags.newSubfileType)) ?? 0;
    const offsets = entries.get(tile ? tags.tileOffsets : tags.stripOffsets);
    const byteCounts = entries.get(tile ? tags.tileByteCounts : tags.stripByteCounts);
    const rowsPerStrip = (await single(tags.rowsPerStrip)) ?? height;
    const across = tile ? Math.ceil(width / tile.width) : 1;
    const down = Math.ceil(height / Math.max(1, tile?.height ?? Math.min(rowsPerStrip, height)));
    const separate = (await single(tags.planarConfiguration)) === separatePlanes;
    const samples = (await single(tags.samplesPerPixel)) ?? 1;
    const planes = separate ? samples : 1;
    const bits = ((await single(tags.bitsPerSample)) ?? 1) * (separate ? 1 : samples);
    const rowBytes = Math.ceil(((tile?.width ?? width) * bits) / 8);
    const rows = tile?.height ?? Math.min(rowsPerStrip, height);
    const lastRows = tile?.height ?? height - (down - 1) * rows;
    const blockBytes = { whole: rows * rowBytes, last: lastRows * rowBytes };
    const tables = offsets && byteCounts && { offsets, byteCounts };
    const compression = (await single(tags.compression)) ?? 1;
    const data = await blockExtent(tables, across * down * planes);
    return {
      offset,
      width,
      height,
      tile,
      reduced: (kind & 1) !== 0,
      mask: (kind & 4) !== 0,
      blockBytes,
      blocksPerPlane: across * down,
      compression,
      tables,
      ...data,
    };
  }

  async function blockExtent(
    tables: BlockTables | undefined,
    expectedBlocks: number,
  ): Promise<Pick<TiffDirectory, 'blocks' | 'lostBlocks' | 'firstDataOffset' | 'dataEnd'>> {
    if (tables === undefined) {
      return { blocks: 0, lostBlocks: expectedBlocks, firstDataOffset: undefined, dataEnd: 0 };
    }
    const blocks = Math.min(tables.offsets.count, tables.byteCounts.count);
    let lostBlocks = Math.max(0, expectedBlocks - blocks);
    let firstDataOffset: number | undefined;
    let dataEnd = 0;
    for await (const { start, length } of blocksOf(read, tables, littleEndian)) {
      if (start === 0 || length === 0) {
        // Both are zero for a sparse block; of the only block of an image every reader knows the length.
        if (length > 0 || (start > 0 && blocks > 1)) lostBlocks += 1;
        continue;
      }
      firstDataOffset ??= start;
      dataEnd = Math.max(dataEnd, start + length);
    }
    if (dataEnd > fileBytes) throw new BrokenTiff('pixel data lies outside the file');
    return { blocks, lostBlocks, firstDataOffset, dataEnd };
  }
}

/** The COG driver says how many bytes its own description of the layout takes: `GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\n`. */
async function structuralMetadata(read: Read, at: number): Promise<number> {
  const lead = 'GDAL_STRUCTURAL_METADATA_SIZE=';
  const lineBytes = lead.length + '000000 bytes\n'.length;
  const line = Buffer.from((await read(at, lineBytes)).buffer).toString('latin1');
  const size = /^GDAL_STRUCTURAL_METADATA_SIZE=(\d{6}) bytes\n$/.exec(line)?.[1];
  return size === undefined ? 0 : lineBytes + Number(size);
}
