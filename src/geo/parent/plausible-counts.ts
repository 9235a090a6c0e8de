import type { BandCounts, RasterCounts } from '../engine.ts';

/** Relative tolerance of sums of hectares: each is rounded once. */
const rounding = 1e-9;

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
