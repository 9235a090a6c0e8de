import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database, Transaction } from './tables.ts';

const folder = new URL('migrations/', import.meta.url);
/** Held by whoever migrates or seeds; any number of instances may start at once. */
const migrationLock = 5_738_266_001;

/** Runs `work` in one transaction that no other instance's migration or seeding overlaps. */
export async function underMigrationLock<T>(db: Database, work: (trx: Transaction) => Promise<T>) {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(trx);
    return await work(trx);
  });
}

/** Applies new SQL files, all or none, and returns their names. @throws when an applied file has changed. */
export async function migrate(db: Database): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return await underMigrationLock(db, async (trx) => {
    await sql`create table if not exists migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`.execute(
      trx,
    );
    const { rows } = await sql<{ name: string; sha256: string }>`select name, sha256 from migrations`.execute(
      trx,
    );
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
