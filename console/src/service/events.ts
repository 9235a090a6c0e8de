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
const beginAfterMs = 1000;
/** A stream without data for this time is dead or buffered by a proxy; the first data arrives at once. */
const firstWordMs = 5000;
const silenceMs = 40_000;
/** Time until the next attempt; until then the page polls. */
const againAfterMs = 60_000;
const backAfterMs = 1000;

const hearers = new Set<(event: ServiceEvent) => void>();
/** True while events arrive. Otherwise, parts of the page that show changing data have to poll. */
export const isHearing = signal(false);
let isKept = false;
let current: AbortController | undefined;
/** The id of the last event. */
let place = '';

/**
 * Calls `hear` for each event until the returned function is called. The page has one shared stream, open while the
 * page is visible and has listeners.
 */
export function hearEvents(hear: (event: ServiceEvent) => void): () => void {
  hearers.add(hear);
  void keepStream();
  return () => void hearers.delete(hear);
}

/** Resolves at the next matching event, when events end, after this time, or when `left` aborts. */
export async function nextEvent(
  isAbout: (event: ServiceEvent) => boolean,
  { atMostMs, left }: { readonly atMostMs: number; readonly left?: AbortSignal },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = hearEvents((event) => {
    if (event.type === 'reset' || isAbout(event)) resolve();
  });
  const unsubscribe = isHearing.subscribe((isAlive) => {
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

const isWanted = (): boolean => hearers.size > 0 && document.visibilityState === 'visible';
const pause = async (ms: number): Promise<void> => await new Promise((resolve) => setTimeout(resolve, ms));

async function keepStream(): Promise<void> {
  if (isKept) return;
  isKept = true;
  await pause(beginAfterMs);
  while (isWanted() && may('data:read')) {
    const wasHeard = await listen().catch(() => false);
    isHearing.value = false;
    if (isWanted()) await pause(wasHeard ? backAfterMs : againAfterMs);
  }
  isKept = false;
}

// A browser limits connections to a service, so a hidden page closes its own.
globalThis.document?.addEventListener('visibilitychange', () => {
  if (!isWanted()) current?.abort();
  else void keepStream();
});

/** Reads one stream to its end; returns true if it had any data. */
async function listen(): Promise<boolean> {
  const ended = new AbortController();
  current = ended;
  let timer = setTimeout(() => ended.abort(), firstWordMs);
  let wasHeard = false;
  try {
    const token = authorization();
    const headers = new Headers({ accept: 'text/event-stream', 'accept-language': language() });
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (place !== '') headers.set('last-event-id', place);
    const { ok, body } = await fetch('./events', { headers, signal: ended.signal, cache: 'no-store' });
    if (!ok || body === null) return false;
    const read = createSentEvents();
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return wasHeard;
      clearTimeout(timer);
      timer = setTimeout(() => ended.abort(), silenceMs);
      wasHeard = true;
      isHearing.value = true;
      for (const event of read(value)) {
        if (event.id !== '') place = event.id;
        if (event.data !== '') tell(JSON.parse(event.data));
      }
      if (!isWanted()) ended.abort();
    }
  } catch {
    return wasHeard; // the next stream begins after the last event
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

function tell({ type, data }: { readonly type: string; readonly data: object }): void {
  for (const hear of hearers) hear({ ...data, type });
}
