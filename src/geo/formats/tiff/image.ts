import { KiB } from '../../../common/units.ts';
import { readNumber, type Directory, type Entry, type TiffFile } from './walk.ts';

/** An image and how it is stored, as the tags of its directory tell. */
export type TiffImage = NonNullable<Awaited<ReturnType<typeof readImage>>>;

export const tags = {
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
  subIfds: 330,
} as const;

export const uncompressed = 1;
const separate = 2;

/** Reads an image; undefined when its directory does not tell its size. @throws {BrokenTiff} when a tag lies outside the file. */
export async function readImage(directory: Directory) {
  const width = await directory.number(tags.width);
  const height = await directory.number(tags.height);
  if (width === undefined || height === undefined) return undefined;
  const tileWidth = await directory.number(tags.tileWidth);
  const tileHeight = await directory.number(tags.tileHeight);
  const tile = tileWidth && tileHeight ? { width: tileWidth, height: tileHeight } : undefined;
  const kind = (await directory.number(tags.newSubfileType)) ?? 0;
  const rowsPerStrip = Math.min((await directory.number(tags.rowsPerStrip)) ?? height, height);
  const bands = (await directory.number(tags.samplesPerPixel)) ?? 1;
  const bitsPerValue = (await directory.number(tags.bitsPerSample)) ?? 1;
  const separatePlanes = (await directory.number(tags.planarConfiguration)) === separate;

  const blockRows = tile?.height ?? rowsPerStrip;
  const across = tile ? Math.ceil(width / tile.width) : 1;
  const down = Math.ceil(height / Math.max(1, blockRows));
  const rowBytes = Math.ceil(((tile?.width ?? width) * bitsPerValue * (separatePlanes ? 1 : bands)) / 8);
  const lastRows = tile?.height ?? height - (down - 1) * blockRows;
  return {
    width,
    height,
    /** Undefined for an image in strips. */
    tile,
    bands,
    bitsPerValue,
    /** Tells whether each band has blocks of its own. */
    separatePlanes,
    /** Marks a smaller version of another image. */
    reduced: (kind & 1) !== 0,
    /** Marks a transparency mask of another image. */
    mask: (kind & 4) !== 0,
    compression: (await directory.number(tags.compression)) ?? uncompressed,
    /** Rows of a whole tile or strip. */
    blockRows,
    /** Bytes of a whole tile or strip before compression, and of the last strip, which may be lower. */
    blockBytes: { whole: blockRows * rowBytes, last: lastRows * rowBytes },
    /** Tiles or strips of one plane; there are several planes where bands are stored apart. */
    blocksPerPlane: across * down,
    /** Tiles or strips that the image has by its size. */
    expectedBlocks: across * down * (separatePlanes ? bands : 1),
    /** Undefined when the file does not list the places of its blocks. */
    tables: tablesOf(directory, tile !== undefined),
  };
}

function tablesOf(directory: Directory, isTiled: boolean): BlockTables | undefined {
  const offsets = directory.wholeNumbers(isTiled ? tags.tileOffsets : tags.stripOffsets);
  const byteCounts = directory.wholeNumbers(isTiled ? tags.tileByteCounts : tags.stripByteCounts);
  return offsets && byteCounts && { offsets, byteCounts };
}

/** Where an image lists the place and the length of each of its tiles or strips. */
export interface BlockTables {
  readonly offsets: Entry;
  readonly byteCounts: Entry;
}

const blocksPerRead = 8 * KiB;

/** Lists the blocks of an image in their order, as far as both tables tell of them; both numbers are 0 for a sparse one. */
export async function* blocksOf(
  { read, littleEndian }: Pick<TiffFile, 'read' | 'littleEndian'>,
  { offsets, byteCounts }: BlockTables,
): AsyncGenerator<{ readonly start: number; readonly length: number }> {
  const known = Math.min(offsets.count, byteCounts.count);
  for (let block = 0; block < known; block += blocksPerRead) {
    const blocks = Math.min(blocksPerRead, known - block);
    const starts = await read(offsets.at + block * offsets.size, blocks * offsets.size);
    const lengths = await read(byteCounts.at + block * byteCounts.size, blocks * byteCounts.size);
    for (let i = 0; i < blocks; i += 1) {
      yield {
        start: readNumber(starts, i * offsets.size, offsets.size, littleEndian),
        length: readNumber(lengths, i * byteCounts.size, byteCounts.size, littleEndian),
      };
    }
  }
}
