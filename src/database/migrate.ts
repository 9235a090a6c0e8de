import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { databaseFailures } from '../messages/service/english.ts';
import type { Database, Transaction } from './tables/tables.ts';
import { raiseLimits, sqlState } from './transaction.ts';

const folder = new URL('migrations/', import.meta.url);
/** Held while a process migrates or seeds; any number of instances may start at once. */
const migrationLock = 5_738_266_001;
const insufficientPrivilege = '42501';
/** In the format of server_version_num. */
const oldestServer = 150_000;

/** Runs `work` in one transaction under the lock that serializes migration and seeding of all instances. */
export async function underMigrationLock<T>(db: Database, work: (trx: Transaction) => Promise<T>) {
  return await db.transaction().execute(async (trx) => {
    await raiseLimits(trx);
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(trx);
    return await work(trx);
  });
}

/** The database does not have the tables of this version. */
export class OtherSchema extends Error {
  override readonly name = 'OtherSchema';
  /** Migrations of another version, and those of this version that are not applied. */
  readonly unknown: readonly string[];
  readonly missing: readonly string[];

  constructor({ unknown, missing }: Readonly<Record<'unknown' | 'missing', readonly string[]>>) {
    super(
      `migrations that this Steppe does not know: ${unknown.length}, that are missing: ${missing.length}`,
    );
    this.unknown = unknown;
    this.missing = missing;
  }
}

/** Verifies that the database has exactly the tables of this version; changes nothing. @throws {OtherSchema} */
export async function requireSchema(db: Database): Promise<void> {
  const fresh = await findFresh(db, await readMigrations());
  if (fresh.length > 0) throw new OtherSchema({ unknown: [], missing: fresh.map(({ name }) => name) });
}

async function readApplied(db: Database): Promise<ReadonlyMap<string, string>> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('migrations') is not null as exists`.execute(db);
  if (found[0]?.exists !== true) return new Map();
  const { rows } = await sql<{ name: string; sha256: string }>`select name, sha256 from migrations`.execute(
    db,
  );
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]));
}

/** The database has to be migrated, but the current role lacks the rights. */
export class MayNotMigrate extends Error {
  override readonly name = 'MayNotMigrate';
  constructor(options: ErrorOptions) {
    super(databaseFailures.mayNotMigrate, options);
  }
}

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
}

/**
 * Applies new SQL files, all or none, and returns their names. Requires no rights on the schema if there are none.
 * @throws {MayNotMigrate} @throws {OtherSchema} if a newer version has applied others; an error if an applied file has
 * changed, or the server is not supported.
 */
export async function migrate(db: Database): Promise<string[]> {
  const migrations = await readMigrations();
  await checkServer(db);
  if ((await findFresh(db, migrations)).length === 0) return [];
  return await applyFresh(db, migrations);
}

async function applyFresh(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  return await underMigrationLock(db, async (trx) => {
    await sql`create table if not exists migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`.execute(
      trx,
    );
    const fresh = await findFresh(trx, migrations); // another instance may have applied some
    for (const { name, text, sha256 } of fresh) {
      await sql.raw(text).execute(trx);
      await sql`insert into migrations (name, sha256) values (${name}, ${sha256})`.execute(trx);
    }
    return fresh.map(({ name }) => name);
  }).catch((cause: unknown) => {
    throw sqlState(cause) === insufficientPrivilege ? new MayNotMigrate({ cause }) : cause;
  });
}

/** An applied migration; its digest identifies the text that was applied. */
export type AppliedMigration = Pick<Migration, 'name' | 'sha256'>;

/** Returns the applied migrations of a database in order. */
export async function readLevel(db: Database): Promise<readonly AppliedMigration[]> {
  const applied = [...(await readApplied(db))].map(([name, sha256]) => ({ name, sha256 }));
  return applied.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the names of those migrations that this version does not have with the same text. */
export async function unknownMigrations(level: readonly AppliedMigration[]): Promise<readonly string[]> {
  const known = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]));
  return level.flatMap(({ name, sha256 }) => (known.get(name) === sha256 ? [] : [name]));
}

/**
 * Migrates an empty database to exactly the level of another one.
 * @throws {OtherSchema} if it is beyond that level; an error if the server is not supported.
 */
export async function migrateTo(db: Database, level: readonly AppliedMigration[]): Promise<void> {
  await checkServer(db);
  const migrations = await readMigrations();
  const wanted = migrations.filter(({ name }) => level.some((each) => each.name === name));
  await applyFresh(db, wanted);
}

async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, sha256: hash('sha256', text, 'hex') };
    }),
  );
}

/** Returns the migrations to apply. @throws {OtherSchema} if others were applied; an error if an applied file has changed. */
async function findFresh(db: Database, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const applied = await readApplied(db);
  const fresh = migrations.filter(({ name, sha256 }) => {
    const before = applied.get(name);
    if (before !== undefined && before !== sha256) {
      throw new Error(`migration ${name} changed after it was applied`);
    }
    return before === undefined;
  });
  const unknown = [...applied.keys()].filter((name) => !migrations.some((each) => each.name === name));
  if (unknown.length > 0) throw new OtherSchema({ unknown, missing: fresh.map(({ name }) => name) });
  return fresh;
}

/** Refuses servers on which some features would fail. */
async function checkServer(db: Database): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string; icu: boolean }>`
    select current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding,
      exists (select from pg_collation where collname = 'und-x-icu') as icu`.execute(db);
  const { version = 0, encoding = '', icu = false } = rows[0] ?? {};
  if (version < oldestServer) throw new Error(databaseFailures.tooOld(Math.floor(version / 10_000)));
  if (encoding !== 'UTF8') throw new Error(databaseFailures.otherEncoding(encoding));
  if (!icu) throw new Error(databaseFailures.noIcu);
}
