import { GiB, MiB } from '../../../lib/units.ts';
import { maxSideWithoutOverview } from '../../formats/tiff/cog-structure.ts';
import { type BandDescription, bytesOf, type RasterDescription } from './description.ts';

export const cogBlockSide = 512;
/** All bands together: several tiles are in memory at once. The sides of TIFF tiles are multiples of 16. */
const maxTileBytes = 32 * MiB;
const minBlockSide = 16;

export type CogPlan = ReturnType<typeof planCog>;

/**
 * Chooses how to write a lossless COG: compression, predictor, tiles and the resampling of its overviews.
 * @param classLike whether the values of each band look like classes; where one band's do, no overview may hold a value
 *   that the raster does not.
 */
export function planCog(raster: RasterDescription, classLike: readonly boolean[]) {
  const classes = classLike.some(Boolean);
  const needsNone = Math.max(raster.width, raster.height) <= maxSideWithoutOverview;
  const overviewResampling = needsNone ? 'NONE' : classes ? 'MODE' : 'AVERAGE';
  const predictor = predictorOf(raster, classes);
  /** Creation options of GDAL's COG driver. */
  const options: Readonly<Record<string, string>> = {
    COMPRESS: 'DEFLATE',
    PREDICTOR: predictor,
    BLOCKSIZE: String(blockSideOf(raster)),
    BIGTIFF: 'IF_SAFER',
    NUM_THREADS: '2',
    // Overviews that came with the file may be of any making; ours invent nothing.
    ...(overviewResampling === 'NONE'
      ? { OVERVIEWS: 'NONE' }
      : { OVERVIEWS: 'IGNORE_EXISTING', OVERVIEW_RESAMPLING: overviewResampling }),
  };
  return { overviewResampling, predictor, options, draftCompression: draftCompressionOf(raster) };
}

/** Pixels of all bands, before compression: overviews take a third of it. */
const maxPlainBytes = GiB;

/**
 * GDAL drafts the overviews in a file of its own and encodes them once more in the COG. To compress the draft takes a tenth
 * of the time of all; left plain, the overviews of a large raster of few bytes would reach the limit of a file's size.
 */
function draftCompressionOf(raster: RasterDescription): 'NONE' | undefined {
  return raster.width * raster.height * bytesOfPixel(raster) <= maxPlainBytes ? 'NONE' : undefined;
}

/** Halves the usual side, more than once if need be, where there are hundreds of bands. */
function blockSideOf(raster: RasterDescription): number {
  let side = cogBlockSide;
  while (side > minBlockSide && side * side * bytesOfPixel(raster) > maxTileBytes) side /= 2;
  return side;
}

function bytesOfPixel({ bands }: RasterDescription): number {
  return bands.reduce((sum, band) => sum + bytesOf(band.dataType), 0);
}

/** Bands with a palette; and signed bytes, which older GDAL averages as if they had no sign. */
export function isAlwaysClasses(band: BandDescription): boolean {
  return band.hasPalette || band.dataType === 'Int8';
}

/** Tells whether the values of a band may be classes at all: whole numbers that are not a colour of an image. */
export function mayHoldClasses(band: BandDescription): boolean {
  const colours = ['Red', 'Green', 'Blue', 'Alpha'];
  return isWhole(band.dataType) && !colours.includes(band.colorInterpretation ?? '');
}

/**
 * Predictors help where neighbours are alike in size, which bytes that stand for classes are not. There are none for odd
 * bit widths and complex numbers, and readers of 64-bit whole numbers often know none.
 */
function predictorOf(raster: RasterDescription, classes: boolean): 'NO' | 'STANDARD' | 'FLOATING_POINT' {
  const [first] = raster.bands;
  if (first === undefined || raster.bands.some((band) => band.bits !== undefined)) return 'NO';
  if (first.dataType.startsWith('Float')) return 'FLOATING_POINT';
  if (!isWhole(first.dataType) || bytesOf(first.dataType) > 4) return 'NO';
  return classes && bytesOf(first.dataType) === 1 ? 'NO' : 'STANDARD';
}

function isWhole(dataType: string): boolean {
  return dataType === 'Byte' || dataType.startsWith('Int') || dataType.startsWith('UInt');
}
