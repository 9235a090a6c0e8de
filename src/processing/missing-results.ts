import type { Logger } from 'pino';
import type { Database } from '../database/tables.ts';
import { startRepeating } from '../lib/repeating.ts';

/** So many jobs of a kind wait at most: jobs of the same lane come in their order, and an upload must not wait for a thousand old rasters. */
export const mostWaiting = 8;
const timing = { firstAfterMs: 30_000, everyMs: 5_000, idleMs: 600_000 };

/** Enqueues jobs for a few datasets that lack something. @returns how many it was, and whether there are more. */
type EnqueueMissing = (db: Database) => Promise<{ readonly enqueued: number; readonly areLeft: boolean }>;

/**
 * Looks for datasets that lack something until it is closed: often while there are some, and now and then for new ones.
 * @param what they lack, for the log.
 */
export function startMissing(
  db: Database,
  log: Pick<Logger, 'info' | 'warn'>,
  { what, enqueueMissing }: { readonly what: string; readonly enqueueMissing: EnqueueMissing },
) {
  return startRepeating(async () => {
    const { enqueued, areLeft } = await enqueueMissing(db).catch((err: unknown) => {
      log.warn({ err }, `datasets without ${what} are looked for again`);
      return { enqueued: 0, areLeft: true };
    });
    if (enqueued > 0) log.info({ datasets: enqueued }, `${what} of older datasets enqueued`);
    return areLeft ? timing.everyMs : timing.idleMs;
  }, timing.firstAfterMs);
}
