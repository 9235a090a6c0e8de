import type { Logger } from 'pino';
import type { Database } from '../database/tables.ts';
import { pause } from '../lib/promises.ts';

/** So many jobs of a kind wait at most: jobs of the same lane come in their order, and an upload must not wait for a thousand old rasters. */
export const mostWaiting = 8;
const timing = { firstAfterMs: 30_000, everyMs: 5_000, idleMs: 600_000 };

/** Enqueues jobs for a few rasters that lack something. @returns how many it was, and whether there are more. */
type EnqueueMissing = (db: Database) => Promise<{ readonly enqueued: number; readonly areLeft: boolean }>;

/**
 * Looks for rasters that lack something until it is closed: often while there are some, and now and then for new ones.
 * @param what they lack, for the log.
 */
export function startMissing(
  db: Database,
  log: Pick<Logger, 'info' | 'warn'>,
  { what, enqueueMissing }: { readonly what: string; readonly enqueueMissing: EnqueueMissing },
) {
  const closing = new AbortController();
  const looking = (async () => {
    await pause(timing.firstAfterMs, closing.signal);
    while (!closing.signal.aborted) {
      const { enqueued, areLeft } = await enqueueMissing(db).catch((err: unknown) => {
        log.warn({ err }, `rasters without ${what} are looked for again`);
        return { enqueued: 0, areLeft: true };
      });
      if (enqueued > 0) log.info({ datasets: enqueued }, `${what} of older rasters enqueued`);
      await pause(areLeft ? timing.everyMs : timing.idleMs, closing.signal);
    }
  })();
  return {
    async close(): Promise<void> {
      closing.abort();
      await looking;
    },
  };
}
