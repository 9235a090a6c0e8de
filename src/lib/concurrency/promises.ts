import { setTimeout as delay } from 'node:timers/promises';

/** For failures that are reported elsewhere or do not matter. */
export function ignore(): void {}

/** Resolves after this time, or when `signal` aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(ignore);
}

/** Resolves when `signal` aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  await promise;
}
