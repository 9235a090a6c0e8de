import type { Attempt } from '../jobs/handler.ts';
import { ignore } from '../lib/concurrency/promises.ts';

const keepEveryMs = 2000;

/** Keeps how far the file of a dataset is while an attempt reads it, at most every two seconds. It never falls, and what cannot be kept is left out. */
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
        .catch(ignore) // the next word says more; an attempt that has lost its job learns it elsewhere
        .finally(() => (isKeeping = false));
    },
    /** Waits for what is being kept. */
    async end(this: void): Promise<void> {
      await keeping;
    },
  };
}
