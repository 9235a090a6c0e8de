/**
 * Returns what `work` returns. @throws what it throws, or `lateness` when it takes longer than `milliseconds`; what it still does
 * then is not waited for.
 */
export async function withTimeout<T>(
  milliseconds: number,
  work: Promise<T>,
  lateness = () => new Error(`no answer within ${milliseconds} ms`),
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(lateness()), milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `work`, but no longer than this; tells whether it ended in time. @throws what it throws in time. */
export async function endsWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const late = Symbol('late');
  const { promise, resolve } = Promise.withResolvers<typeof late>();
  const timer = setTimeout(() => resolve(late), milliseconds);
  try {
    return (await Promise.race([work, promise])) !== late;
  } finally {
    clearTimeout(timer);
  }
}
