import type { Dataset } from 'gdal-async';
import { createPixelAreas, type PixelAreas } from '../../area/pixel-areas.ts';
import { openGdalLog, refusePixelErrors, unreadablePixels, type GdalLog } from '../../gdal/log-file.ts';
import { rasterProblems } from '../../../messages/raster/english.ts';
import type { FindingsCollector } from '../../gather-findings.ts';
import { refuseUnreasonableTiff } from '../../formats/tiff/limits.ts';
import type { CountsResult, FileRequest } from '../../protocol.ts';
import type { PointTransformation, RasterWindow } from '../../raster-reader.ts';
import {
  bandNumbers,
  describeRaster,
  isSignedByte,
  openSource,
  type RasterDescription,
} from './image/description.ts';
import { earthOf, type Georeference, readGeoreference } from './image/georeference.ts';
import { readMask, windowsOf } from './image/pixels.ts';
import { type BandCounter, type BandCounts, createBandCounter } from './statistics/count-band.ts';
import { createExactSums } from './statistics/exact-sums.ts';
import { toHectares } from '../../../../common/formats/hectares.ts';

/** GDAL's mask flag GMF_ALL_VALID. */
const allValid = 0x01;
/** Bands per pass, whose counters take up to three megabytes each. */
const bandsAtOnce = 64;
/** Limits for counting in the child that makes a COG, which takes less than the start of a process. `points` are places to transform. */
const smallRaster = { samples: 2 ** 20, bands: 16, points: 5000 };

interface SmallCount {
  readonly gdalLog: GdalLog;
  readonly findings: Pick<FindingsCollector, 'time'>;
}

/** Counts a COG that was just made. */
export type CountIfSmall = (
  cogPath: string,
  raster: RasterDescription,
  count: SmallCount,
) => Promise<CountsResult | undefined>;

/**
 * Creates a function that counts a small COG like `countPixels`, and measures the pixels of several on the same grid only once. It returns
 * undefined for a larger COG, and for one that cannot be counted.
 */
export function createSmallCounter(): CountIfSmall {
  let last: { readonly grid: string; readonly areas: WindowAreas | undefined } | undefined;
  const areasOnce = (georeference: Georeference): WindowAreas | undefined => {
    const grid = JSON.stringify(georeference);
    if (last?.grid !== grid) last = { grid, areas: kept(areasOf(georeference, onEarthAlone)) };
    return last.areas;
  };
  return async (cogPath, { width, height, bands }, { gdalLog, findings }) => {
    if (bands.length > smallRaster.bands || width * height * bands.length > smallRaster.samples)
      return undefined;
    await gdalLog.take();
    // Entries from now on are not about the file.
    const ownLog = { ...gdalLog, take: gdalLog.takeOwn };
    const count = async () => await countCog(cogPath, ownLog, areasOnce);
    const counts = await findings.time('count', count).catch(() => undefined);
    await ownLog.take();
    return counts;
  };
}

/**
 * Counts the values and the area of every pixel of a stored COG at full resolution.
 * @throws {Problem} if the COG cannot be read.
 */
export async function countPixels({ inputPath, scratch }: Omit<FileRequest, 'task'>): Promise<CountsResult> {
  await refuseUnreasonableTiff(inputPath);
  return await countCog(inputPath, await openGdalLog(scratch));
}

/** Points per transformation, before a place off the earth is noticed, which takes a hundred times as long. */
const pointsAtOnce = 64;

/** Refuses slow work: places that are not on the earth, and too many of those that are. */
function onEarthAlone(toEarth: PointTransformation): PointTransformation {
  let points = 0;
  return (xs, ys) => {
    for (let start = 0; start < xs.length; start += pointsAtOnce) {
      const some = xs.subarray(start, start + pointsAtOnce);
      toEarth(some, ys.subarray(start, start + pointsAtOnce));
      points += some.length;
      if (points > smallRaster.points || some.some(Number.isNaN))
        throw new Error('this raster takes long to count');
    }
  };
}

