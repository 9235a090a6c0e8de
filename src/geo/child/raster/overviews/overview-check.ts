import type { Dataset, RasterBand } from 'gdal-async';
import { MiB } from '../../../../lib/units.ts';
import type { RasterWindow } from '../../../raster-reader.ts';
import { createValueSurvey, isAlwaysClasses, mayHoldClasses } from '../image/cog-options.ts';
import { type BandDescription, imageStructureOf, type RasterDescription } from '../image/description.ts';
import { createOverviewJudge, type Level, type LevelWindow, windowAround } from './overview-judge.ts';
import { readMask, type SurveyedBand } from '../image/pixels.ts';

/** Smaller rasters are compared completely; larger ones in windows of about this many pixels in total. */
const maxWholePixels = 4 * MiB;
/** Side in pixels of the full-resolution windows under one window of an overview. */
const windowSide = 256;
const maxWindows = 24;
const minWindows = 4;
const maxBands = 8;
/** Maximum side in full-resolution pixels of an overview pixel. */
const maxScale = 256;
/** A larger overview is not read to locate changes. */
const maxScoutPixels = MiB;
const scoutCells = 16;

/** Each image is compressed separately, so that an overview may have values that the raster does not. */
const lossy = /JPEG|WEBP/;

/** GDAL's mask flag GMF_PER_DATASET: a mask of the file, or its alpha band. */
const perDataset = 0x02;

/**
 * Returns whether the overviews of a sound COG agree with its full resolution: classes have no new values, measurements
 * none beyond those around. Overviews are a claim of the file: GDAL resamples them cubically by default, whatever the
 * values mean, and a program that changes pixels may leave old overviews.
 * @param surveyed kind of the values of each band; undefined if only the compared pixels can tell.
 */
export async function overviewsFit(
  dataset: Dataset,
  raster: RasterDescription,
  surveyed?: readonly SurveyedBand[],
): Promise<boolean> {
  const bands = raster.bands.slice(0, maxBands);
  const isLossy = lossy.test(imageStructureOf(dataset)['COMPRESSION'] ?? '');
  for (const [index, described] of bands.entries()) {
    const band = dataset.bands.get(index + 1);
    if (described.dataType.startsWith('C') || described.colorInterpretation === 'Alpha') continue;
    const asked = { bands: bands.length, isLossy, surveyed: surveyed?.[index] };
    if (!(await fits(band, described, asked))) return false;
  }
  return true;
}

interface Asked {
  /** Number of bands that share the time. */
  readonly bands: number;
  readonly isLossy: boolean;
  readonly surveyed: SurveyedBand | undefined;
}

async function fits(band: RasterBand, described: BandDescription, { bands, isLossy, surveyed }: Asked) {
  const noData = described.dataType === 'Int8' ? undefined : (band.noDataValue ?? undefined);
  const seen = createValueSurvey(noData);
  const judge = createOverviewJudge();
  const canBe = isAlwaysClasses(described) || mayHoldClasses(described);
  /** False when no further value can make them classes. */
  const mayBeClasses = (): boolean =>
    surveyed?.areClasses ?? (isAlwaysClasses(described) || (canBe && seen.values() !== undefined));
  if (band.overviews.count() === 0) return true;
  const masked = (band.getMaskFlags() & perDataset) !== 0;
  const places = await placesIn(band);
  const images = [band, ...band.overviews.map((overview) => overview)];
  for (const [index, overview] of images.entries()) {
    if (index === 0) continue;
    const base = baseOf(overview, images.slice(0, index)) ?? band;
    const level = levelOf(base, overview);
    for (const window of windowsOfLevel(level, places, bands)) {
      const { shown, around } = windowAround(level, window);
      const fine = await base.pixels.readAsync(around.x, around.y, around.width, around.height);
      const coarse = await overview.pixels.readAsync(shown.x, shown.y, shown.width, shown.height);
      seen.look(fine);
      judge.compare(
        level,
        {
          shown: {
            ...shown,
            values: valuesOf(coarse, noData, masked ? await readMask(overview, shown) : undefined),
          },
          around: {
            ...around,
            values: valuesOf(fine, noData, masked ? await readMask(base, around) : undefined),
          },
        },
        mayBeClasses(),
      );
    }
  }
  const looksLikeClasses = isAlwaysClasses(described) || (canBe && seen.areClasses());
  if (isLossy || !(surveyed?.areClasses ?? looksLikeClasses)) return judge.fitsMeasurements();
  const known = [...(surveyed?.values ?? [])].map((value) => (value === noData ? Number.NaN : value));
  return judge.fitsClasses(new Set(known));
}

