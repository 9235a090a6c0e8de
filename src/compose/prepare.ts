import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { seedDistricts } from '../catalogue/districts/districts.ts';
import { migrate } from '../database/migrate.ts';
import { voidJobLeases, voidLeases } from '../jobs/void-leases.ts';
import type { Components } from './components.ts';
import { reasonOf } from '../common/error-facts.ts';

const retryMilliseconds = 1000;
/** A database that answers and still refuses this often in a row will not change its mind. */
const maxRefusals = 3;

/**
 * Migrates and seeds the database, waiting for it as long as it takes. Any number of roles may do so at once.
 * @throws what the database said when it answers but can not be prepared.
 */
export async function prepareDatabase(
  components: Components,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  let refusals = 0;
  let lastReason: string | undefined;
  for (;;) {
    try {
      const applied = await migrate(components.db);
      await seedDistricts(components.db);
      if (applied.length > 0) log.info({ applied }, 'the database is migrated');
      return;
    } catch (error) {
      signal.throwIfAborted();
      refusals = (await answers(components)) ? refusals + 1 : 0;
      if (refusals >= maxRefusals) throw error;
      const reason = reasonOf(error);
      // Of a database that it can not reach either the listening connection tells.
      const isNews = reason !== lastReason && (await answers(components.listener));
      if (refusals > 0) {
        log.warn({ error }, 'the database can not be prepared yet');
      } else if (isNews) {
        log.warn({ reason }, 'the database can not be prepared yet');
        lastReason = reason;
      }
    }
    await sleep(retryMilliseconds, undefined, { signal });
  }
}

/**
 * Prepares the embedded database. The lock of DATA_DIR proves that every worker of before is dead, so their jobs and
 * unfinished objects are free at once.
 */
export async function prepareOwnDatabase(
  components: Components,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  await prepareDatabase(components, log, signal);
  await voidLeases(components.db);
}

/** Frees the jobs of the one worker of the embedded database, which has died, for the next one. */
export async function releaseJobs({ db }: Components): Promise<void> {
  await voidJobLeases(db);
}

async function answers(connection: { check(): Promise<void> }): Promise<boolean> {
  try {
    await connection.check();
    return true;
  } catch {
    return false;
  }
}
