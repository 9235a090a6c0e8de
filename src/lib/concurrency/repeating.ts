import { pause } from './promises.ts';

/**
 * Does a step again and again until it is closed, which waits for the step under way.
 * @param step must not reject; it returns the pause before the next one, in milliseconds.
 */
export function startRepeating(step: () => Promise<number>, firstAfterMs = 0) {
  const closing = new AbortController();
  const repeating = (async () => {
    if (firstAfterMs > 0) await pause(firstAfterMs, closing.signal);
    while (!closing.signal.aborted) await pause(await step(), closing.signal);
  })();
  return {
    async close(): Promise<void> {
      closing.abort();
      await repeating;
    },
  };
}
