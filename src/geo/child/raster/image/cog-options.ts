import { GiB, MiB } from '../../../../lib/units.ts';
import { maxSideWithoutOverview } from '../../../formats/tiff/cog-structure.ts';
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

/** Returns whether the values of a band may be classes at all: numbers that are not a colour of an image. Raster calculators write codes as floats. */
export function mayHoldClasses(band: BandDescription): boolean {
  const colours = ['Red', 'Green', 'Blue', 'Alpha'];
  return !band.dataType.startsWith('C') && !colours.includes(band.colorInterpretation ?? '');
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

/** Values that a band has at most when they may be classes: more than any land-cover legend. */
const maxClasses = 256;
/** Number of different values up to which they count as a legend: it cannot be known, and a legend is safer. */
const maxLegend = 64;
/** Share of neighbours that differ at least in measurements; classes lie in patches. */
const minChanging = 0.1;
/** Share of steps between neighbours that are at least small in measurements, compared with the range of the values. */
const minGentle = 0.75;
const gentleStep = 1 / 8;
/** Steps that are counted in each window. */
const maxStepsPerWindow = 8192;

/**
 * Looks for classes among the whole numbers of a band, window by window: few of them, and unless they are very few not
 * such as measurements are, where most neighbours differ, and by little. `noData` and NaN are not values.
 */
export function createValueSurvey(noData: number | undefined) {
  const distinct = new Set<number | bigint>();
  const steps = new Map<number, number>();
  let [neighbours, changing] = [0, 0];
  let hasFractions = false;

  function count(values: ArrayLike<number | bigint>, last: number): void {
    for (let i = 1; i < last; i += 1) {
      const [before, value] = [Number(values[i - 1]), Number(values[i])];
      if (before === noData || value === noData || Number.isNaN(before) || Number.isNaN(value)) continue;
      neighbours += 1;
      if (before === value) continue;
      changing += 1;
      const step = Math.abs(value - before);
      steps.set(step, (steps.get(step) ?? 0) + 1);
    }
  }

  return {
    look(values: ArrayLike<number | bigint>): void {
      if (hasFractions || distinct.size > maxClasses) return;
      hasFractions = holdsFractions(values, noData);
      if (hasFractions) return;
      addDistinct(distinct, values);
      if (distinct.size <= maxClasses) count(values, Math.min(values.length, maxStepsPerWindow));
    },
    /** Every value that there is, no data among them; undefined where there are more than classes. */
    values: (): ReadonlySet<number> | undefined =>
      hasFractions || distinct.size > maxClasses ? undefined : new Set([...distinct].map(Number)),
    areClasses(): boolean {
      if (hasFractions || distinct.size > maxClasses) return false;
      if (distinct.size <= maxLegend) return true;
      const all = [...distinct].map(Number).filter((value) => value !== noData && !Number.isNaN(value));
      const range = Math.max(...all) - Math.min(...all);
      const isGentle = (step: number) => step <= range * gentleStep;
      const gentle = [...steps].reduce((sum, [step, times]) => sum + (isGentle(step) ? times : 0), 0);
      return changing < neighbours * minChanging || gentle < changing * minGentle;
    },
  };
}

/** Returns whether a value of a band of floats has a fraction; no data and infinity have none. */
function holdsFractions(values: ArrayLike<number | bigint>, noData: number | undefined): boolean {
  if (!(values instanceof Float32Array || values instanceof Float64Array)) return false;
  return values.some((value) => value % 1 !== 0 && Number.isFinite(value) && value !== noData);
}

/** Once a band has too many values to be classes, the rest need not be counted. */
function addDistinct(seen: Set<number | bigint>, values: ArrayLike<number | bigint>): void {
  let last: number | bigint | undefined;
  for (let i = 0; i < values.length && seen.size <= maxClasses; i += 1) {
    const value = values[i];
    if (value === last || value === undefined) continue;
    last = value;
    seen.add(value);
  }
}
