import { ignore } from '../../lib/concurrency/promises.ts';

/**
 * Cuts a body into parts as it comes. A body that breaks ends like a whole one, so that what has come of it can be kept; `failure`
 * then has the reason.
 */
export function createCutter(body: AsyncIterable<Buffer>) {
  const chunks = body[Symbol.asyncIterator]();
  let rest: Buffer | undefined;
  let failure: { readonly cause: unknown } | undefined;
  let isOver = false;

  async function hasMore(): Promise<boolean> {
    while (rest === undefined && !isOver) {
      const next = await chunks.next().catch((cause: unknown) => {
        failure = { cause };
        return { done: true, value: undefined } as const;
      });
      if (next.done === true) isOver = true;
      else if (next.value.length > 0) rest = next.value;
    }
    return rest !== undefined;
  }

  return {
    /** Waits until there is another byte; false when there will be none. */
    hasMore,
    /** Yields the next bytes, at most so many. */
    async *take(maxBytes: number): AsyncGenerator<Buffer> {
      let left = maxBytes;
      while (left > 0 && (await hasMore())) {
        const chunk = rest?.subarray(0, left) ?? Buffer.alloc(0);
        rest = rest === undefined || rest.length <= left ? undefined : rest.subarray(left);
        left -= chunk.length;
        yield chunk;
      }
    },
    failure: () => failure,
    /** Lets go of the body, once a byte that is waited for has come. */
    close: () => void chunks.return?.().catch(ignore),
  };
}
