import type { Attempt } from '../jobs/handler.ts';
import { ignore } from '../lib/concurrency/promises.ts';

const keepEveryMs = 2000;

/**
 * Stores the progress of an attempt that reads the file of a dataset, at most every two seconds. The progress never
 * decreases; failed writes are skipped.
 */
export function createProgressKeeper(attempt: Attempt) {
  let keeping = Promise.resolve();
  let isKeeping = false;
  let keptAt = 0;

  async function write(share: number): Promise<void> {
    await attempt.fenced(async (trx) => {
      await trx
        .updateTable('datasets')
        .set((eb) => ({ progress: eb.fn('greatest', ['progress', eb.val(share)]) }))
        .where('id', '=', attempt.refId)
        .where('status', '=', 'processing')
        .execute();
    });
  }

  return {
    keep(this: void, share: number): void {
      const now = performance.now();
      if (isKeeping || now - keptAt < keepEveryMs) return;
      [isKeeping, keptAt] = [true, now];
      keeping = write(share)
        .catch(ignore) // the next update is more recent; an attempt that lost its job notices it elsewhere
        .finally(() => (isKeeping = false));
    },
    /** Waits for pending writes. */
    async end(this: void): Promise<void> {
      await keeping;
    },
  };
}
