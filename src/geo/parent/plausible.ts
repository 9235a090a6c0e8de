import type { AreaCounts, BandCounts, RasterCounts, TupleArea, UnitValues, ValueCounts } from '../engine.ts';
import type { MadePolygons, PolygonsAsked } from '../polygons.ts';

/** Relative tolerance of sums, and of means and quantiles beyond their bounds: each number is rounded once. */
const rounding = 1e-9;
/** Relative tolerance between polygons and the pixels that they are made of. */
const polygonRounding = 1e-6;

/**
 * Returns a description for the log of counts whose parts do not add up; undefined for plausible ones. A child that a
 * file has taken over can still report wrong numbers, but only consistent ones.
 */
export function implausibilityOf(counts: Omit<RasterCounts, 'findings'>): string | undefined {
  const { width, height, area_ha: area, bands } = counts;
  for (const [at, band] of bands.entries()) {
    if (band.index !== at + 1) return 'bands out of order';
    if (band.valid + band.nodata !== width * height) return 'other pixels than there are';
    const fault = valuesFault(band) ?? classesFault(band, area);
    if (fault !== undefined) return `${fault} in band ${band.index}`;
  }
  return undefined;
}

/**
 * Returns the counts that a child made besides its other work; undefined if they are inconsistent or belong to another
 * raster, so that another child has to count.
 */
export function plausibleCounts<T extends Omit<RasterCounts, 'findings'>>(
  counts: T | undefined,
  raster: { readonly width: number; readonly height: number } | null,
): T | undefined {
  if (counts === undefined || raster === null || implausibilityOf(counts) !== undefined) return undefined;
  return counts.width === raster.width && counts.height === raster.height ? counts : undefined;
}

function valuesFault({
  valid,
  min,
  max,
  mean,
  p2,
  p98,
  percentiles,
  histogram,
}: BandCounts): string | undefined {
  const numbers = [min, max, mean, p2, p98, histogram];
  if (numbers.every((each) => each === null)) return undefined;
  if (min === null || max === null || mean === null || p2 === null || p98 === null || histogram === null)
    return 'some of the values';
  if (valid === 0) return 'values of no pixel';
  if (!(min <= p2 && p2 <= p98 && p98 <= max && min <= mean && mean <= max)) return 'values out of order';
  const inOrder = [min, ...(percentiles ?? []), max];
  if (inOrder.some((value, at) => at > 0 && !(value >= (inOrder[at - 1] ?? NaN))))
    return 'percentiles out of order';
  if (!(histogram.min <= min && max <= histogram.max)) return 'a histogram of other values';
  return sumOf(histogram.counts) === valid ? undefined : 'a histogram of other pixels';
}

