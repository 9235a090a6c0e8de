import { MiB } from '../../../lib/units.ts';
import { tiffProblems } from '../../../messages/tiff.ts';
import { tags, uncompressed, type TiffImage } from './image.ts';
import type { Directory } from './walk.ts';

/** In all images together; real files have some dozens. libtiff's time grows with the square. */
const maxKindsOfTags = 1000;
const maxEntries = 1_000_000;
/** The largest tag that grows in GDAL's memory: texts, metadata, control points, colours. */
const maxBytesOfLoaded = 16 * MiB;
/** The largest tag that it only keeps, such as the layers of a graphics program. */
const maxBytesOfKept = 256 * MiB;
/** Images may share values; how many bytes more than the file has may be read for that. */
const maxSharedBytes = 64 * MiB;

const blockTables: readonly number[] = [
  tags.stripOffsets,
  tags.stripByteCounts,
  tags.tileOffsets,
  tags.tileByteCounts,
];
/** From here on tags belong to whoever registered them. */
const firstPrivateTag = 32_768;
/** Those of GeoTIFF and of GDAL. */
const loadedPrivateTags: readonly number[] = [
  33_550, 33_922, 34_264, 34_735, 34_736, 34_737, 42_112, 42_113, 50_844, 50_909,
];

/** Counts what the tags of one file ask for; `spend` throws a Problem when that is more than the file can have, or too much. */
export function createTagBudget(fileBytes: number): { spend(directory: Directory): void } {
  const kinds = new Set<number>();
  let entries = 0;
  let bytes = 0;
  return {
    spend(directory) {
      entries += directory.entryCount;
      for (const [tag, { count, size, isInline }] of directory.entries) {
        kinds.add(tag);
        if (isInline) continue;
        if (count * size > fileBytes) throw tiffProblems.tagLargerThanFile(tag, count * size);
        const limit = limitOf(tag);
        if (count * size > limit) throw tiffProblems.tagTooLarge(tag, count * size, limit);
        bytes += count * size;
      }
      if (kinds.size > maxKindsOfTags || entries > maxEntries)
        throw tiffProblems.tooManyTags(maxKindsOfTags, maxEntries);
      if (bytes > fileBytes + maxSharedBytes) throw tiffProblems.tagsLargerThanFile(bytes);
    },
  };
}

function limitOf(tag: number): number {
  if (blockTables.includes(tag)) return Number.POSITIVE_INFINITY;
  const isKept = tag >= firstPrivateTag && !loadedPrivateTags.includes(tag);
  return isKept ? maxBytesOfKept : maxBytesOfLoaded;
}

/** 100,000 by 100,000 pixels in 2.5 bands; a country in 10 m. */
const maxValues = 25e9;
/** Those of an image, its overviews and its masks, which are as large at most. */
const maxValuesTogether = 2 * maxValues;
const maxBands = 4096;
const maxBlockBytesOfBand = 256 * MiB;
/** GDAL decodes a block of all bands as one. */
const maxBlockBytes = 512 * MiB;
/** libtiff cuts uncompressed strips of an image that has one, or of more bytes than this, into small ones by itself. */
const maxStripBytesAsIs = 2 ** 31 - 1;
/** More blocks than these need to have a place in the file. */
const maxUntoldBlocks = 1e6;

/** Counts what the images of one file ask for; `spend` throws a Problem when that is too much. */
export function createImageBudget(): { spend(image: TiffImage, isMain: boolean): void } {
  let spent = 0;
  return {
    spend(image, isMain) {
      refuseUntoldBlocks(image);
      // Of further images GDAL reads no pixels.
      if (!isMain && !image.reduced && !image.mask) return;
      if (image.bands === 0) throw tiffProblems.noBand();
      if (image.bands > maxBands) throw tiffProblems.tooManyBands(image.bands, maxBands);
      const values = image.width * image.height * image.bands;
      if (values > maxValues) throw tiffProblems.tooManyValues(image, maxValues);
      refuseLargeBlocks(image);
      spent += values;
      if (spent > maxValuesTogether) throw tiffProblems.tooManyValuesTogether(spent, maxValuesTogether);
    },
  };
}

function refuseUntoldBlocks({ tables, expectedBlocks }: TiffImage): void {
  const told = tables?.count ?? 0;
  if (expectedBlocks > Math.max(told, maxUntoldBlocks))
    throw tiffProblems.blocksWithoutPlace(expectedBlocks, told);
}

function refuseLargeBlocks(image: TiffImage): void {
  const { width, height, tile, bands, blockRows, blockBytes } = image;
  if (isCutByLibrary(image)) return;
  const columns = tile?.width ?? width;
  const bytesOfBand = columns * blockRows * bytesInMemory(image.bitsPerValue);
  const bytes = Math.max(blockBytes.whole, bytesOfBand * (image.separatePlanes ? 1 : bands));
  const refuseBeyond = (limit: number, size: number) => {
    if (size <= limit) return;
    const [raster, block] = [`${width} by ${height}`, `${columns} by ${blockRows}`];
    throw tiffProblems.largeBlocks(raster, block, Math.ceil(size / MiB), limit / MiB);
  };
  refuseBeyond(maxBlockBytesOfBand, bytesOfBand);
  refuseBeyond(maxBlockBytes, bytes);
}

function isCutByLibrary({ tile, compression, blockBytes, expectedBlocks }: TiffImage): boolean {
  return (
    tile === undefined &&
    compression === uncompressed &&
    (expectedBlocks === 1 || blockBytes.whole > maxStripBytesAsIs)
  );
}

/** GDAL keeps a value in 1, 2, 4, 8 or 16 bytes. */
function bytesInMemory(bits: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(8, bits) / 8));
}
