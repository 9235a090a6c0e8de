import type { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Database, Transaction } from '../database/tables.ts';
import type { ObjectStore } from './object-store.ts';

const leaseSeconds = 120;
const renewEverySeconds = 30;

/**
 * An object that is stored but not yet owned by any row. It stays protected from the sweeper until it is disposed of;
 * if no transaction has published it by then, its bytes and its ledger entry are removed.
 */
export interface ObjectDraft extends AsyncDisposable {
  readonly key: string;
}

/** Registers `key` in the ledger, then streams `body` into the store. Leaves nothing behind when `body` fails. */
export async function writeDraft(
  db: Database,
  store: ObjectStore,
  key: string,
  body: Readable,
): Promise<ObjectDraft> {
  const lease = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`;
  await db.insertInto('objects').values({ key, state: 'writing', lease_until: lease }).execute();
  const renewal = setInterval(() => {
    // A renewal that fails costs nothing yet: the lease outlives several of them.
    renew(db, key, lease).catch(() => undefined);
  }, renewEverySeconds * 1000);
  const draft = {
    key,
    async [Symbol.asyncDispose]() {
      clearInterval(renewal);
      await discard(db, store, key);
    },
  };
  try {
    await store.put(key, body);
    return draft;
  } catch (error) {
    await draft[Symbol.asyncDispose]();
    throw error;
  }
}

/** Makes a draft live, in the transaction that writes the row which owns it. Fails when the sweeper was faster. */
export async function publishObject(trx: Transaction, key: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('objects')
    .set({ state: 'live', lease_until: null })
    .where('key', '=', key)
    .where('state', '=', 'writing')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`object ${key} is no longer a draft`);
}

/** Leaves a tombstone for each object whose owner goes away in this transaction; `sweepObjects` removes the bytes. */
export async function retireObjects(trx: Transaction, keys: readonly (string | null)[]): Promise<string[]> {
  const present = keys.filter((key) => key !== null);
  if (present.length === 0) return [];
  await trx
    .updateTable('objects')
    .set({ state: 'deleting', lease_until: null })
    .where('key', 'in', present)
    .execute();
  return present;
}

async function renew(db: Database, key: string, lease: ReturnType<typeof sql<Date>>): Promise<void> {
  await db
    .updateTable('objects')
    .set({ lease_until: lease })
    .where('key', '=', key)
    .where('state', '=', 'writing')
    .execute();
}

async function discard(db: Database, store: ObjectStore, key: string): Promise<void> {
  const tombstone = await db
    .updateTable('objects')
    .set({ state: 'deleting', lease_until: null })
    .where('key', '=', key)
    .where('state', '=', 'writing')
    .executeTakeFirst();
  if (tombstone.numUpdatedRows === 0n) return; // published, or swept
  await store.remove(key);
  await db.deleteFrom('objects').where('key', '=', key).where('state', '=', 'deleting').execute();
}
