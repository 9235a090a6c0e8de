import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Listener } from '../database/listener.ts';
import type { Database } from '../database/tables/tables.ts';
import { asServerSent, isWanted, readEvents } from './event-log.ts';
import { type EventFilter, type EventPlace, writePlace } from './event-schema.ts';
import { createLimiter } from '../lib/concurrency/limiter.ts';
import { KiB } from '../lib/units.ts';
import { eventProblems } from '../messages/standards/english.ts';
import { createEventReader } from './event-reader.ts';

/** The maximum time between two comments of a stream, so that proxies and clients know that it is alive. */
const heartbeatSeconds = 15;
const retryMs = 2000;
/** The period over which returning clients are spread. */
const returnWithinMs = 5000;
const stallMs = 60_000;
const mostWritten = 256 * KiB;
const pageSize = 200;
/** The number of reads of older events at once. */
const olderAtOnce = 2;

interface EventListenersOptions {
  readonly db: Database;
  readonly listener: Listener;
  readonly draining: AbortSignal;
  /** Further clients are refused. */
  readonly maxListeners?: number;
  readonly sweepMs?: number;
}

/** The request of a client. */
interface Listening {
  /** The place that the client knows; `oldest`: before all stored events; undefined: only future events are wanted. */
  readonly after: EventPlace | 'oldest' | undefined;
  readonly filter: EventFilter;
  /** The time after which the stream ends, so that the client reconnects with its current credentials. */
  readonly waitSeconds: number;
}

interface EventListener {
  readonly filter: EventFilter;
  readonly answer: ServerResponse;
  readonly endsAtMs: number;
  /** The second within each heartbeat interval at which this listener is served. */
  readonly turn: number;
  /** All events up to this position have been written, or are not wanted. */
  position: number;
  /** The last place that was sent to the client. */
  told: number;
  /** True while the client accepts no data, or older events are being read for it. */
  isBusy: boolean;
}

export type EventListeners = ReturnType<typeof createEventListeners>;

/** Creates the streams of events. They hold no database connection: one LISTEN, one reader and one timer serve all of them. */
export function createEventListeners(options: EventListenersOptions) {
  const { db, listener, draining, maxListeners = 20_000, sweepMs = 1000 } = options;
  const listeners = new Set<EventListener>();
  const takeTurn = createLimiter(olderAtOnce);
  let seconds = 0;
  let expected = 0;
  const reader = createEventReader({
    db,
    listener,
    sweepMs,
    isHeard: () => listeners.size > 0,
    isWanted: () => listeners.size + expected > 0,
    onEvents() {
      for (const each of listeners) deliver(each);
    },
  });

  /** Writes new events to a listener that accepts data; the others stay in the reader or in the table, not in memory here. */
  function deliver(one: EventListener): void {
    if (one.isBusy || one.answer.destroyed) return;
    const events = reader.after(one.position);
    if (events === undefined) {
      void readOlder(one);
      return;
    }
    let text = '';
    for (const event of events) {
      if (text.length > mostWritten) break;
      one.position = event.position;
      if (!isWanted(event, one.filter)) continue;
      text += event.block;
      one.told = event.position;
    }
    if (text !== '' && !one.answer.write(text)) waitForRoom(one);
    else if (one.position < reader.head()) deliver(one);
    else if (one.endsAtMs <= performance.now()) one.answer.end();
  }

  function waitForRoom(one: EventListener): void {
    one.isBusy = true;
    one.answer.once('drain', () => {
      one.isBusy = false;
      deliver(one);
    });
  }

  /** Reads events from the table that the reader no longer keeps. */
  async function readOlder(one: EventListener): Promise<void> {
    one.isBusy = true;
    try {
      while (!one.answer.destroyed && reader.after(one.position) === undefined) {
        if (!reader.canResume(reader.placeOf(one.position))) {
          one.position = reader.head();
          one.answer.write(resetAt(reader.placeOf(one.position)));
          break;
        }
        const upto = reader.head();
        const page = await takeTurn(
          async () => await readEvents(db, { ...one.filter, after: one.position, upto, most: pageSize }),
        );
        const text = page.map((event) => asServerSent(reader.placeOf(0).epoch, event)).join('');
        one.position = page.length < pageSize ? upto : (page.at(-1)?.position ?? upto);
        one.told = page.at(-1)?.position ?? one.told;
        if (text !== '' && !one.answer.write(text)) await drained(one.answer);
      }
      one.isBusy = false;
      deliver(one);
    } catch {
      one.answer.end(); // the database is unavailable: the client reconnects with its last place
    }
  }

  function beat(): void {
    seconds += 1;
    const now = performance.now();
    for (const one of listeners) {
      if (one.isBusy) continue;
      if (one.endsAtMs <= now) one.answer.end();
      else if (one.turn === seconds % heartbeatSeconds) {
        // A place without an event, because events that the client does not want also make its place old.
        const place = reader.placeOf(one.position);
        if (!one.answer.write(one.told === one.position ? ':\n\n' : `id: ${writePlace(place)}\n\n`))
          waitForRoom(one);
        one.told = one.position;
      }
    }
  }

  function endAll(): void {
    for (const { answer } of listeners)
      answer.end(`retry: ${1000 + Math.floor(Math.random() * returnWithinMs)}\n\n`);
  }

  const beating = setInterval(beat, 1000);
  draining.addEventListener('abort', endAll);

  return {
    /** The number of connected clients. */
    count: (): number => listeners.size,
    /**
     * Answers with a stream, which continues after this resolves.
     * @throws {Problem} `busy`; the error of the database when it is unavailable.
     */
    async listen(request: FastifyRequest, reply: FastifyReply, { after, filter, waitSeconds }: Listening) {
      if (listeners.size + expected >= maxListeners || draining.aborted)
        throw eventProblems.tooManyListeners();
      expected += 1;
      try {
        await reader.refresh();
      } finally {
        expected -= 1;
      }
      const answer = reply.raw;
      reply.hijack();
      answer.setTimeout(stallMs); // timeout of a client that accepts no data; live clients receive heartbeats
      answer.writeHead(200, {
        ...Object.fromEntries(
          Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value]],
          ),
        ),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no', // otherwise nginx holds events back until a buffer is full
      });
      if (request.method === 'HEAD') {
        answer.end();
        return;
      }
      const from = after === 'oldest' ? reader.oldest() : after;
      const isKnown = from !== undefined && reader.canResume(from);
      const position = isKnown ? from.position : reader.head();
      const place = reader.placeOf(position);
      answer.write(
        `retry: ${retryMs}\n${after === undefined || isKnown ? `id: ${writePlace(place)}\n\n` : resetAt(place)}`,
      );
      const one: EventListener = {
        filter,
        answer,
        endsAtMs: performance.now() + waitSeconds * 1000,
        turn: seconds % heartbeatSeconds,
        position,
        told: position,
        isBusy: false,
      };
      listeners.add(one);
      answer.once('close', () => listeners.delete(one));
      if (draining.aborted) answer.end();
      else deliver(one);
    },
    async close(): Promise<void> {
      clearInterval(beating);
      draining.removeEventListener('abort', endAll);
      endAll();
      await reader.close();
    },
  };
}

/** Returns the event that tells a client that events may be missing, so that it must read its data again. */
function resetAt(place: EventPlace): string {
  return `id: ${writePlace(place)}\nevent: reset\ndata: {"type":"reset","timestamp":"${new Date().toISOString()}","data":{}}\n\n`;
}

async function drained(answer: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  answer.once('drain', resolve).once('close', resolve);
  await promise;
  answer.off('drain', resolve).off('close', resolve);
}
