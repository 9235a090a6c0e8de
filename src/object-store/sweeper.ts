import { endsWithin } from '../lib/concurrency/with-timeout.ts';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../database/tables/tables.ts';
import { forgetRemoved, giveUpDrafts, isToRemove } from './ledger.ts';
import type { ObjectStore } from './object-store.ts';

const sweepBudgetMs = 60_000;
const pageSize = 100;
/** Number of failures that end a sweep: an unreachable store is not asked for every key. */
const maxFailures = 3;
const maxSetsAtOnce = 100;
const maxObservationsAtOnce = 10_000;

/**
 * Removes the bytes and then the ledger entry of every object to be deleted, and of every draft with an expired lease;
 * removes the bytes of an unanswered put twice. Never rejects: failures are retried. Sweepers may run concurrently and
 * die at any point. Returns the number of objects removed with their entries.
 * @param options.keys sweeps only these; without it, everything that is due.
 * @param options.budgetMs returns after this time and leaves the rest to the next sweep.
 */
export async function sweepObjects(
  db: Database,
  store: ObjectStore,
  { keys, budgetMs = sweepBudgetMs }: { keys?: readonly string[]; budgetMs?: number } = {},
): Promise<{ readonly removed: number; readonly failures: readonly unknown[] }> {
  const swept = { removed: 0, failures: new Array<unknown>() };
  const endsAt = performance.now() + budgetMs;
  const sweeping = (async () => {
    if (keys === undefined) await giveUpDrafts(db);
    for await (const key of keys ?? doomedKeys(db)) {
      if (performance.now() >= endsAt || swept.failures.length >= maxFailures) return;
      await removeObject(db, store, key).then(
        (removed) => (swept.removed += removed ? 1 : 0),
        (error: unknown) => swept.failures.push(error),
      );
    }
  })().catch((error: unknown) => swept.failures.push(error));
  await endsWithin(budgetMs, sweeping);
  return { removed: swept.removed, failures: [...swept.failures] };
}

/** Sweeps once: objects, and observations that no dataset shows. Never rejects. */
export async function sweepAll(
  { db, objectStore }: { readonly db: Database; readonly objectStore: ObjectStore },
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const { removed, failures } = await sweepObjects(db, objectStore);
  for (const err of failures) log.warn({ err }, 'sweeping failed, to be tried again');
  const sets = await removeAbandonedObservationSets(db).catch((err: unknown) => {
    log.warn({ err }, 'sweeping failed, to be tried again');
    return 0;
  });
  if (removed + sets > 0) log.info({ objects: removed, observationSets: sets }, 'swept');
}

async function* doomedKeys(db: Database): AsyncGenerator<string> {
  for (let last = ''; ;) {
    const rows = await db
      .selectFrom('objects')
      .select('key')
      .where('state', '=', 'deleting')
      .where(isToRemove)
      .where('key', '>', last)
      .orderBy('key')
      .limit(pageSize)
      .execute();
    for (const { key } of rows) yield key;
    const next = rows.at(-1);
    if (next === undefined) return;
    last = next.key;
  }
}

/**
 * Removes the bytes, then the entry: if the process dies in between, the entry remains and is swept again. No
 * transaction is open meanwhile, because a store that hangs would occupy a connection per object. Concurrent sweepers
 * are harmless, since removing a missing object does not fail; returns whether this call removed the entry.
 */
async function removeObject(db: Database, store: ObjectStore, key: string): Promise<boolean> {
  if (!(await provesUnowned(db, key))) return false;
  await store.remove(key);
  return await forgetRemoved(db, key);
}

/**
 * Proves by foreign keys that no row owns an object to be deleted, by deleting its entry and rolling back. The result
 * stays true: only drafts get owners. Returns false if there is no such entry, another sweeper is checking it, or a
 * backup holds retired objects. @throws if a row owns it.
 */
async function provesUnowned(db: Database, key: string): Promise<boolean> {
  const trx = await db.startTransaction().execute();
  try {
    const { rows } = await sql`delete from objects where key =
      (select key from objects where key = ${key} and state = 'deleting'
        and not exists (select from backup_holds where held_until > now()) for update skip locked) returning key`.execute(
      trx,
    );
    return rows.length > 0;
  } finally {
    await trx.rollback().execute();
  }
}

/**
 * Removes sets of observations that no dataset shows and no attempt is writing; returns their number. A set may be
 * large, so that its observations are deleted in batches; concurrent calls are harmless.
 */
export async function removeAbandonedObservationSets(db: Database): Promise<number> {
  for (let removed = 0; ; removed += 1) {
    if (removed === maxSetsAtOnce || !(await removeOne(db))) return removed;
  }
}

/**
 * An attempt shows its set in the transaction that ends its job: a set is always being written by a running attempt,
 * shown, or abandoned for good.
 */
async function removeOne(db: Database): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`select s.id from observation_sets s
    where not exists (select from datasets d where d.id = s.dataset_id and d.observation_set_id = s.id)
      and not exists (select from jobs j where j.id = s.job_id and j.attempt = s.attempt and j.state = 'running')
    limit 1`.execute(db);
  const [abandoned] = rows;
  if (abandoned === undefined) return false;
  while (await removePortion(db, abandoned.id));
  const { numDeletedRows } = await db
    .deleteFrom('observation_sets')
    .where('id', '=', abandoned.id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function removePortion(db: Database, setId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from observations where ctid = any(array(
    select ctid from observations where set_id = ${setId} limit ${maxObservationsAtOnce} for update skip locked))`.execute(
    db,
  );
  return (numAffectedRows ?? 0n) > 0n;
}