/** Areas of the pixels of a window, in square metres, row by row. */
interface WindowAreas {
  /** A power of two that divides every area. */
  readonly quantum: number;
  in(window: RasterWindow): Float64Array;
}

/** Returns undefined for a raster without a CRS. @param limited may refuse slow work of the transformation to the earth */
function areasOf(
  georeference: Georeference,
  limited = (toEarth: PointTransformation) => toEarth,
): WindowAreas | undefined {
  if (georeference.wkt === undefined) return undefined;
  const areas = createPixelAreas(georeference, limited(earthOf(georeference.wkt)));
  return { quantum: areas.quantum, in: (window) => measureWindow(areas, window) };
}

/** Keeps the areas of each window. */
function kept(areas: WindowAreas | undefined): WindowAreas | undefined {
  if (areas === undefined) return undefined;
  const windows = new Map<string, Float64Array>();
  return {
    ...areas,
    in(window) {
      const name = JSON.stringify(window);
      const found = windows.get(name) ?? areas.in(window);
      windows.set(name, found);
      return found;
    },
  };
}

async function countCog(
  path: string,
  gdalLog: GdalLog,
  areasFor: (georeference: Georeference) => WindowAreas | undefined = areasOf,
): Promise<CountsResult> {
  const source = await openSource(path);
  const raster = describeRaster(source);
  // Complex numbers have no order, hence neither a minimum nor classes.
  if (raster.bands.some(({ dataType }) => dataType.startsWith('C'))) throw rasterProblems.complexNumbers();
  const areas = areasFor(readGeoreference(source));
  // Earlier entries are not about pixels.
  await gdalLog.take();
  const bands: CountsResult['bands'] = [];
  let area: number | undefined;
  for (let start = 0; start < raster.bands.length; start += bandsAtOnce) {
    const numbers = bandNumbers(source).slice(start, start + bandsAtOnce);
    const counted = await countBands(source, { raster, numbers, areas, gdalLog });
    area = counted.area;
    bands.push(...counted.bands);
  }
  source.close();
  const { width, height } = raster;
  return { width, height, area_ha: areas === undefined ? null : toHectares(area ?? 0), bands };
}

interface Counting {
  readonly raster: RasterDescription;
  readonly numbers: readonly number[];
  readonly areas: WindowAreas | undefined;
  readonly gdalLog: GdalLog;
}

async function countBands(source: Dataset, { raster, numbers, areas, gdalLog }: Counting) {
  const unit = areas?.quantum ?? 1;
  const whole = createExactSums(1, unit);
  const counters = numbers.map((number) => createBandCounter(raster.bands[number - 1]?.dataType ?? '', unit));
  const bandsOfPass = { length: numbers.length };
  for (const window of windowsOf({ ...raster, bands: bandsOfPass })) {
    const areasOfWindow = areas?.in(window);
    if (areasOfWindow !== undefined) addTo(whole, areasOfWindow);
    for (const [index, number] of numbers.entries()) {
      const counter = counters[index];
      if (counter !== undefined) await countWindow(source, { number, window, counter, areas: areasOfWindow });
    }
    refusePixelErrors(await gdalLog.take());
  }
  const bands = numbers.map((number, index) => {
    const { scale, offset } = source.bands.get(number);
    const counts = counters[index]?.result();
    if (counts === undefined) throw new Error(`band ${number} was not counted`);
    // The binding returns null for absent numbers, although its types do not say so.
    return bandOf(number, counts, { scale: scale ?? 1, offset: offset ?? 0, hasArea: areas !== undefined });
  });
  return { bands, area: whole.totalOf(0) };
}

function measureWindow(areas: PixelAreas, { x, y, width, height }: RasterWindow): Float64Array {
  const found = new Float64Array(width * height);
  for (let row = 0; row < height; row += 1)
    areas.fillRow(y + row, x, found.subarray(row * width, (row + 1) * width));
  return found;
}