/** Returns values as numbers, NaN for gaps. */
function valuesOf(
  samples: ArrayLike<number | bigint>,
  noData: number | undefined,
  mask: Uint8Array | undefined,
): Float64Array {
  const values = new Float64Array(samples.length);
  for (let at = 0; at < values.length; at += 1) {
    const value = Number(samples[at]);
    values[at] = value === noData || mask?.[at] === 0 ? Number.NaN : value;
  }
  return values;
}

/**
 * Returns the full resolution; for the coarsest overviews of huge rasters a finer overview that has passed the check,
 * because windows must fit into memory.
 */
function baseOf({ size }: RasterBand, finer: readonly RasterBand[]): RasterBand | undefined {
  return finer.find((image) => image.size.x <= maxScale * size.x && image.size.y <= maxScale * size.y);
}

function levelOf(band: RasterBand, overview: RasterBand): Level {
  return { full: sizeOf(band), width: overview.size.x, height: overview.size.y };
}

function sizeOf({ size }: RasterBand) {
  return { width: size.x, height: size.y };
}

/** A position in a raster as shares of its width and height. */
type Place = readonly [x: number, y: number];

/** Lists the windows of a level to compare: all of it, or some places. */
function windowsOfLevel(level: Level, places: readonly Place[], bands: number): readonly LevelWindow[] {
  const { full, width, height } = level;
  const side = Math.max(1, Math.floor((windowSide * width) / full.width));
  const whole = { width: Math.min(side, width), height: Math.min(side, height) };
  if (full.width * full.height * bands <= maxWholePixels) return [...tilesOf(level, side)];
  const { around } = windowAround(level, { x: 0, y: 0, ...whole });
  const affordable = Math.floor((2 * maxWholePixels) / (around.width * around.height) / bands);
  return places.slice(0, Math.min(maxWindows, Math.max(minWindows, affordable))).map(([x, y]) => ({
    x: Math.min(Math.floor(x * width), width - whole.width),
    y: Math.min(Math.floor(y * height), height - whole.height),
    ...whole,
  }));
}

function* tilesOf({ width, height }: Level, side: number): Generator<RasterWindow> {
  for (let y = 0; y < height; y += side) {
    for (let x = 0; x < width; x += side)
      yield { x, y, width: Math.min(side, width - x), height: Math.min(side, height - y) };
  }
}

/** Fractions of the golden ratio in two dimensions: multiples are evenly distributed for any count. */
const [stepX, stepY] = [0.754_877_666, 0.569_840_291];

/**
 * Returns places to compare, alternating between the greatest changes of the coarsest overview (blending shows only
 * there) and an even distribution.
 */
async function placesIn(band: RasterBand): Promise<readonly Place[]> {
  const everywhere = Array.from({ length: maxWindows }, (_, index): Place => [
    (index * stepX + 0.25) % 1,
    (index * stepY + 0.25) % 1,
  ]);
  const busy = await busyPlaces(band);
  return everywhere.flatMap((place, index) => [...busy.slice(index, index + 1), place]).slice(0, maxWindows);
}

async function busyPlaces(band: RasterBand): Promise<readonly Place[]> {
  const { size, pixels } = band.overviews.get(band.overviews.count() - 1);
  if (size.x * size.y > maxScoutPixels) return [];
  const values: ArrayLike<number | bigint> = await pixels.readAsync(0, 0, size.x, size.y);
  const changes = new Map<number, number>();
  for (let at = 1; at < values.length; at += 1) {
    if (values[at] === values[at - 1]) continue;
    const [x, y] = [at % size.x, Math.floor(at / size.x)];
    const cell = Math.floor((y * scoutCells) / size.y) * scoutCells + Math.floor((x * scoutCells) / size.x);
    changes.set(cell, (changes.get(cell) ?? 0) + 1);
  }
  return [...changes]
    .toSorted(([, one], [, other]) => other - one)
    .map(([cell]) => [(cell % scoutCells) / scoutCells, Math.floor(cell / scoutCells) / scoutCells]);
}
