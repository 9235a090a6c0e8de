import { ignore } from '../../lib/concurrency/promises.ts';

/**
 * Cuts a body into parts as it arrives. An interrupted body ends like a complete one, so that its bytes can be stored;
 * `failure` then has the reason.
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
    /** Waits for another byte; false at the end. */
    hasMore,
    /** Yields up to `maxBytes`. */
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
    /** Releases the body once a pending read ends. */
    close: () => void chunks.return?.().catch(ignore),
  };
}
