/** Creates a function that runs at most `limit` tasks at a time; the others wait in order. */
export function createLimiter(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/**
 * Runs `work` on every item, at most `limit` at a time, and returns the results in the order of the items. On a failure
 * it aborts the signal, starts no further item and awaits those that run. @throws the first failure.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const failing = new AbortController();
  const combined = AbortSignal.any([signal, failing.signal]);
  const limited = createLimiter(limit);
  const results = items.map(
    async (item) =>
      await limited(async () => {
        try {
          combined.throwIfAborted();
          return await work(item, combined);
        } catch (error) {
          failing.abort(error);
          throw error;
        }
      }),
  );
  await Promise.allSettled(results);
  failing.signal.throwIfAborted();
  return await Promise.all(results);
}
