/**
 * Gives what `work` gives. @throws what it throws, or when it takes longer than `milliseconds`; what it still does then,
 * nobody waits for.
 */
export async function inTime<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
