import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { raiseLimits } from './limits.ts';
import type { Database, Transaction } from './tables.ts';

const folder = new URL('migrations/', import.meta.url);
/** Held by whoever migrates or seeds; any number of instances may start at once. */
const migrationLock = 5_738_266_001;

/** Runs `work` in one transaction that no other instance's migration or seeding overlaps. */
export async function underMigrationLock<T>(db: Database, work: (trx: Transaction) => Promise<T>) {
  return await db.transaction().execute(async (trx) => {
    await raiseLimits(trx);
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(trx);
    return await work(trx);
  });
}

/** The database has not the tables of this Steppe. */
export class OtherSchema extends Error {
  override readonly name = 'OtherSchema';
  /** Migrations of another Steppe, and those of this one that are still to come. */
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

/** Proves that the database has exactly the tables of this Steppe; changes nothing. @throws {OtherSchema} */
export async function requireSchema(db: Database): Promise<void> {
  const names = await ownMigrations();
  const { rows: known } = await sql<{ exists: boolean }>`
    select to_regclass('migrations') is not null as exists`.execute(db);
  const applied = known[0]?.exists === true ? await appliedMigrations(db) : [];
  const unknown = applied.filter(({ name }) => !names.includes(name)).map(({ name }) => name);
  const missing = names.filter((name) => !applied.some((each) => each.name === name));
  if (unknown.length + missing.length > 0) throw new OtherSchema({ unknown, missing });
}

async function ownMigrations(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
}

async function appliedMigrations(db: Database) {
  const { rows } = await sql<{ name: string; sha256: string }>`select name, sha256 from migrations`.execute(
    db,
  );
  return rows;
}

/**
 * Applies new SQL files, all or none, and returns their names.
 * @throws {OtherSchema} when a newer Steppe has applied others; an error when an applied file has changed.
 */
export async function migrate(db: Database): Promise<string[]> {
  const names = await ownMigrations();
  return await underMigrationLock(db, async (trx) => {
    await sql`create table if not exists migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`.execute(
      trx,
    );
    const rows = await appliedMigrations(trx);
    const unknown = rows.map(({ name }) => name).filter((name) => !names.includes(name));
    if (unknown.length > 0) throw new OtherSchema({ unknown, missing: [] });
    const applied = new Map(rows.map((row) => [row.name, row.sha256]));
    const fresh: string[] = [];
    for (const name of names) {
      const text = await readFile(new URL(name, folder), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      const before = applied.get(name);
      if (before === sha256) continue;
      if (before !== undefined) throw new Error(`migration ${name} changed after it was applied`);
      await sql.raw(text).execute(trx);
      await sql`insert into migrations (name, sha256) values (${name}, ${sha256})`.execute(trx);
      fresh.push(name);
    }
    return fresh;
  });
}
