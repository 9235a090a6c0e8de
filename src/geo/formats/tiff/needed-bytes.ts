import { KiB, MiB } from '../../../lib/units.ts';
import type { RasterWindow } from '../../raster-reader.ts';
import { blockRun, readImage, type TiffImage, uncompressed } from './image.ts';
import { directoriesOf } from './limits.ts';
import { BrokenTiff, type ByteSource, openTiffIn, type TiffFile } from './walk.ts';

/** A byte range of a file, `end` exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Facts about a TIFF that are necessary to find the bytes of its pixels. */
export interface TiffHead {
  readonly tiff: TiffFile;
  /** The first image, and masks of its size. */
  readonly images: readonly TiffImage[];
}

/** TIFF numbers of compressions whose blocks are only in the ranges that the tables of their image state. */
const compressions: readonly number[] = [
  uncompressed,
  5,
  7,
  8,
  32_773,
  32_946,
  34_887,
  34_925,
  50_000,
  50_001,
  50_002,
];

/**
 * Reads all metadata of a TIFF: directories and all values that they refer to. The bytes read from `source` are those
 * that GDAL reads to open the file.
 * @throws {BrokenTiff} also for a file whose pixels may lie outside the ranges in its tables.
 */
export async function readTiffHead(source: ByteSource): Promise<TiffHead> {
  const tiff = await openTiffIn(source);
  const images: TiffImage[] = [];
  let tagBytes = 0;
  for await (const directory of directoriesOf(tiff)) {
    for (const { at, count, size } of directory.entries.values()) {
      tagBytes += count * size;
      // Many tags may share values.
      if (tagBytes > maxTagBytes) throw new BrokenTiff('the tags are too large', 'endless');
      await tiff.read(at, count * size);
    }
    const image = await readImage(directory);
    if (image === undefined) {
      if (images.length === 0) throw new BrokenTiff('the first image has no size');
      continue;
    }
    const [first = image] = images;
    const isOwnMask = image.mask && image.width === first.width && image.height === first.height;
    if (images.length === 0 || isOwnMask) images.push(image);
  }
  for (const { compression } of images) {
    if (!compressions.includes(compression))
      throw new BrokenTiff(`blocks of compression ${compression} are not known to lie in one piece`);
  }
  return { tiff, images };
}

/** A raster of 27 gigapixels in tiles of 512 has 1.7 MB of tags. */
const maxTagBytes = 64 * MiB;
/** The same raster has 103,000 tiles. */
const maxBlocks = 1e6;

/** Bytes that GDAL checks before and after a block of a COG. */
const aroundBlock = 4;
/** Reading this many bytes in between costs less than a second read. */
const gapBytes = 64 * KiB;

/**
 * Returns the byte ranges with the pixels of windows at full resolution, of all bands and the mask, ascending, with
 * close ranges joined. Windows are clipped to the raster.
 * @throws {BrokenTiff}
 */
export async function stretchesUnder(
  { tiff, images }: TiffHead,
  windows: readonly RasterWindow[],
): Promise<readonly Stretch[]> {
  const stretches: Stretch[] = [];
  for (const image of images) {
    for (const { first, count } of runsUnder(image, windows)) {
      for (const block of await blockRun(tiff, image, first, count)) {
        const stretch = stretchOf(block, image, tiff.fileBytes);
        if (stretch !== undefined) stretches.push(stretch);
        if (stretches.length > maxBlocks) throw new BrokenTiff('there are too many blocks', 'endless');
      }
    }
  }
  return merged(stretches);
}

/** Yields runs of consecutive blocks in the tables of an image. */
function* runsUnder(
  image: TiffImage,
  windows: readonly RasterWindow[],
): Generator<{ readonly first: number; readonly count: number }> {
  const { width, height, tile, blockRows, blocksPerPlane, separatePlanes, bands } = image;
  const blockColumns = tile?.width ?? width;
  const across = Math.ceil(width / blockColumns);
  const planes = separatePlanes ? bands : 1;
  const seen = new Set<string>();
  for (const window of windows) {
    const [left, right] = range(window.x, window.width, width, blockColumns);
    const [top, bottom] = range(window.y, window.height, height, blockRows);
    for (let row = top; row <= bottom; row += 1) {
      const name = `${row} ${left} ${right}`;
      if (left > right || seen.has(name)) continue;
      seen.add(name);
      for (let plane = 0; plane < planes; plane += 1)
        yield { first: plane * blocksPerPlane + row * across + left, count: right - left + 1 };
    }
  }
}

/** Returns the first and the last block; the last precedes the first if there is none. */
function range(at: number, length: number, whole: number, block: number): readonly [number, number] {
  const [from, to] = [Math.max(0, at), Math.min(whole, at + length)];
  return from < to ? [Math.floor(from / block), Math.floor((to - 1) / block)] : [0, -1];
}

function stretchOf(
  { start, length }: { readonly start: number; readonly length: number },
  { compression, blockBytes, tables }: TiffImage,
  fileBytes: number,
): Stretch | undefined {
  if (start === 0) return undefined; // a sparse block
  // Of the only block of an image every reader knows the length; libtiff knows that of pixels that are not compressed.
  const isUntold = length === 0 && tables?.count === 1;
  const least = compression === uncompressed ? blockBytes.whole : 0;
  const end = isUntold ? fileBytes : start + Math.max(length, least) + aroundBlock;
  const stretch = { start: Math.max(0, start - aroundBlock), end: Math.min(fileBytes, end) };
  return stretch.start < stretch.end && (length > 0 || isUntold) ? stretch : undefined;
}

function merged(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: Stretch[] = [];
  for (const stretch of stretches.toSorted((one, other) => one.start - other.start)) {
    const last = all.at(-1);
    if (last !== undefined && stretch.start <= last.end + gapBytes)
      all[all.length - 1] = { start: last.start, end: Math.max(last.end, stretch.end) };
    else all.push(stretch);
  }
  return all;
}
