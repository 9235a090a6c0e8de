/**
 * Runs `work` on every item, at most `limit` at a time, and gives the results in the order of the items. When one fails
 * the signal aborts, no other is begun, and all that were begun are waited for. @throws what failed first.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const failing = new AbortController();
  const combined = AbortSignal.any([signal, failing.signal]);
  const results = new Map<number, R>();
  const queue = items.entries();
  let failure: { readonly error: unknown } | undefined;
  async function workOff(): Promise<void> {
    for (const [index, item] of queue) {
      try {
        combined.throwIfAborted();
        results.set(index, await work(item, combined));
      } catch (error) {
        failure ??= { error };
        failing.abort(error);
        return;
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, workOff));
  if (failure !== undefined) throw failure.error;
  return [...results].toSorted(([one], [other]) => one - other).map(([, result]) => result);
}
