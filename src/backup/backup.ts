import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { sql } from 'kysely';
import { readLevel } from '../database/migrate.ts';
import type { Database } from '../database/tables/tables.ts';
import { backupFailures } from '../messages/service/english.ts';
import { createFileSink } from '../object-store/file-sink.ts';
import { measureBody } from '../object-store/measure.ts';
import { isReferenceKey, ObjectMissing, type ObjectStore } from '../object-store/object-store.ts';
import {
  type FileFacts,
  type Manifest,
  objectPath,
  syncFolder,
  tablePath,
  writeManifest,
  writtenFacts,
  columnList,
  copiedTables,
  type CopiedTable,
  copyLimits,
} from './manifest.ts';
import { ignore } from '../lib/concurrency/promises.ts';
import { keepRenewing } from '../object-store/ledger.ts';

interface Source {
  readonly db: Database;
  readonly pool: pg.Pool;
  readonly objectStore: ObjectStore;
}

interface LedgerEntry {
  readonly key: string;
  readonly size_bytes: number | null;
  readonly sha256: Buffer | null;
}

/**
 * Copies all tables as of one moment, and every object that was live at that moment, into a new folder while the service runs. The manifest
 * is written last: a folder without it is not a backup.
 * @throws {Error} with a sentence if the folder is not empty, an object is damaged, or the hold was lost.
 */
export async function writeBackup(
  { db, pool, objectStore }: Source,
  folder: string,
  signal: AbortSignal,
): Promise<Manifest> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(backupFailures.notEmpty(folder));
  await using hold = await holdObjects(db);
  const ending = AbortSignal.any([signal, hold.lost]);
  try {
    const createdAt = new Date().toISOString();
    const migrations = [...(await readLevel(db))];
    const { tables, entries } = await copyTables(pool, folder, ending);
    const objects = await copyObjects(objectStore, folder, entries, ending);
    await hold.prove();
    ending.throwIfAborted();
    const manifest: Manifest = { format: 1, createdAt, migrations, tables, objects };
    await writeManifest(folder, manifest);
    return manifest;
  } catch (error) {
    if (hold.lost.aborted || error instanceof HoldLost) {
      throw new Error(backupFailures.holdLost, { cause: error });
    }
    if (signal.aborted) throw new Error(backupFailures.stopped, { cause: error });
    throw error;
  }
}

async function copyTables(pool: pg.Pool, folder: string, signal: AbortSignal) {
  await mkdir(join(folder, 'tables'));
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(copyLimits);
    const tables: Manifest['tables'] = [];
    for (const name of copiedTables) tables.push(await copyTable(client, folder, name, signal));
    const { rows: entries } = await client.query<LedgerEntry>(
      `select key, size_bytes, sha256 from objects where state = 'live' order by key`,
    );
    await client.query('commit');
    client.release();
    await syncFolder(join(folder, 'tables'));
    return { tables, entries };
  } catch (error) {
    client.release(true); // closed, not reused: a copy may still be running
    throw error;
  }
}

async function copyTable(client: pg.PoolClient, folder: string, name: CopiedTable, signal: AbortSignal) {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [name],
  );
  const columns = rows.map((row) => row.name);
  const filter = name === 'objects' ? ` where state = 'live'` : '';
  const copy = client.query(copyTo(`copy (select ${columnList(columns)} from ${name}${filter}) to stdout`));
  return { name, columns, ...(await keep(copy, tablePath(folder, name), signal)) };
}

async function copyObjects(
  store: ObjectStore,
  folder: string,
  entries: readonly LedgerEntry[],
  signal: AbortSignal,
): Promise<Manifest['objects']> {
  await mkdir(join(folder, 'objects'));
  const folders = new Set([folder, join(folder, 'objects')]);
  const objects: Manifest['objects'] = [];
  for (const { key, size_bytes: sizeBytes, sha256 } of entries) {
    const path = objectPath(folder, key);
    for (let parent = dirname(path); !folders.has(parent); parent = dirname(parent)) folders.add(parent);
    await mkdir(dirname(path), { recursive: true });
    const facts = await keepObject(store, key, path, signal);
    const isSound =
      isReferenceKey(key) || // the ledger describes the file for which it stands
      ((sizeBytes ?? facts.sizeBytes) === facts.sizeBytes &&
        (sha256?.toString('hex') ?? facts.sha256) === facts.sha256);
    if (!isSound) throw new Error(backupFailures.unsoundObject(key));
    objects.push({ key, ...facts });
  }
  for (const each of folders) await syncFolder(each);
  return objects;
}

async function keepObject(store: ObjectStore, key: string, path: string, signal: AbortSignal) {
  try {
    return await keep(await store.read(key, undefined, { signal }), path, signal);
  } catch (cause) {
    throw cause instanceof ObjectMissing ? new Error(backupFailures.unsoundObject(key), { cause }) : cause;
  }
}

/** Writes a file durably and returns its size and digest. */
async function keep(body: Readable, path: string, signal: AbortSignal): Promise<FileFacts> {
  const { measured, facts } = measureBody(body);
  await pipeline(measured, createFileSink(await open(path, 'wx')), { signal });
  return writtenFacts(facts());
}

const usual = { lifeMs: 60_000, renewEveryMs: 10_000 };

/** A hold expired before it was renewed: bytes may have been removed. */
class HoldLost extends Error {
  override readonly name = 'HoldLost';
}

/**
 * Prevents the sweeper from removing objects that are retired from now on, until released. It expires if this process
 * dies. `lost` aborts with `HoldLost` if it expires before.
 */
async function holdObjects(db: Database, timing: Partial<typeof usual> = {}) {
  const { lifeMs, renewEveryMs } = { ...usual, ...timing };
  const id = randomUUID();
  const until = sql<Date>`now() + make_interval(secs => ${lifeMs / 1000})`;
  await sql`delete from backup_holds where held_until < now()`.execute(db);
  await db.insertInto('backup_holds').values({ id, held_until: until }).execute();
  const lost = new AbortController();
  async function renew(): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('backup_holds')
      .set({ held_until: until })
      .where('id', '=', id)
      .where('held_until', '>', sql<Date>`now()`)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) lost.abort(new HoldLost('the hold has expired'));
  }
  const timer = keepRenewing(renewEveryMs, renew);
  return {
    lost: lost.signal,
    /** Proves, by renewing it, that the hold never expired. @throws {HoldLost} */
    async prove(): Promise<void> {
      await renew();
      lost.signal.throwIfAborted();
    },
    async [Symbol.asyncDispose](): Promise<void> {
      clearInterval(timer);
      // It expires by itself if the database is unreachable.
      await db.deleteFrom('backup_holds').where('id', '=', id).execute().catch(ignore);
    },
  };
}
