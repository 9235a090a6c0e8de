import { isDatabaseLate, isDatabaseUnavailable } from '../../database/unavailable.ts';
import { pause } from '../../lib/concurrency/promises.ts';
import { StoreUnavailable } from '../../object-store/object-store.ts';

const firstPauseMs = 500;
const maxPauseMs = 10_000;

/**
 * Does work again until neither the database nor the store is away: a try of a step then counts as one that came to its end or died,
 * and an outage costs no work. @throws whatever else it fails with, and the reason of the signal.
 */
export async function waitOut<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, 2 * pauseMs)) {
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isAway(error)) throw error;
      await pause(pauseMs, signal);
    }
  }
}

function isAway(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isDatabaseLate(error) || error instanceof StoreUnavailable;
}
