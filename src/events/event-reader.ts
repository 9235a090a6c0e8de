import type { Listener } from '../database/listener.ts';
import { withinAnswerTime } from '../database/row-loader.ts';
import type { Database } from '../database/tables/tables.ts';
import { asServerSent, orderEvents, readEventLog, readEvents, type StoredEvent } from './event-log.ts';
import type { EventPlace } from './event-schema.ts';
import { ignore } from '../lib/concurrency/promises.ts';
import { createShareNext } from '../lib/concurrency/single-flight.ts';

/** The channel on which the database says that there is something to tell. */
const channel = 'event_news';
const mostRecent = 2000;
const pageSize = 500;
const answerMs = 5000;

/** An event as all who listen get it. */
interface RecentEvent extends StoredEvent {
  readonly block: string;
}

interface EventReaderOptions {
  readonly db: Database;
  readonly listener: Listener;
  /** Whether anyone listens, and whether anyone is about to. */
  readonly isHeard: () => boolean;
  readonly isWanted: () => boolean;
  /** Called when there are more events. */
  readonly onEvents: () => void;
  /** The interval at which the database is asked for what a lost notification would have told. */
  readonly sweepMs: number;
}

/** Reads events once for all who listen in this process, and keeps the newest ones for those who come again. */
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
  /** All events up to here were read. */
  let head = 0;

  /** The read under way: a second one beside it would take events twice. */
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
    // What is older is read from the table by those who ask for it.
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
  // The next sweep, or the next who comes, finds out when the database is away.
  const refreshWanted = (): void => void (isWanted() && refresh().catch(() => undefined));
  const sweeping = setInterval(refreshWanted, sweepMs);
  const subscription = listener.subscribe(channel, refreshWanted, refreshWanted);

  return {
    /** Reads all that was committed before the call. @throws what the database throws when it is away. */
    refresh,
    /** The place up to which all events were read. */
    head: (): number => head,
    /** The place before all events that are kept. */
    oldest: (): EventPlace => ({ epoch: log.epoch, position: log.forgotten }),
    placeOf: (position: number): EventPlace => ({ epoch: log.epoch, position }),
    /** Whether nothing that came behind this place is forgotten. */
    canResume: ({ epoch, position }: EventPlace): boolean =>
      epoch === log.epoch && position >= log.forgotten && position <= log.last,
    /** The events behind a place, in their order; undefined where some of them are not kept here. */
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
