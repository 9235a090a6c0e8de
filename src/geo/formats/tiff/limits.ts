import { open } from 'node:fs/promises';
import type { Problem } from '../../../lib/errors.ts';
import { rasterProblems, tiffProblems } from '../../../messages/raster/english.ts';
import {
  BrokenTiff,
  maxDirectories,
  openTiff,
  readDirectory,
  walkDirectories,
  type Directory,
  type TiffFile,
} from './walk.ts';
import { findPlacedImage } from './placed-image.ts';
import { readImage, tags, uncompressed, type TiffImage } from './image.ts';
import { MiB } from '../../../lib/units.ts';
import { maxRasterValues } from '../../child-program.ts';

/**
 * Checks the headers of a TIFF before GDAL opens it, and refuses a file that would take hours or all memory, however
 * small it is. Time and memory of the check are bounded by the size of the file.
 * @throws {Problem}
 */
export async function refuseUnreasonableTiff(path: string): Promise<void> {
  await using file = await open(path);
  let directories = 0;
  try {
    const tiff = await openTiff(file);
    const tagBudget = createTagBudget(tiff.fileBytes);
    const imageBudget = createImageBudget();
    const placed = await findPlacedImage(file);
    for await (const directory of directoriesOf(tiff)) {
      tagBudget.spend(directory);
      await refuseReferences(tiff, directory);
      const image = await readImage(directory);
      if (image !== undefined)
        imageBudget.spend(image, directories === 0 || directory.offset === placed?.directory.offset);
      else if (directories === 0) throw new BrokenTiff('the first image has no size');
      directories += 1;
    }
  } catch (error) {
    if (!(error instanceof BrokenTiff)) throw error;
    // GDAL also treats an unreadable directory after the first image as the end of the chain.
    if (error.fault !== 'other' || directories === 0) throw problemOf(error, directories).because(error);
  }
}

/** Yields the chain of directories, and those that the first one refers to, which GDAL uses as overviews and masks. */
export async function* directoriesOf(tiff: TiffFile): AsyncGenerator<Directory> {
  let isFirst = true;
  for await (const directory of walkDirectories(tiff)) {
    yield directory;
    if (isFirst) yield* subDirectoriesOf(tiff, directory);
    isFirst = false;
  }
}

async function* subDirectoriesOf(tiff: TiffFile, directory: Directory): AsyncGenerator<Directory> {
  const offsets = await directory.numbers(tags.subIfds, maxDirectories);
  for (const offset of offsets) {
    try {
      yield await readDirectory(tiff, offset);
    } catch (error) {
      // GDAL ignores everything after a broken one.
      if (error instanceof BrokenTiff) return;
      throw error;
    }
  }
}

function problemOf(error: BrokenTiff, directories: number): Problem {
  if (error.fault === 'loop') return tiffProblems.loop();
  if (error.fault === 'endless') return tiffProblems.tooManyImages(maxDirectories);
  return directories === 0 ? rasterProblems.notATiff() : rasterProblems.unreadable('images', false);
}

/** GDAL's own metadata, as XML. */
const gdalMetadata = 42_112;
/** The name under which GDAL opens another file, or a network address, as overviews of this one. */
const referenceName = /OVERVIEW_FILE/i;

/** @throws {Problem} if the metadata of an image make GDAL open another file, which no self-contained raster needs. */
async function refuseReferences(tiff: TiffFile, { entries }: Directory): Promise<void> {
  const entry = entries.get(gdalMetadata);
  if (entry === undefined) return;
  const bytes = await tiff.read(entry.at, entry.count * entry.size);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (referenceName.test(withoutEscapes(text))) throw tiffProblems.reference();
}

/** Resolves numeric character references of XML. */
function withoutEscapes(xml: string): string {
  return xml.replaceAll(/&#(?:x([0-9a-f]{1,8})|(\d{1,10}));?/gi, (_, hex: string, decimal: string) =>
    String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}

/** For all images together; real files have some dozens. libtiff's time is quadratic. */
const maxKindsOfTags = 1000;
const maxEntries = 1_000_000;
/** Maximum size of a tag that grows in GDAL's memory: texts, metadata, control points, colours. */
const maxBytesOfLoaded = 16 * MiB;
/** Maximum size of a tag that GDAL only stores, such as the layers of a graphics program. */
const maxBytesOfKept = 256 * MiB;
/** Images may share values: number of bytes beyond the file size that may be read for that. */
const maxSharedBytes = 64 * MiB;

const blockTables: readonly number[] = [
  tags.stripOffsets,
  tags.stripByteCounts,
  tags.tileOffsets,
  tags.tileByteCounts,
];
/** From here on, tags are private ones registered by others. */
const firstPrivateTag = 32_768;
/** Tags of GeoTIFF and of GDAL. */
const loadedPrivateTags: readonly number[] = [
  33_550, 33_922, 34_264, 34_735, 34_736, 34_737, 42_112, 42_113, 50_844, 50_909,
];

/** Sums the size of the tags of one file; `spend` throws a Problem if it exceeds the file size, or a maximum. */
function createTagBudget(fileBytes: number): { spend(directory: Directory): void } {
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

/** For an image with its overviews and masks, which are at most as large. */
const maxValuesTogether = 2 * maxRasterValues;
const maxBands = 4096;
const maxBlockBytesOfBand = 256 * MiB;
/** GDAL decodes a block of all bands at once. */
const maxBlockBytes = 512 * MiB;
/** libtiff splits the uncompressed strips of an image if it has a single one, or strips of more bytes. */
const maxStripBytesAsIs = 2 ** 31 - 1;
/** More blocks than this must have an offset in the file. */
const maxUntoldBlocks = 1e6;

/** Sums the requirements of the images of one file; `spend` throws a Problem if they exceed a maximum. */
function createImageBudget(): { spend(image: TiffImage, isMain: boolean): void } {
  let spent = 0;
  return {
    spend(image, isMain) {
      refuseUntoldBlocks(image);
      // GDAL reads no pixels of further images.
      if (!isMain && !image.reduced && !image.mask) return;
      if (image.bands === 0) throw tiffProblems.noBand();
      if (image.bands > maxBands) throw tiffProblems.tooManyBands(image.bands, maxBands);
      const values = image.width * image.height * image.bands;
      if (values > maxRasterValues) throw tiffProblems.tooManyValues(image, maxRasterValues);
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

/** Returns the bytes per value in GDAL's memory: 1, 2, 4, 8 or 16. */
function bytesInMemory(bits: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(8, bits) / 8));
}
