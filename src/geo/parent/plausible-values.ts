import type { UnitValues, ValueCounts } from '../engine.ts';
import { areaFaultOf } from './plausible-areas.ts';

/** Tolerance of means and quantiles beyond their bounds, relative to the greatest value. */
const rounding = 1e-9;

/** Returns a description for the log of implausible values by unit; undefined for plausible ones, like `areaFaultOf`. */
export function valueFaultOf(counts: ValueCounts): string | undefined {
  const { tuples, units } = counts;
  const areaFault = areaFaultOf(counts, 1);
  if (areaFault !== undefined) return areaFault;
  const valid = tuples.findIndex(([value]) => value !== null);
  for (const { areas, values } of units) {
    if (values === null) continue;
    if (!areas.some(([tuple]) => tuple === valid)) return 'values of no pixel';
    const fault = faultOf(values);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf({ min, max, mean, sd, quantiles }: UnitValues): string | undefined {
  const room = rounding * Math.max(Math.abs(min), Math.abs(max));
  const isBetween = (value: number) => value >= min - room && value <= max + room;
  if (min > max) return 'values without order';
  if (!isBetween(mean)) return 'a mean beyond its values';
  if (!quantiles.every(isBetween)) return 'a quantile beyond its values';
  if (quantiles.some((value, i) => value < (quantiles[i - 1] ?? min) - room)) return 'quantiles out of order';
  if (sd !== null && sd > (max / 2 - min / 2) * (1 + rounding) + room) return 'a deviation beyond its values';
  return undefined;
}
