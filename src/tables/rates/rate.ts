import type { z } from 'zod';
import type { RateReason as Reasons } from '../kato-map/kato-series.ts';

/** First and last day as YYYY-MM-DD; null for a point in time. */
export interface Period {
  readonly start_date: string;
  readonly end_date: string | null;
}

/** Reason for a missing rate. */
export type RateReason = z.infer<typeof Reasons>;

export type Rate = { readonly rate: number } | { readonly rate: null; readonly reason: RateReason };

/**
 * Returns the denominator period that is valid for a period of a table; undefined if there is none. In this order: the same period; the
 * shortest one that contains it; the first point in time within it, because a population at the beginning of a year is valid for that year.
 */
export function validPeriod(of: Period, among: readonly Period[]): Period | undefined {
  const end = of.end_date ?? of.start_date;
  let [around, within]: (Period | undefined)[] = [];
  for (const each of among) {
    const { start_date: start, end_date: last } = each;
    if (start === of.start_date && (last ?? start) === end) return each;
    if (last === null) {
      const isWithin = start >= of.start_date && start <= end;
      if (isWithin && (within === undefined || start < within.start_date)) within = each;
    } else if (start <= of.start_date && last >= end) {
      if (around === undefined || daysOf(each) < daysOf(around)) around = each;
    }
  }
  return around ?? within;
}

const dayMs = 86_400_000;

function daysOf({ start_date: start, end_date: end }: Period): number {
  return end === null ? 0 : (Date.parse(end) - Date.parse(start)) / dayMs;
}

/** @param divisor denominator: undefined if no period is valid, null if its value is not a number. */
export function rateOf(
  value: number | string | null,
  divisor: number | string | null | undefined,
  per: number,
): Rate {
  if (typeof value !== 'number') return { rate: null, reason: 'no_number' };
  if (divisor === undefined) return { rate: null, reason: 'no_period' };
  if (typeof divisor !== 'number') return { rate: null, reason: 'no_denominator' };
  const rate = (value / divisor) * per;
  return Number.isFinite(rate) ? { rate } : { rate: null, reason: 'zero' };
}
