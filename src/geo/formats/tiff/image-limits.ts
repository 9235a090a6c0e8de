import { Problem } from '../../../common/errors.ts';
import { MiB } from '../../../common/units.ts';
import { uncompressed, type TiffImage } from './image.ts';

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

/** Counts what the images of one file ask for. */
export interface ImageBudget {
  /** @throws {Problem} when that is too much. */
  spend(image: TiffImage, isMain: boolean): void;
}

export function createImageBudget(): ImageBudget {
  let spent = 0;
  return {
    spend(image, isMain) {
      refuseUntoldBlocks(image);
      // Of further images GDAL reads no pixels.
      if (!isMain && !image.reduced && !image.mask) return;
      refuseManyBands(image);
      const values = image.width * image.height * image.bands;
      if (values > maxValues) throw tooManyValues(image, values);
      refuseLargeBlocks(image);
      spent += values;
      if (spent > maxValuesTogether) {
        throw new Problem(
          'invalid',
          `The raster, its overviews and its masks have ${grouped(spent)} pixel values together; at most ${grouped(maxValuesTogether)} can be processed. Save it without overviews, or cut it into parts.`,
        );
      }
    },
  };
}

function refuseUntoldBlocks({ tables, expectedBlocks }: TiffImage): void {
  const told = Math.min(tables?.offsets.count ?? 0, tables?.byteCounts.count ?? 0);
  if (expectedBlocks <= Math.max(told, maxUntoldBlocks)) return;
  throw new Problem(
    'invalid',
    `By its size the raster has ${grouped(expectedBlocks)} tiles or strips, but the file tells the place of ${grouped(told)}: it is cut short or damaged. Export it again and upload the new file.`,
  );
}

function refuseManyBands({ bands }: TiffImage): void {
  if (bands === 0) {
    throw new Problem('invalid', 'The file holds no raster band; upload a GeoTIFF with at least one.');
  }
  if (bands > maxBands) {
    throw new Problem(
      'invalid',
      `The raster has ${bands} bands; at most ${maxBands} can be processed. Split it into files of fewer bands.`,
    );
  }
}

function tooManyValues({ width, height, bands }: TiffImage, values: number): Problem {
  return new Problem(
    'invalid',
    `The raster has ${width} by ${height} pixels with ${bands} band(s), ${grouped(values)} values in all; at most ${grouped(maxValues)} can be processed. Cut it into parts.`,
  );
}

function refuseLargeBlocks(image: TiffImage): void {
  const { width, height, tile, bands, blockRows, blockBytes } = image;
  if (isCutByLibrary(image)) return;
  const columns = tile?.width ?? width;
  const bytesOfBand = columns * blockRows * bytesInMemory(image.bitsPerValue);
  const bytes = Math.max(blockBytes.whole, bytesOfBand * (image.separatePlanes ? 1 : bands));
  const isLarge = bytesOfBand > maxBlockBytesOfBand || bytes > maxBlockBytes;
  if (!isLarge) return;
  const limit = bytesOfBand > maxBlockBytesOfBand ? maxBlockBytesOfBand : maxBlockBytes;
  const size = bytesOfBand > maxBlockBytesOfBand ? bytesOfBand : bytes;
  throw new Problem(
    'invalid',
    `The raster of ${width} by ${height} pixels is stored in blocks of ${columns} by ${blockRows} pixels, ${grouped(Math.ceil(size / MiB))} MiB each; at most ${limit / MiB} MiB can be read at once. Save it with smaller tiles, such as 256 by 256 pixels.`,
  );
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

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
