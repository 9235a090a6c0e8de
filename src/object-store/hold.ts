import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { ignore } from '../lib/concurrency/promises.ts';
import type { Database } from '../database/tables/tables.ts';
import { keepRenewing } from './ledger.ts';

const usual = { lifeMs: 60_000, renewEveryMs: 10_000 };

/** A hold ran out before it was renewed: bytes may be gone. */
export class HoldLost extends Error {
  override readonly name = 'HoldLost';
}

/**
 * Keeps the sweeper off every object that is retired from now on, until it is released. It expires by itself when this
 * process dies. `lost` aborts with `HoldLost` when it has expired all the same.
 */
export async function holdObjects(db: Database, timing: Partial<typeof usual> = {}) {
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
    /** Proves that it stood all the time, by renewing it. @throws {HoldLost} */
    async prove(): Promise<void> {
      await renew();
      lost.signal.throwIfAborted();
    },
    async [Symbol.asyncDispose](): Promise<void> {
      clearInterval(timer);
      // It expires by itself where the database is away.
      await db.deleteFrom('backup_holds').where('id', '=', id).execute().catch(ignore);
    },
  };
}
