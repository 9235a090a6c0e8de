import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { startRepeating } from '../lib/concurrency/repeating.ts';
import type { Database } from './tables/tables.ts';

const usualTiming = { everyMs: 5000, pollEveryMs: 60_000, leaseMs: 15_000 };

interface Leading {
  /** Name of the work, which one process at a time does. */
  readonly name: string;
  /** Must not reject. Two processes may run it at the same time for a while: a frozen one resumes, or one takes longer than its lease. */
  readonly work: () => Promise<void>;
  readonly timing?: Partial<typeof usualTiming>;
}

/**
 * Takes a free lease, or renews the caller's own.
 * @param lease.ms from now on.
 * @returns milliseconds for which another holder has it; 0 if it was taken.
 */
export async function takeLease(
  db: Database,
  { name, holder, ms }: { readonly name: string; readonly holder: string; readonly ms: number },
): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    with taken as (
      insert into leases (name, holder, lease_until) values (${name}, ${holder}, now() + make_interval(secs => ${ms / 1000}))
      on conflict (name) do update set holder = excluded.holder, lease_until = excluded.lease_until
        where leases.holder = excluded.holder or leases.lease_until < now()
      returning holder
    ) select case when exists (select from taken) then 0 else coalesce((
      select greatest(extract(epoch from lease_until - now()) * 1000, 1) from leases where name = ${name}
    ), 1) end::double precision as ms`.execute(db);
  return rows[0]?.ms ?? 1;
}

/**
 * Runs `work` every few seconds in one of the processes that call this. The others check now and then whether the lease
 * has expired: it is renewed before each run only, so that it expires if the process dies, is frozen or hangs. The
 * lease is a row, and needs no dedicated session.
 */
export function startLeading(db: Database, log: Pick<Logger, 'warn'>, { name, work, timing }: Leading) {
  const { everyMs, pollEveryMs, leaseMs } = { ...usualTiming, ...timing };
  const holder = randomUUID();
  let isFollowing = false;
  let hasLed = false;

  const repeating = startRepeating(async () => {
    try {
      const takenForMs = await takeLease(db, { name, holder, ms: leaseMs });
      hasLed ||= takenForMs === 0;
      if (takenForMs === 0) {
        isFollowing = false;
        await work();
        return everyMs;
      }
      // A renewed lease proves that its holder is alive; that of a dead process expires.
      if (isFollowing) return pollEveryMs;
      isFollowing = true;
      return Math.min(takenForMs + everyMs / 10, pollEveryMs);
    } catch (err) {
      log.warn({ err, lease: name }, 'the lease could not be taken, to be tried again');
      return everyMs;
    }
  });
  return {
    /** Awaits the current run, and releases the lease. */
    async close(): Promise<void> {
      await repeating.close();
      if (!hasLed) return;
      await sql`delete from leases where name = ${name} and holder = ${holder}`
        .execute(db)
        .catch((err: unknown) => {
          log.warn({ err, lease: name }, 'the lease could not be given back, and runs out');
        });
    },
  };
}
