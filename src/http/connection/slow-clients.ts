import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { KiB, MiB } from '../../lib/units.ts';
import { hasUnreadBody } from '../request/body.ts';
import type { App } from '../request/schemas.ts';

/** Minimum pace of a request body. */
const defaultPace = {
  checkEveryMs: 2_500,
  firstByteMs: 15_000,
  windowMs: 30_000,
  minBytesPerWindow: 30 * KiB,
  maxMs: 6 * 3600 * 1000,
};

interface Watched {
  readonly startedAt: number;
  readonly response: ServerResponse;
  windowStartedAt: number;
  bytesAtWindowStart: number;
}

/**
 * Detects bodies that trickle in. A fixed time limit would be too short for a large upload and too long for a client
 * that sends a byte per second to hold a connection.
 */
export function createSlowBodyGuard(onSlow: (request: IncomingMessage) => void, pace = defaultPace) {
  const watched = new Map<IncomingMessage, Watched>();

  function isSlow(request: IncomingMessage, body: Watched, now: number): boolean {
    if (now - body.startedAt > pace.maxMs) return true;
    const hasBegun = request.readableDidRead || request.readableLength > 0;
    if (!hasBegun && now - body.startedAt > pace.firstByteMs) return true;
    if (now - body.windowStartedAt < pace.windowMs) return false;
    const received = request.socket.bytesRead - body.bytesAtWindowStart;
    // When our own buffer is full, the service is the bottleneck.
    const isHeldUp = request.readableLength >= request.readableHighWaterMark;
    body.windowStartedAt = now;
    body.bytesAtWindowStart = request.socket.bytesRead;
    return received < pace.minBytesPerWindow && !isHeldUp;
  }

  const timer = setInterval(() => {
    const now = Date.now();
    for (const [request, body] of watched) {
      if (request.complete || request.destroyed || body.response.headersSent) watched.delete(request);
      else if (isSlow(request, body, now)) {
        watched.delete(request);
        onSlow(request);
      }
    }
  }, pace.checkEveryMs);
  timer.unref();

  return {
    watch(request: IncomingMessage, response: ServerResponse): void {
      if (!hasUnreadBody(request)) return;
      const now = Date.now();
      const bytesAtWindowStart = request.socket.bytesRead;
      watched.set(request, { startedAt: now, response, windowStartedAt: now, bytesAtWindowStart });
      response.once('close', () => watched.delete(request));
    },
    close: () => clearInterval(timer),
  };
}

/**
 * Closes a connection after `stallMs` without progress while an answer is sent: a client that does not read holds a
 * file, a buffer and a socket. A slow reader is not affected.
 */
export function addStallGuard(app: Pick<App, 'addHook'>, stallMs = 60_000): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.raw.setTimeout(stallMs); // after the answer, the keep-alive timeout replaces it
    done(null, payload);
  });
}

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
