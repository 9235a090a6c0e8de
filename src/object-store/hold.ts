import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { ignore } from '../lib/concurrency/promises.ts';
import type { Database } from '../database/tables/tables.ts';
import { keepRenewing } from './ledger.ts';

const usual = { lifeMs: 60_000, renewEveryMs: 10_000 };

/** A hold expired before it was renewed: bytes may have been removed. */
export class HoldLost extends Error {
  override readonly name = 'HoldLost';
}

/**
 * Prevents the sweeper from removing objects that are retired from now on, until released. It expires if this process
 * dies. `lost` aborts with `HoldLost` if it expires before.
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
