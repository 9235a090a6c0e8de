import { sql } from 'kysely';
import type { Database } from './tables.ts';

const maxSetsAtOnce = 100;

/**
 * Removes sets of observations that no dataset shows and that no attempt is still writing; says how many. One statement
 * each, because a set may be large; any number may do this at once.
 */
export async function removeAbandonedObservationSets(db: Database): Promise<number> {
  for (let removed = 0; ; removed += 1) {
    if (removed === maxSetsAtOnce || !(await removeOne(db))) return removed;
  }
}

/**
 * An attempt shows its set in the transaction that ends its job, so at every moment the set is either being written by
 * a running attempt, or shown, or abandoned for good.
 */
async function removeOne(db: Database): Promise<boolean> {
  const { rows } = await sql`delete from observation_sets where id = (
    select s.id from observation_sets s
    where not exists (select from datasets d where d.id = s.dataset_id and d.observation_set_id = s.id)
      and not exists (select from jobs j where j.id = s.job_id and j.attempt = s.attempt and j.state = 'running')
    limit 1 for update of s skip locked) returning id`.execute(db);
  return rows.length > 0;
}