/** Less than the number of areas after which a sum must be folded. */
const sumPart = 2 ** 16;

function addTo(whole: ReturnType<typeof createExactSums>, areas: Float64Array): void {
  for (let from = 0; from < areas.length; from += sumPart) {
    const end = Math.min(areas.length, from + sumPart);
    let sum = 0;
    for (let at = from; at < end; at += 1) sum += areas[at] ?? 0;
    whole.open[0] = sum;
    whole.fold();
  }
}

interface Window {
  readonly number: number;
  readonly window: RasterWindow;
  readonly counter: BandCounter;
  readonly areas: Float64Array | undefined;
}

async function countWindow(source: Dataset, { number, window, counter, areas }: Window): Promise<void> {
  const band = source.bands.get(number);
  const { x, y, width, height } = window;
  const read = async () => {
    const mask = (band.getMaskFlags() & allValid) === 0 ? await readMask(band, window) : undefined;
    return { values: await band.pixels.readAsync(x, y, width, height), mask };
  };
  const { values, mask } = await read().catch((cause: unknown) => {
    throw unreadablePixels(cause);
  });
  if (!isSignedByte(band)) counter.add({ values, mask, areas });
  else counter.add({ ...signed(values, band.noDataValue, mask), areas });
}

/** Restores signed bytes that were read as unsigned; GDAL's mask does not support a negative nodata value. */
function signed(bytes: ArrayLike<number>, noData: number | null, mask: Uint8Array | undefined) {
  const values = Int8Array.from(bytes);
  if (noData === null || !(noData < 0)) return { values, mask };
  return {
    values,
    mask: Uint8Array.from(values, (value, i) => (value === noData || mask?.[i] === 0 ? 0 : 1)),
  };
}

/** Applies scale and offset to the counts of stored values. */
function bandOf(
  index: number,
  { valid, nodata, noDataArea, values, classes }: BandCounts,
  { scale, offset, hasArea }: { readonly scale: number; readonly offset: number; readonly hasArea: boolean },
): CountsResult['bands'][number] {
  const of = (value: number) => value * scale + offset;
  const inHectares = (area: number) => (hasArea ? toHectares(area) : null);
  const counted = { index, valid, nodata, no_data_ha: inHectares(noDataArea) };
  const scaled = values && {
    min: of(values.min),
    max: of(values.max),
    mean: of(values.mean),
  };
  const inOrder = values?.percentiles.map(of) ?? [];
  const isUsable =
    scaled !== undefined && scale !== 0 && [...Object.values(scaled), ...inOrder].every(Number.isFinite);
  if (values === undefined || !isUsable)
    return {
      ...counted,
      min: null,
      max: null,
      mean: null,
      p2: null,
      p98: null,
      percentiles: null,
      histogram: null,
      classes: null,
    };
  const [least, most] = scale > 0 ? [scaled.min, scaled.max] : [scaled.max, scaled.min];
  const percentiles = scale > 0 ? inOrder : inOrder.toReversed();
  const { exponent, first, counts } = values.histogram;
  const edges = [of(first * 2 ** exponent), of((first + counts.length) * 2 ** exponent)].toSorted(
    (a, b) => a - b,
  );
  const found = classes?.map(({ value, pixels, area }) => ({
    value: of(value),
    pixels,
    hectares: inHectares(area),
  }));
  return {
    ...counted,
    min: least,
    max: most,
    mean: Math.max(least, Math.min(most, scaled.mean)),
    p2: percentiles[2] ?? least,
    p98: percentiles[98] ?? most,
    percentiles,
    histogram: {
      min: edges[0] ?? least,
      max: edges[1] ?? most,
      counts: scale > 0 ? Array.from(counts) : Array.from(counts).toReversed(),
    },
    classes:
      found?.every(({ value }) => Number.isSafeInteger(value)) === true
        ? found.toSorted((one, other) => one.value - other.value)
        : null,
  };
}
