import { KiB, MiB } from '../../../lib/units.ts';
import { readNumber, type Directory, type Entry, type TiffFile } from './walk.ts';

/** An image and its storage according to the tags of its directory. */
export type TiffImage = NonNullable<Awaited<ReturnType<typeof readImage>>>;

export const tags = {
  newSubfileType: 254,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
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
  sampleFormat: 339,
} as const;

export const uncompressed = 1;
const separate = 2;
/** Zero is black. */
const usualPhotometric = 1;
/** Unsigned integers. */
const usualSampleFormat = 1;

/** Reads an image; undefined if its directory has no size. @throws {BrokenTiff} if a tag lies outside the file. */
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
  const compression = (await directory.number(tags.compression)) ?? uncompressed;
  return {
    width,
    height,
    /** Undefined for an image in strips. */
    tile,
    bands,
    bitsPerValue,
    /** True if each band has separate blocks. */
    separatePlanes,
    /** True for a smaller version of another image. */
    reduced: (kind & 1) !== 0,
    /** True for a transparency mask of another image. */
    mask: (kind & 4) !== 0,
    compression,
    /** Storage of colours by TIFF number. */
    photometric: (await directory.number(tags.photometric)) ?? usualPhotometric,
    /** Meaning of the bits of a value by TIFF number; that of the first band. */
    sampleFormat: (await directory.number(tags.sampleFormat)) ?? usualSampleFormat,
    /** Rows of a complete tile or strip. */
    blockRows,
    /** Bytes before compression of a complete tile or strip, and of the last strip, which may have fewer rows. */
    blockBytes: { whole: blockRows * rowBytes, last: lastRows * rowBytes },
    /** Tiles or strips per plane; there are several planes if bands are stored separately. */
    blocksPerPlane: across * down,
    /** Number of tiles or strips that the size of the image implies. */
    expectedBlocks: across * down * (separatePlanes ? bands : 1),
    /** Undefined if the file has no table of its blocks. */
    tables: tablesOf(directory, {
      isTiled: tile !== undefined,
      isUncompressed: compression === uncompressed,
    }),
  };
}

interface HowStored {
  readonly isTiled: boolean;
  readonly isUncompressed: boolean;
}

function tablesOf(directory: Directory, { isTiled, isUncompressed }: HowStored): BlockTables | undefined {
  const offsets = directory.wholeNumbers(isTiled ? tags.tileOffsets : tags.stripOffsets);
  const byteCounts = directory.wholeNumbers(isTiled ? tags.tileByteCounts : tags.stripByteCounts);
  if (offsets === undefined || (byteCounts === undefined && !isUncompressed)) return undefined;
  return { offsets, byteCounts, count: Math.min(offsets.count, byteCounts?.count ?? offsets.count) };
}

/** Tables with offset and length of each tile or strip of an image. */
interface BlockTables {
  readonly offsets: Entry;
  /** Absent in some old uncompressed files, whose blocks have the size of their pixels. */
  readonly byteCounts: Entry | undefined;
  /** Number of blocks in both tables. */
  readonly count: number;
}

const blocksPerRead = 8 * KiB;

/** Yields the blocks of an image in order, as far as its tables go; both numbers are 0 for a sparse one. */
export async function* blocksOf(
  tiff: Pick<TiffFile, 'read' | 'littleEndian'>,
  image: Pick<TiffImage, 'tables' | 'blockBytes' | 'blocksPerPlane'>,
): AsyncGenerator<{ readonly start: number; readonly length: number }> {
  const count = image.tables?.count ?? 0;
  for (let block = 0; block < count; block += blocksPerRead)
    yield* await blockRun(tiff, image, block, blocksPerRead);
}

/** Reads the positions of consecutive blocks of an image, as far as its tables go. */
export async function blockRun(
  tiff: Pick<TiffFile, 'read' | 'littleEndian'>,
  { tables, blockBytes, blocksPerPlane }: Pick<TiffImage, 'tables' | 'blockBytes' | 'blocksPerPlane'>,
  first: number,
  atMost: number,
): Promise<readonly { readonly start: number; readonly length: number }[]> {
  if (tables === undefined) return [];
  const { offsets, byteCounts, count } = tables;
  const blocks = Math.max(0, Math.min(atMost, count - first));
  if (blocks === 0) return [];
  const starts = await readNumbers(tiff, offsets, first, blocks);
  const lengths = byteCounts && (await readNumbers(tiff, byteCounts, first, blocks));
  return Array.from({ length: blocks }, (_, i) => {
    const isLast = (first + i + 1) % blocksPerPlane === 0;
    return { start: starts(i), length: lengths?.(i) ?? (isLast ? blockBytes.last : blockBytes.whole) };
  });
}

/** Reads a range of numbers of an entry; the returned function gives them by their index in the range. */
async function readNumbers(
  { read, littleEndian }: Pick<TiffFile, 'read' | 'littleEndian'>,
  { at, size }: Entry,
  from: number,
  count: number,
): Promise<(index: number) => number> {
  const bytes = await read(at + from * size, count * size);
  return (index) => readNumber(bytes, index * size, size, littleEndian);
}

/** Properties that decide whether an image can be drawn. */
export type DrawableImage = Pick<
  TiffImage,
  | 'width'
  | 'height'
  | 'bitsPerValue'
  | 'blockBytes'
  | 'compression'
  | 'photometric'
  | 'sampleFormat'
  | 'reduced'
  | 'mask'
>;

/** None, LZW, DEFLATE with its two numbers, PackBits, ZSTD. */
const compressions: readonly number[] = [1, 5, 8, 32_946, 32_773, 50_000];
/** White is zero, black is zero, RGB, palette. */
const photometrics: readonly number[] = [0, 1, 2, 3];
const wholeBits: readonly number[] = [1, 2, 4, 8, 16, 32, 64];
const floatBits: readonly number[] = [32, 64];
/** TIFF numbers of sample formats: unsigned and signed integers, floating point, and unknown. */
const [unsigned, signed, float, unknown] = [1, 2, 3, 4];
/** With larger blocks, too much would be read for a tile of a few pixels. */
export const maxDrawnBlockBytes = 16 * MiB;
/** The coarsest level is read completely, for a thumbnail and for tiles of the world. */
const maxCoarsestSide = 1024;

/**
 * Returns whether the api can draw tiles from a TIFF directly: it can decode the blocks, and reads little for any tile.
 * Other rasters require a view COG.
 * @param images of the file in order: the raster, its overviews and its masks.
 */
export function isDrawable(images: readonly DrawableImage[]): boolean {
  const levels = images.filter(({ reduced, mask }, index) => index === 0 || (reduced && !mask));
  const masks = images.filter(({ mask }) => mask);
  const sides = levels.map(({ width, height }) => Math.max(width, height));
  return (
    levels.length > 0 &&
    [...levels, ...masks].every(hasReadableBlocks) &&
    levels.every(hasReadableValues) &&
    Math.min(...sides) <= maxCoarsestSide
  );
}

function hasReadableBlocks({ compression, blockBytes }: DrawableImage): boolean {
  return compressions.includes(compression) && blockBytes.whole <= maxDrawnBlockBytes;
}

function hasReadableValues({ photometric, bitsPerValue, sampleFormat }: DrawableImage): boolean {
  const isWhole = sampleFormat === unsigned || sampleFormat === signed || sampleFormat === unknown;
  return (
    photometrics.includes(photometric) &&
    ((isWhole && wholeBits.includes(bitsPerValue)) ||
      (sampleFormat === float && floatBits.includes(bitsPerValue)))
  );
}
