import { sql } from 'kysely';
import { addCalendar } from '../lib/durations.ts';
import type { FreshnessState, GroupCadenceInput } from './cadence-schema.ts';

/** Orders the datasets of a group, freshest first: latest `end_date`, none last, then newest. */
export const freshestFirst = sql`datasets.end_date desc nulls last, datasets.created_at desc, datasets.id`;

/** Period of a dataset; ISO 8601 dates. */
interface Period {
  readonly start_date: string | null;
  readonly end_date: string | null;
}

interface Freshness {
  readonly state: FreshnessState;
  readonly next_due: string | null;
  readonly overdue_after: string | null;
}

/**
 * Returns the freshness of a group. Dates are ISO 8601, so that their texts sort by time.
 * @param latest its freshest ready dataset; undefined without one.
 * @param today in UTC.
 */
export function freshnessOf(
  { every, grace }: GroupCadenceInput,
  latest: Period | undefined,
  today: string,
): Freshness {
  const from = latest?.end_date ?? latest?.start_date ?? null;
  if (latest === undefined || from === null)
    return { state: latest === undefined ? 'empty' : 'undated', next_due: null, overdue_after: null };
  const next = addCalendar(from, every, { keepsMonthEnd: latest.end_date !== null });
  const last = addCalendar(next, grace);
  return { state: stateOn(today, next, last), next_due: next, overdue_after: last };
}

function stateOn(today: string, next: string, last: string): FreshnessState {
  if (today < next) return 'fresh';
  return today <= last ? 'due' : 'overdue';
}
