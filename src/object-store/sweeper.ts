import { endsWithin } from '../lib/concurrency/with-timeout.ts';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../database/tables/tables.ts';
import { forgetRemoved, giveUpDrafts, isToRemove } from './ledger.ts';
import type { ObjectStore } from './object-store.ts';

const sweepBudgetMs = 60_000;
const pageSize = 100;
/** Ends a sweep: a store that is away is not asked for every key. */
const maxFailures = 3;
const maxSetsAtOnce = 100;
const maxObservationsAtOnce = 10_000;

/**
 * Removes the bytes and then the ledger entry of every object that is to be deleted, and of every draft whose writer
 * has let its lease run out; the bytes of a put without an answer are removed twice. Never rejects: what failed is tried again. Any number may sweep at once, and any of them may
 * die anywhere. Returns how many objects are gone, bytes and ledger entry.
 * @param options.keys sweep these alone; without them everything that is due.
 * @param options.budgetMs return after this time, leaving the rest to the next sweep.
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
 * Removes the bytes, then the entry: if we die in between, it stands and is swept again. No transaction is open meanwhile,
 * for a store that hangs would take a connection with each object. Another sweeper may do the same beside us, since removing
 * nothing is fine; says whether it was us who removed the entry.
 */
async function removeObject(db: Database, store: ObjectStore, key: string): Promise<boolean> {
  if (!(await provesUnowned(db, key))) return false;
  await store.remove(key);
  return await forgetRemoved(db, key);
}

/**
 * Proves by the foreign keys that no row owns an object that is to be deleted, by deleting its entry and taking that back.
 * What is true then stays true: only drafts get owners. False when there is no such entry, another sweeper is about to
 * prove it, or a backup holds what is retired. @throws when a row owns it.
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
 * Removes sets of observations that no dataset shows and that no attempt is still writing; returns how many. A set may be
 * large, so that its observations go in portions; any number may do this at once.
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