function classesFault(
  { valid, nodata, classes, no_data_ha: noDataArea }: BandCounts,
  area: number | null,
): string | undefined {
  if ((noDataArea === null) !== (area === null)) return 'areas of some pixels';
  if (noDataArea !== null && area !== null) {
    if (noDataArea > area * (1 + rounding)) return 'more area than there is';
    if (nodata === 0 && noDataArea > 0) return 'an area of no pixel';
  }
  if (classes === null) return undefined;
  if (sumOf(classes.map(({ pixels }) => pixels)) !== valid) return 'classes of other pixels';
  if (classes.some(({ value }, i) => i > 0 && !(value > (classes[i - 1]?.value ?? NaN))))
    return 'classes out of order';
  if (classes.some(({ hectares }) => (hectares === null) !== (area === null))) return 'areas of some classes';
  if (area === null) return undefined;
  const total = sumOf(classes.map(({ hectares }) => hectares ?? 0)) + (noDataArea ?? 0);
  return Math.abs(total - area) <= rounding * area ? undefined : 'classes of another area';
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/**
 * Returns a description for the log of areas whose parts do not add up; undefined for plausible ones, with the same
 * limits as `implausibilityOf`.
 */
export function areaFaultOf(
  { tuples, raster, units, sets }: AreaCounts,
  rasters: number,
): string | undefined {
  if (tuples.some((tuple) => tuple.length !== rasters)) return 'values of other rasters';
  const lists = [
    raster,
    ...units.map(({ areas }) => areas),
    ...sets.flatMap(({ outside, overlap }) => [outside, overlap]),
  ];
  if (!lists.every((list) => isAscending(list, tuples.length))) return 'areas out of order';
  if (units.some(({ areas, area_m2: area, outside_m2: outside }) => !isNear(areaOf(areas) + outside, area)))
    return 'a unit of another area than its parts';
  const whole = areaOf(raster);
  for (const { set, outside, overlap } of sets) {
    const own = units.filter((unit) => unit.set === set);
    const inUnits = own.reduce((sum, { areas }) => sum + areaOf(areas), 0);
    if (!isNear(inUnits + areaOf(outside) - areaOf(overlap), whole, inUnits))
      return 'units of another raster';
  }
  return units.every(({ set }) => sets.some((each) => each.set === set)) ? undefined : 'units of no set';
}

function isAscending(list: readonly TupleArea[], tuples: number): boolean {
  return list.every(([tuple], i) => tuple < tuples && tuple > (list[i - 1]?.[0] ?? -1));
}

function isNear(sum: number, whole: number, size = whole): boolean {
  return Math.abs(sum - whole) <= rounding * Math.max(sum, whole, size);
}

function areaOf(list: readonly TupleArea[]): number {
  return list.reduce((sum, [, area]) => sum + area, 0);
}

/** Returns a description for the log of implausible values by unit; undefined for plausible ones, like `areaFaultOf`. */
export function valueFaultOf(counts: ValueCounts): string | undefined {
  const { tuples, units } = counts;
  const areaFault = areaFaultOf(counts, 1);
  if (areaFault !== undefined) return areaFault;
  const valid = tuples.findIndex(([value]) => value !== null);
  for (const { areas, values } of units) {
    if (values === null) continue;
    if (!areas.some(([tuple]) => tuple === valid)) return 'values of no pixel';
    const fault = distributionFault(values);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function distributionFault({ min, max, mean, sd, quantiles }: UnitValues): string | undefined {
  const room = rounding * Math.max(Math.abs(min), Math.abs(max));
  const isBetween = (value: number) => value >= min - room && value <= max + room;
  if (min > max) return 'values without order';
  if (!isBetween(mean)) return 'a mean beyond its values';
  if (!quantiles.every(isBetween)) return 'a quantile beyond its values';
  if (quantiles.some((value, i) => value < (quantiles[i - 1] ?? min) - room)) return 'quantiles out of order';
  if (sd !== null && sd > (max / 2 - min / 2) * (1 + rounding) + room) return 'a deviation beyond its values';
  return undefined;
}

/**
 * Returns a description for the log of polygons with inconsistent figures; undefined for plausible ones, with the same
 * limits as `implausibilityOf`.
 */
export function polygonFaultOf(
  { zones, belowMinimum, classes }: Omit<MadePolygons, 'path'>,
  { minAreaM2, maxZones }: Pick<PolygonsAsked, 'minAreaM2' | 'maxZones'>,
): string | undefined {
  const sum = (of: (each: (typeof classes)[number]) => number) =>
    classes.reduce((total, each) => total + of(each), 0);
  if (zones > maxZones || zones !== sum(({ after }) => after.zones)) return 'another number of zones';
  if (belowMinimum > zones) return 'more small zones than zones';
  if (classes.some(({ value }, i) => value <= (classes[i - 1]?.value ?? -Infinity)))
    return 'classes out of order';
  if (
    !isSameArea(
      sum(({ before }) => before.pixels_m2),
      sum(({ after }) => after.pixels_m2),
    )
  )
    return 'another area than the raster';
  for (const { value, before, after, polygons_m2: polygons } of classes) {
    if (!isSameArea(after.pixels_m2, polygons)) return `another area than the pixels of ${value}`;
    if ((after.zones === 0) !== (after.pixels_m2 === 0)) return `zones of ${value} without an area`;
    const isSame = before.zones === after.zones && isSameArea(before.pixels_m2, after.pixels_m2);
    if (minAreaM2 === 0 && !isSame) return `merged zones of ${value}`;
  }
  return undefined;
}

function isSameArea(one: number, other: number): boolean {
  return Math.abs(one - other) <= polygonRounding * Math.max(one, other);
}
