import { pause } from '../../lib/concurrency/promises.ts';
import { isAway } from '../execution/away.ts';

const firstPauseMs = 500;
const maxPauseMs = 10_000;

/**
 * Repeats work until database and store are available, so that outages do not count as attempts of a step and lose no work.
 * @throws any other error of the work, and the reason of the signal.
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
