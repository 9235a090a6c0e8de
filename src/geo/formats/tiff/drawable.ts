import { MiB } from '../../../lib/units.ts';
import type { TiffImage } from './image.ts';

/** What decides whether an image can be drawn. */
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

/** None, LZW, DEFLATE by its two numbers, PackBits, ZSTD. */
const compressions: readonly number[] = [1, 5, 8, 32_946, 32_773, 50_000];
/** Zero is white, zero is black, RGB, palette. */
const photometrics: readonly number[] = [0, 1, 2, 3];
const wholeBits: readonly number[] = [1, 2, 4, 8, 16, 32, 64];
const floatBits: readonly number[] = [32, 64];
/** TIFF's numbers of sample formats: whole numbers with and without sign, floating point, and not known. */
const [unsigned, signed, float, unknown] = [1, 2, 3, 4];
/** More would be read for a tile that needs a few pixels. */
export const maxDrawnBlockBytes = 16 * MiB;
/** The coarsest level is read as a whole, for a thumbnail and for tiles of the world. */
const maxCoarsestSide = 1024;

/**
 * Returns whether the api can draw tiles from a TIFF by itself: it decodes the blocks, and reads little for any tile. Other
 * rasters need a view COG.
 * @param images of the file, in its order: the raster, its overviews and its masks.
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
