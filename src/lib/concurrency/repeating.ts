import { pause } from './promises.ts';

/**
 * Repeats a step until closed; closing awaits the current step.
 * @param step must not reject; returns the pause before the next one, in milliseconds.
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
