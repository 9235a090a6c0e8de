import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { MiB } from '../../lib/units.ts';
import type { App } from '../request/schemas.ts';
import { hasUnreadBody } from '../request/body.ts';

const maxDrainedBytes = 256 * MiB;
const maxDrainMs = 5_000;

/**
 * Delivers answers that are sent before the end of the request's body: sends them whole and discards more of the body
 * before the connection closes. Closing while the client still writes would reset the connection and hide the answer.
 */
export function addEarlyAnswers(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!hasUnreadBody(request.raw)) return done(null, payload);
    reply.header('connection', 'close');
    if (typeof payload !== 'string' || request.method === 'HEAD') return done(null, payload);
    // The length tells the client that the answer is complete before the connection is.
    reply.header('content-length', Buffer.byteLength(payload));
    done(null, Readable.from(answerThenDrain(payload, request.raw), { objectMode: false }));
  });
}

async function* answerThenDrain(answer: string, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield Buffer.from(answer);
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  let drainedBytes = 0;
  const onData = (chunk: Buffer): void => {
    drainedBytes += chunk.length;
    if (drainedBytes > maxDrainedBytes) resolve();
  };
  const late = setTimeout(resolve, maxDrainMs);
  request.once('end', resolve).once('error', resolve).once('close', resolve);
  if (request.destroyed || request.complete) resolve();
  request.on('data', onData);
  await enough;
  clearTimeout(late);
  request.off('data', onData);
}
