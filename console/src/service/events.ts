import { signal } from '@preact/signals';
import { language } from '../words/words.ts';
import { may } from './capabilities.ts';
import { createSentEvents } from './server-sent.ts';
import { authorization } from './token.ts';

/** An event of a dataset or a run. `reset` only means that events were missed. */
export interface ServiceEvent {
  readonly type: string;
  readonly dataset_id?: string;
  readonly run_id?: string;
}

/** Delay of the stream, so that the first requests of the page go first. */
const startDelayMs = 1000;
/** A stream without data for this time is dead or buffered by a proxy; the first data arrives at once. */
const firstDataMs = 5000;
const idleMs = 40_000;
/** Time until the next attempt; until then the page polls. */
const retryMs = 60_000;
const reconnectMs = 1000;

const listeners = new Set<(event: ServiceEvent) => void>();
/** True while events arrive. Otherwise, parts of the page that show changing data have to poll. */
export const hasEvents = signal(false);
let isRunning = false;
let current: AbortController | undefined;
/** The id of the last event. */
let lastEventId = '';

/**
 * Calls `hear` for each event until the returned function is called. The page has one shared stream, open while the
 * page is visible and has listeners.
 */
export function listenToEvents(listener: (event: ServiceEvent) => void): () => void {
  listeners.add(listener);
  void runStream();
  return () => void listeners.delete(listener);
}

/** Resolves at the next matching event, when events end, after this time, or when `left` aborts. */
export async function nextEvent(
  isAbout: (event: ServiceEvent) => boolean,
  { atMostMs, left }: { readonly atMostMs: number; readonly left?: AbortSignal },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = listenToEvents((event) => {
    if (event.type === 'reset' || isAbout(event)) resolve();
  });
  const unsubscribe = hasEvents.subscribe((isAlive) => {
    if (!isAlive) resolve();
  });
  const timer = setTimeout(resolve, atMostMs);
  const leave = (): void => resolve();
  left?.addEventListener('abort', leave);
  await promise;
  left?.removeEventListener('abort', leave);
  clearTimeout(timer);
  unsubscribe();
  stop();
}

const isWanted = (): boolean => listeners.size > 0 && document.visibilityState === 'visible';
const pause = async (ms: number): Promise<void> => await new Promise((resolve) => setTimeout(resolve, ms));

async function runStream(): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  await pause(startDelayMs);
  while (isWanted() && may('data:read')) {
    const hadData = await listen().catch(() => false);
    hasEvents.value = false;
    if (isWanted()) await pause(hadData ? reconnectMs : retryMs);
  }
  isRunning = false;
}

// A browser limits connections to a service, so a hidden page closes its own.
globalThis.document?.addEventListener('visibilitychange', () => {
  if (!isWanted()) current?.abort();
  else void runStream();
});

/** Reads one stream to its end; returns true if it had any data. */
async function listen(): Promise<boolean> {
  const ended = new AbortController();
  current = ended;
  let timer = setTimeout(() => ended.abort(), firstDataMs);
  let hadData = false;
  try {
    const token = authorization();
    const headers = new Headers({ accept: 'text/event-stream', 'accept-language': language() });
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (lastEventId !== '') headers.set('last-event-id', lastEventId);
    const { ok, body } = await fetch('./events', { headers, signal: ended.signal, cache: 'no-store' });
    if (!ok || body === null) return false;
    const read = createSentEvents();
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return hadData;
      clearTimeout(timer);
      timer = setTimeout(() => ended.abort(), idleMs);
      hadData = true;
      hasEvents.value = true;
      for (const event of read(value)) {
        if (event.id !== '') lastEventId = event.id;
        if (event.data !== '') dispatch(JSON.parse(event.data));
      }
      if (!isWanted()) ended.abort();
    }
  } catch {
    return hadData; // the next stream begins after the last event
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

function dispatch({ type, data }: { readonly type: string; readonly data: object }): void {
  for (const listener of listeners) listener({ ...data, type });
}
