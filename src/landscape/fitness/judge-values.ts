import { inputFindings } from '../../messages/runs/english.ts';
import { type Band, type ClassBand, classNoData, type FloatBand } from '../model/bands.ts';
import { findingOf, type InputFinding } from './finding.ts';

/** Statistics of band 1, with scale and offset applied. */
export interface BandStatistics {
  readonly valid: number;
  /** Null without valid values. */
  readonly min: number | null;
  readonly max: number | null;
  /** The 0th, 1st … 100th percentiles; absent from earlier statistics. */
  readonly percentiles?: readonly number[] | null | undefined;
  /** For a band with at most 256 different whole numbers. */
  readonly classes: readonly { readonly value: number; readonly pixels: number }[] | null;
}

type Span = readonly [least: number, greatest: number];

/** Checks the values of a raster. @param mayBeEmpty true if runs also accept a raster without any valid value */
export function judgeValues(band: Band, statistics: BandStatistics, mayBeEmpty: boolean): InputFinding[] {
  const worst = mayBeEmpty ? 'warns' : 'stops';
  const { valid, min, max } = statistics;
  if (valid === 0) return mayBeEmpty ? [] : [findingOf(worst, 'no_value', inputFindings.noValue)];
  if (min === null || max === null) return [];
  // Runs read values as float32.
  const span = [Math.fround(min), Math.fround(max)] as const;
  return band.type === 'float32'
    ? judgeNumbers(band, { statistics, span, worst })
    : judgeClasses(band, { statistics, span, worst });
}

interface Seen {
  readonly statistics: BandStatistics;
  readonly span: Span;
  /** The severity if no value is valid. */
  readonly worst: 'stops' | 'warns';
}

function judgeNumbers({ range, usualFactor }: FloatBand, { statistics, span, worst }: Seen): InputFinding[] {
  const [from, to] = range ?? [-Infinity, Infinity];
  const [least, greatest] = span;
  if (least >= from && greatest <= to) return [];
  const facts = { from, to: Number.isFinite(to) ? to : undefined, least, greatest };
  const isAll = greatest < from || least > to;
  const slack = (bound: number) => Math.abs(bound) * percentilePrecision;
  const share = isAll
    ? 1
    : shareOf(statistics, (value) => value < from - slack(from) || value > to + slack(to));
  const outside = isAll
    ? findingOf(worst, 'out_of_range', inputFindings.allOutside(facts))
    : findingOf('warns', 'out_of_range', inputFindings.someOutside(share, facts));
  const factor = likelyFactor(statistics, { range: [from, to], span, share, usualFactor });
  if (factor === undefined) return [outside];
  const divided = middleOf(statistics, span).map((value) => value / factor);
  const [low, high] = span.map((value) => value / factor);
  const after = {
    least: low !== undefined && low >= from ? low : (divided[0] ?? from),
    greatest: high !== undefined && high <= to ? high : (divided[1] ?? to),
  };
  return [outside, findingOf('warns', 'likely_factor', inputFindings.factor(factor, after))];
}

/** Relative error of percentiles of fractional numbers: the width of a bin. */
const percentilePrecision = 0.002;
const factors = [10, 100, 1000, 10_000];
/** A smaller share of values outside the range indicates errors, not a factor. */
const leastShare = 0.02;

interface Outside {
  readonly range: Span;
  readonly span: Span;
  readonly share: number | undefined;
  readonly usualFactor: number | undefined;
}

/** Finds the factor by which values may have been multiplied: the usual factor of the slot, otherwise the smallest one that fits. */
function likelyFactor(
  statistics: BandStatistics,
  { range: [from, to], span, share, usualFactor }: Outside,
): number | undefined {
  if (share === undefined || share < leastShare || !Number.isFinite(to)) return undefined;
  const [low, high] = middleOf(statistics, span);
  // A single value far from the others probably means no data, not a factor.
  const isOneValue = (value: number, next: number) =>
    Math.abs(next - value) <= Math.abs(value) * percentilePrecision;
  const { percentiles } = statistics;
  const above = high > to && !isOneValue(high, firstBeyond(percentiles, (value) => value > to) ?? low);
  const below = low < from && !isOneValue(low, lastBeyond(percentiles, (value) => value < from) ?? high);
  if (!above && !below) return undefined;
  const candidates = usualFactor === undefined ? factors : [usualFactor, ...factors];
  return candidates.find((factor) => low / factor >= from && high / factor <= to);
}

/** Returns the span of the values without the lowest and the highest two percent, if known. */
function middleOf({ percentiles }: BandStatistics, [least, greatest]: Span): Span {
  return [percentiles?.[2] ?? least, percentiles?.[98] ?? greatest];
}

type Percentiles = BandStatistics['percentiles'];
const firstBeyond = (percentiles: Percentiles, isBeyond: (value: number) => boolean) =>
  percentiles?.find(isBeyond);
const lastBeyond = (percentiles: Percentiles, isBeyond: (value: number) => boolean) =>
  percentiles?.findLast(isBeyond);

function judgeClasses(band: ClassBand, { statistics, span, worst }: Seen): InputFinding[] {
  const { classes } = statistics;
  const isUnknown = (value: number) => !band.classes.includes(value);
  const [least, greatest] = span;
  if (classes === null) {
    const isNone = greatest < Math.min(...band.classes) || least > Math.max(...band.classes);
    const share = isNone ? 1 : shareOf(statistics, isUnknown);
    const message = inputFindings.noClasses(share, { least, greatest });
    return [findingOf(isNone ? worst : 'warns', 'unknown_classes', message)];
  }
  const found = classes.map(({ value }) => value);
  if (found.every(isUnknown)) {
    const message = inputFindings.noKnownClass({ found, known: band.classes });
    return [findingOf(worst, 'unknown_classes', message)];
  }
  // Rasters of classes use 0 for no data.
  const unknown = found.filter((value) => value !== classNoData && isUnknown(value));
  const share = shareOf(statistics, (value) => unknown.includes(value));
  if (unknown.length === 0 || share === undefined) return [];
  const sentence =
    band.zeroWhereMissing === true ? inputFindings.unknownAsZero : inputFindings.unknownClasses;
  return [findingOf('warns', 'unknown_classes', sentence(share, unknown))];
}

/** Returns the share of the values that match: exactly if each value was counted, otherwise from the percentiles. */
function shareOf(
  { valid, classes, percentiles }: BandStatistics,
  isSo: (value: number) => boolean,
): number | undefined {
  if (classes !== null) {
    const pixels = classes.reduce((sum, { value, pixels: own }) => sum + (isSo(value) ? own : 0), 0);
    return pixels / valid;
  }
  if (percentiles === null || percentiles === undefined || percentiles.length < 2) return undefined;
  const marks = percentiles.map((value) => (isSo(value) ? 0.5 : 0));
  const halves = marks.slice(1).reduce<number>((sum, mark, index) => sum + mark + (marks[index] ?? 0), 0);
  return Math.min(almostAll, Math.max(almostNone, halves / (percentiles.length - 1)));
}

/** Limits of a share that is known to be neither 0 nor 1, although percentiles suggest it. */
const [almostNone, almostAll] = [0.001, 0.999];
