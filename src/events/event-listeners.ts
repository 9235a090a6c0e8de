import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Listener } from '../database/listener.ts';
import type { Database } from '../database/tables/tables.ts';
import { asServerSent, isWanted, readEvents } from './event-log.ts';
import { type EventFilter, type EventPlace, writePlace } from './event-schema.ts';
import { createLimiter } from '../lib/concurrency/limiter.ts';
import { KiB } from '../lib/units.ts';
import { eventProblems } from '../messages/events.ts';
import { createEventReader } from './event-reader.ts';

/** A comment comes at least as often, so that proxies and clients know that the stream is alive. */
const heartbeatSeconds = 15;
const retryMs = 2000;
/** Those who have to come again do so within this time, and not all at once. */
const returnWithinMs = 5000;
const stallMs = 60_000;
const mostWritten = 256 * KiB;
const pageSize = 200;
/** Reads of older events at once. */
const olderAtOnce = 2;

interface EventListenersOptions {
  readonly db: Database;
  readonly listener: Listener;
  readonly draining: AbortSignal;
  /** Above it clients are refused. */
  readonly maxListeners?: number;
  readonly sweepMs?: number;
}

/** What a client asks for. */
interface Listening {
  /** The place that the client knows; `oldest`: before all that is kept; undefined: it wants to know what comes from now on. */
  readonly after: EventPlace | 'oldest' | undefined;
  readonly filter: EventFilter;
  /** After this time the stream ends, and the client comes again with its credentials of then. */
  readonly waitSeconds: number;
}

interface EventListener {
  readonly filter: EventFilter;
  readonly answer: ServerResponse;
  readonly endsAtMs: number;
  /** In which second of each heartbeat it has its turn. */
  readonly turn: number;
  /** Everything up to here was written, or is not wanted. */
  position: number;
  /** The last place that the client was told. */
  told: number;
  /** It takes nothing now, or reads what is older. */
  isBusy: boolean;
}

export type EventListeners = ReturnType<typeof createEventListeners>;

/** Streams of events. They hold no database connection: one LISTEN, one reader and one timer serve them all. */
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

  /** Writes what is new to one who takes it; the rest waits in the reader or in the table, never here. */
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

  /** Reads from the table what the reader does not keep any more. */
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
      one.answer.end(); // the database is away: the client comes again, with the last place that it has
    }
  }

  function beat(): void {
    seconds += 1;
    const now = performance.now();
    for (const one of listeners) {
      if (one.isBusy) continue;
      if (one.endsAtMs <= now) one.answer.end();
      else if (one.turn === seconds % heartbeatSeconds) {
        // A place without an event: what the client does not want makes its place old all the same.
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
    /** Clients that listen now. */
    count: (): number => listeners.size,
    /** Answers with a stream, which goes on when this resolves. @throws {Problem} `busy`, and what the database throws when it is away. */
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
      answer.setTimeout(stallMs); // of a client that takes nothing; what is alive has a heartbeat
      // All at once: headers that are set one by one are kept as long as the stream, which takes more memory than its listener.
      answer.writeHead(200, {
        ...Object.fromEntries(
          Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value]],
          ),
        ),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no', // else nginx keeps events until a buffer is full
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

/** Returns the event by which a client learns that others may be missing: it reads again what it shows. */
function resetAt(place: EventPlace): string {
  return `id: ${writePlace(place)}\nevent: reset\ndata: {"type":"reset","timestamp":"${new Date().toISOString()}","data":{}}\n\n`;
}

async function drained(answer: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  answer.once('drain', resolve).once('close', resolve);
  await promise;
  answer.off('drain', resolve).off('close', resolve);
}
