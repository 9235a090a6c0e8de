import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { NodeHttpHandler } from '@smithy/node-http-handler';
import { KiB } from '../../common/units.ts';

const sliceBytes = 64 * KiB;
const onProgress = new AsyncLocalStorage<() => void>();

/** Runs one call of the store, and tells each time that its connection has taken some more of what it sends. */
export async function withProgress<T>(told: () => void, call: () => Promise<T>): Promise<T> {
  return await onProgress.run(told, call);
}

/** Has a handler send bodies slice by slice, which the SDK hands over whole. A repetition sends its body from the start. */
export function tellProgress(handler: NodeHttpHandler): NodeHttpHandler {
  const handle = handler.handle.bind(handler);
  handler.handle = async (request, options) => {
    const told = onProgress.getStore();
    const body: unknown = request.body;
    if (told === undefined || !(body instanceof Uint8Array)) return await handle(request, options);
    // The SDK repeats no request whose body is a stream, and looks at this one.
    request.body = Readable.from(slices(body, told), { objectMode: false });
    try {
      return await handle(request, options);
    } finally {
      request.body = body;
    }
  };
  return handler;
}

function* slices(body: Uint8Array, told: () => void): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += sliceBytes) {
    yield body.subarray(start, start + sliceBytes);
    told();
  }
}
