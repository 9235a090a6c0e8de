import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrateTo, OtherSchema } from '../database/migrate.ts';
import type { Database } from '../database/tables/tables.ts';
import { backupFailures } from '../messages/service/english.ts';
import { measureStream } from '../object-store/measure.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import {
  equalFacts,
  type Manifest,
  objectPath,
  tablePath,
  writtenFacts,
  columnList,
  copiedTables,
  restorableTables,
  copyLimits,
} from './manifest.ts';

interface Target {
  readonly db: Database;
  readonly pool: pg.Pool;
  readonly objectStore: ObjectStore;
}

interface RestoreOptions {
  readonly signal: AbortSignal;
  readonly keepsWebhooks?: boolean;
}

/** Differences between the restored service and the backup. */
interface Restored {
  /** Number of webhooks that were on. */
  readonly webhooksOff: number;
}

/**
 * Restores a verified backup into an empty database and an empty store, at the backup's migration level. Objects are put first and all rows
 * are written in one transaction at the end, so that an interrupted restore can be repeated: it puts only what is missing. Webhooks are
 * switched off unless the caller keeps them: a copy of a service would send its own events to the same servers, with valid signatures.
 * @throws {Error} with a sentence if the database has rows, or the store has other objects.
 */
export async function restoreBackup(
  { db, pool, objectStore }: Target,
  folder: string,
  manifest: Manifest,
  { signal, keepsWebhooks = false }: RestoreOptions,
): Promise<Restored> {
  try {
    await requireEmptyDatabase(db);
    const stored = await requireOwnObjects(objectStore, manifest, signal);
    await migrateTo(db, manifest.migrations).catch((error: unknown) => {
      throw error instanceof OtherSchema ? new Error(backupFailures.databaseBeyond, { cause: error }) : error;
    });
    const missing = manifest.objects.filter(({ key }) => !stored.has(key));
    await putObjects(objectStore, folder, missing, signal);
    return await copyRows(pool, folder, { manifest, keepsWebhooks }, signal);
  } catch (error) {
    if (signal.aborted) throw new Error(backupFailures.stopped, { cause: error });
    throw error;
  }
}

/** A migration creates the row with the version of the districts. */
const tablesOfData = copiedTables.filter((name) => name !== 'districts_version');

async function requireEmptyDatabase(db: Database): Promise<void> {
  for (const name of tablesOfData) {
    const { rows: found } = await sql<{ exists: boolean }>`
      select to_regclass(${name}) is not null as exists`.execute(db);
    if (found[0]?.exists !== true) continue;
    const { rows } = await sql`select from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) throw new Error(backupFailures.databaseInUse(name));
  }
}

/** Returns the keys that an earlier restore has put. @throws {Error} if the store has any other object. */
async function requireOwnObjects(
  store: ObjectStore,
  { objects }: Manifest,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const factsByKey = new Map(objects.map((object) => [object.key, object]));
  const whole = new Set<string>();
  const unfinished = new Set<string>();
  for await (const key of store.keys({ signal })) {
    const facts = factsByKey.get(key);
    if (facts === undefined) throw new Error(backupFailures.storeInUse(key));
    if ((await store.size(key, { signal })) === undefined) {
      unfinished.add(key);
      continue;
    }
    const measured = await measureStream(await store.read(key, undefined, { signal }), signal);
    if (!equalFacts(writtenFacts(measured), facts)) throw new Error(backupFailures.storeInUse(key));
    whole.add(key);
  }
  for (const key of unfinished) if (!whole.has(key)) await store.remove(key, { signal });
  return whole;
}

async function putObjects(
  store: ObjectStore,
  folder: string,
  objects: Manifest['objects'],
  signal: AbortSignal,
): Promise<void> {
  for (const { key, sizeBytes } of objects) {
    await store.put(key, createReadStream(objectPath(folder, key)), { signal, sizeBytes });
  }
}

interface Rows {
  readonly manifest: Manifest;
  readonly keepsWebhooks: boolean;
}

async function copyRows(
  pool: pg.Pool,
  folder: string,
  { manifest, keepsWebhooks }: Rows,
  signal: AbortSignal,
): Promise<Restored> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(copyLimits);
    await client.query(`set local steppe.tells_nothing = 'on'`); // the rows are history, not events of this database
    await requireEmptyTables(client, manifest);
    for (const name of restorableTables) {
      const table = manifest.tables.find((each) => each.name === name);
      if (table === undefined) continue;
      // Before migration 0020, datasets had columns for their files; a trigger fills `dataset_files` from them.
      if (name === 'districts_version' || name === 'dataset_files') await client.query(`delete from ${name}`);
      const copy = client.query(copyFrom(`copy ${name} (${columnList(table.columns)}) from stdin`));
      await pipeline(createReadStream(tablePath(folder, name)), copy, { signal });
    }
    await client.query(`select setval(pg_get_serial_sequence('observation_sets', 'id'),
      coalesce((select max(id) from observation_sets), 1), exists (select from observation_sets))`);
    await client.query(`update jobs set state = 'queued', lease_until = null, worker = null, run_after = now()
      where state = 'running'`);
    const hasWebhooks = manifest.tables.some(({ name }) => name === 'webhooks');
    const webhooksOff = keepsWebhooks || !hasWebhooks ? 0 : await switchWebhooksOff(client);
    await client.query('commit');
    client.release();
    return { webhooksOff };
  } catch (error) {
    client.release(true); // closed, not reused: the server rolls back the open transaction
    throw error;
  }
}

/** Includes pending test deliveries, which would be sent even by a webhook that is off. */
async function switchWebhooksOff(client: pg.PoolClient): Promise<number> {
  await client.query(`update webhook_deliveries set state = 'failed' where state = 'pending'`);
  const { rowCount } = await client.query(`update webhooks set state = 'off' where state = 'on'`);
  return rowCount ?? 0;
}

/** Another process may have started to use the database while objects were put. */
async function requireEmptyTables(client: pg.PoolClient, { tables }: Manifest): Promise<void> {
  const names = tables.map(({ name }) => name);
  await client.query(`lock table ${names.join(', ')} in access exclusive mode`);
  for (const name of names) {
    if (name === 'districts_version') continue;
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    if (rowCount !== 0) throw new Error(backupFailures.databaseInUse(name));
  }
}
