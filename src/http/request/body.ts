import type { IncomingMessage } from 'node:http';
import { bodyProblems } from '../../messages/request.ts';

/**
 * The chunks of a request's body. However the reading ends, the connection stays open for the answer.
 * @throws {Problem} `too_large` past `maxBytes`; `malformed` when the body is cut short.
 */
export async function* readBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let received = 0;
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await chunks.next().catch((cause: unknown) => {
        throw bodyProblems.cutShort().because(cause);
      });
      if (next.done === true) return;
      received += next.value.length;
      if (received > maxBytes) throw bodyProblems.tooLarge(maxBytes);
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** Whether the request has a body of which some was not read. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const hasBody = encoding !== undefined || (length !== undefined && length !== '0');
  return hasBody && !request.complete;
}
