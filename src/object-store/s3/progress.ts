import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { NodeHttpHandler } from '@smithy/node-http-handler';
import { KiB } from '../../lib/units.ts';

const sliceBytes = 64 * KiB;

interface Call {
  readonly told: () => void;
  /** How much a connection has taken so far, of all that tried. */
  furthestBytes: number;
}
const current = new AsyncLocalStorage<Call>();

/**
 * Runs one call of the store, and tells each time that a connection has taken more of what the call sends than any before. A
 * repetition that sends the same bytes once more is not progress.
 */
export async function withProgress<T>(told: () => void, call: () => Promise<T>): Promise<T> {
  return await current.run({ told, furthestBytes: 0 }, call);
}

/** Makes a handler send bodies slice by slice, which the SDK hands over whole. A repetition sends its body from the start. */
export function tellProgress(handler: NodeHttpHandler): NodeHttpHandler {
  const handle = handler.handle.bind(handler);
  handler.handle = async (request, options) => {
    const call = current.getStore();
    const body: unknown = request.body;
    if (call === undefined || !(body instanceof Uint8Array)) return await handle(request, options);
    // The SDK repeats no request whose body is a stream, and looks at this one.
    request.body = Readable.from(slices(body, call), { objectMode: false });
    try {
      return await handle(request, options);
    } finally {
      request.body = body;
    }
  };
  return handler;
}

function* slices(body: Uint8Array, call: Call): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += sliceBytes) {
    const slice = body.subarray(start, start + sliceBytes);
    yield slice;
    const takenBytes = start + slice.length;
    if (takenBytes <= call.furthestBytes) continue;
    call.furthestBytes = takenBytes;
    call.told();
  }
}
