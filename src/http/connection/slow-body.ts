import type { IncomingMessage, ServerResponse } from 'node:http';
import { KiB } from '../../common/units.ts';
import { hasUnreadBody } from '../request/body.ts';

export interface Pace {
  readonly checkEveryMs: number;
  readonly firstByteMs: number;
  readonly windowMs: number;
  readonly minBytesPerWindow: number;
  readonly maxMs: number;
}

const defaultPace: Pace = {
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
 * Cuts bodies that trickle in. A fixed time limit would be wrong both ways: too short for a big honest upload, too long
 * for a client that sends a byte a second to hold a connection.
 */
export function createSlowBodyGuard(onSlow: (request: IncomingMessage) => void, pace: Pace = defaultPace) {
  const watched = new Map<IncomingMessage, Watched>();

  function isSlow(request: IncomingMessage, body: Watched, now: number): boolean {
    if (now - body.startedAt > pace.maxMs) return true;
    const hasBegun = request.readableDidRead || request.readableLength > 0;
    if (!hasBegun && now - body.startedAt > pace.firstByteMs) return true;
    if (now - body.windowStartedAt < pace.windowMs) return false;
    const received = request.socket.bytesRead - body.bytesAtWindowStart;
    // When our own buffer is full it is we who are slow.
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
    close(): void {
      clearInterval(timer);
    },
  };
}
