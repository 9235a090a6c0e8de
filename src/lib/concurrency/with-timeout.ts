/** Returns the result of `work`. @throws its error, or `lateness` after `milliseconds`; the work itself is neither stopped nor awaited. */
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

/** Waits for `work` for at most this time; returns whether it ended in time. @throws its error, if in time. */
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
