import { GiB, MiB } from '../../../../lib/units.ts';
import { maxSideWithoutOverview } from '../../../formats/tiff/cog-structure.ts';
import { type BandDescription, bytesOf, type RasterDescription } from './description.ts';

export const cogBlockSide = 512;
/** For all bands together: several tiles are in memory at once. Sides of TIFF tiles are multiples of 16. */
const maxTileBytes = 32 * MiB;
const minBlockSide = 16;

export type CogPlan = ReturnType<typeof planCog>;

/**
 * Chooses the options of a lossless COG: compression, predictor, tiles and the resampling of its overviews.
 * @param classLike whether the values of each band look like classes; if those of one band do, overviews must not
 * contain values that the raster does not have.
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
    // The resampling of overviews in the file is unknown; ours add no values.
    ...(overviewResampling === 'NONE'
      ? { OVERVIEWS: 'NONE' }
      : { OVERVIEWS: 'IGNORE_EXISTING', OVERVIEW_RESAMPLING: overviewResampling }),
  };
  return { overviewResampling, predictor, options, draftCompression: draftCompressionOf(raster) };
}

/** Pixels of all bands before compression: overviews take a third of it. */
const maxPlainBytes = GiB;

/**
 * GDAL drafts the overviews in a separate file and encodes them again in the COG. Compressing the draft takes a tenth
 * of the total time; uncompressed, the overviews of a large raster with few bytes would exceed the file size limit.
 */
function draftCompressionOf(raster: RasterDescription): 'NONE' | undefined {
  return raster.width * raster.height * bytesOfPixel(raster) <= maxPlainBytes ? 'NONE' : undefined;
}

/** Halves the usual side, repeatedly if necessary, for hundreds of bands. */
function blockSideOf(raster: RasterDescription): number {
  let side = cogBlockSide;
  while (side > minBlockSide && side * side * bytesOfPixel(raster) > maxTileBytes) side /= 2;
  return side;
}

function bytesOfPixel({ bands }: RasterDescription): number {
  return bands.reduce((sum, band) => sum + bytesOf(band.dataType), 0);
}

/** True for bands with a palette, and for signed bytes, which older GDAL averages as unsigned. */
export function isAlwaysClasses(band: BandDescription): boolean {
  return band.hasPalette || band.dataType === 'Int8';
}

/** Returns whether a band may hold classes: numbers that are not a colour of an image. Raster calculators write class codes as floats. */
export function mayHoldClasses(band: BandDescription): boolean {
  const colours = ['Red', 'Green', 'Blue', 'Alpha'];
  return !band.dataType.startsWith('C') && !colours.includes(band.colorInterpretation ?? '');
}

/**
 * Predictors help for smooth values, which class codes are not. Odd bit widths and complex numbers have none, and
 * readers often lack support for 64-bit integers.
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

/** Maximum number of values of a class band: more than any land-cover legend. */
const maxClasses = 256;
/** Number of distinct values up to which they always count as classes: uncertain, but safer. */
const maxLegend = 64;
/** Minimum share of differing neighbours in measurements; classes form patches. */
const minChanging = 0.1;
/** Minimum share of small steps between neighbours in measurements, relative to the range of the values. */
const minGentle = 0.75;
const gentleStep = 1 / 8;
/** Steps counted per window. */
const maxStepsPerWindow = 8192;

/**
 * Detects classes among the integers of a band, window by window: few distinct values, and (unless very few) not like
 * measurements, of which most neighbours differ slightly. Ignores `noData` and NaN.
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
    /** Distinct values without no data; undefined if there are too many for classes. */
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

/** Returns whether a value of a float band has a fraction, ignoring no data and infinity. */
function holdsFractions(values: ArrayLike<number | bigint>, noData: number | undefined): boolean {
  if (!(values instanceof Float32Array || values instanceof Float64Array)) return false;
  return values.some((value) => value % 1 !== 0 && Number.isFinite(value) && value !== noData);
}

/** Stops counting when a band has too many values for classes. */
function addDistinct(seen: Set<number | bigint>, values: ArrayLike<number | bigint>): void {
  let last: number | bigint | undefined;
  for (let i = 0; i < values.length && seen.size <= maxClasses; i += 1) {
    const value = values[i];
    if (value === last || value === undefined) continue;
    last = value;
    seen.add(value);
  }
}
