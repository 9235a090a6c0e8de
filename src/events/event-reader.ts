import type { Listener } from '../database/listener.ts';
import { withinAnswerTime } from '../database/row-loader.ts';
import type { Database } from '../database/tables/tables.ts';
import { asServerSent, orderEvents, readEventLog, readEvents, type StoredEvent } from './event-log.ts';
import type { EventPlace } from './event-schema.ts';
import { ignore } from '../lib/concurrency/promises.ts';
import { createShareNext } from '../lib/concurrency/single-flight.ts';

/** The channel on which the database announces new events. */
const channel = 'event_news';
const mostRecent = 2000;
const pageSize = 500;
const answerMs = 5000;

/** A recent event, shared by all listeners. */
interface RecentEvent extends StoredEvent {
  readonly block: string;
}

interface EventReaderOptions {
  readonly db: Database;
  readonly listener: Listener;
  /** Returns whether there are listeners, or some are about to be added. */
  readonly isHeard: () => boolean;
  readonly isWanted: () => boolean;
  /** Called after new events have been read. */
  readonly onEvents: () => void;
  /** The interval at which the database is polled, in case a notification was lost. */
  readonly sweepMs: number;
}

/** Reads events once for all listeners of this process, and keeps the newest ones for returning clients. */
export function createEventReader({
  db,
  listener,
  isHeard,
  isWanted,
  onEvents,
  sweepMs,
}: EventReaderOptions) {
  const share = createShareNext<void>(answerMs);
  let recent: RecentEvent[] = [];
  let log = { epoch: '', last: 0, forgotten: 0 };
  /** All events up to this position have been read. */
  let head = 0;

  /** The current read: a second one at the same time would read events twice. */
  let reading = Promise.resolve();

  async function readInTurn(): Promise<void> {
    reading = reading.catch(ignore).then(read);
    await reading;
  }

  async function read(): Promise<void> {
    await orderEvents(db);
    const now = await readEventLog(db);
    const isOther = now.epoch !== log.epoch;
    log = now;
    // Listeners that need older events read them from the table.
    if (isOther || (!isHeard() && now.last - head > mostRecent)) {
      recent = [];
      head = Math.max(now.last - mostRecent, now.forgotten, 0);
    }
    for (;;) {
      const page = await readEvents(db, { after: head, most: pageSize });
      for (const event of page) recent.push({ ...event, block: asServerSent(log.epoch, event) });
      if (recent.length > mostRecent) recent = recent.slice(-mostRecent);
      head = page.at(-1)?.position ?? head;
      if (page.length > 0) onEvents();
      if (page.length < pageSize) return;
    }
  }

  const refresh = async (): Promise<void> =>
    await share('', async () => await withinAnswerTime(readInTurn()));
  // If the database is unavailable, the next sweep or the next listener detects it.
  const refreshWanted = (): void => void (isWanted() && refresh().catch(() => undefined));
  const sweeping = setInterval(refreshWanted, sweepMs);
  const subscription = listener.subscribe(channel, refreshWanted, refreshWanted);

  return {
    /** Reads all events that were committed before the call. @throws the error of the database when it is unavailable. */
    refresh,
    /** The position up to which all events have been read. */
    head: (): number => head,
    /** The place before all stored events. */
    oldest: (): EventPlace => ({ epoch: log.epoch, position: log.forgotten }),
    placeOf: (position: number): EventPlace => ({ epoch: log.epoch, position }),
    /** Returns whether all events after this place are still stored. */
    canResume: ({ epoch, position }: EventPlace): boolean =>
      epoch === log.epoch && position >= log.forgotten && position <= log.last,
    /** Returns the events after a position, in order; undefined when some of them are no longer kept here. */
    after(position: number): readonly RecentEvent[] | undefined {
      if (position >= head) return [];
      const [first] = recent;
      return first === undefined || position < first.position - 1
        ? undefined
        : recent.slice(position - first.position + 1);
    },
    async close(): Promise<void> {
      clearInterval(sweeping);
      await subscription.close();
    },
  };
}
