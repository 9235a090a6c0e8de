import { sql } from 'kysely';
import { createCache } from '../../lib/cache.ts';
import type { Listener } from '../../database/listener.ts';
import { subscribeToStatusNews } from '../../database/news.ts';
import type { Database } from '../../database/tables.ts';
import { freshestFirst } from '../../datasets/queries.ts';
import { datasetProblems } from '../../messages/datasets.ts';

/**
 * Creates a reader of which raster a map of a group shows, for one process: the freshest that is ready, or the freshest of a day. It is
 * kept for up to a second, and forgotten when a status changes anywhere.
 */
export function createDrawnGroups({ db, listener }: { readonly db: Database; readonly listener: Listener }) {
  const members = createCache<string | undefined>({
    max: maxKept,
    ttlMs: keepMs,
    isLasting: (id) => id !== undefined,
  });
  const forgetAll = () => members.forgetAll();
  const subscription = subscribeToStatusNews(listener, forgetAll, forgetAll);
  return {
    /** Returns the id of the dataset that a map of a group shows. @throws {Problem} `not_found` */
    async memberOf(groupId: string, date?: string): Promise<string> {
      const member = await members.get(
        `${groupId} ${date ?? ''}`,
        async () => await readMember(db, groupId, date),
      );
      if (member === undefined) throw datasetProblems.noneFreshest();
      return member;
    },
    /** Lists the days for which a group has a raster, in order; at most `maxDates`, the newest ones. */
    datesOf: async (groupId: string) => await readDates(db, groupId),
    forgetAll,
    close: subscription.close,
  };
}

const dateOf = sql<string | null>`coalesce(end_date, start_date)`;
const maxDates = 1000;
const keepMs = 1000;
const maxKept = 1000;

async function readMember(db: Database, groupId: string, date: string | undefined) {
  const ready = db
    .selectFrom('datasets')
    .select('id')
    .where('dg_id', '=', groupId)
    .where('file_type', '=', 'raster')
    .where('status', '=', 'ready');
  const matching = date === undefined ? ready : ready.where(dateOf, '=', date);
  return (await matching.orderBy(freshestFirst).limit(1).executeTakeFirst())?.id;
}

async function readDates(db: Database, groupId: string): Promise<readonly string[]> {
  const found = await db
    .selectFrom('datasets')
    .select(dateOf.as('date'))
    .distinct()
    .where('dg_id', '=', groupId)
    .where('file_type', '=', 'raster')
    .where('status', '=', 'ready')
    .where(dateOf, 'is not', null)
    .orderBy('date', 'desc')
    .limit(maxDates)
    .execute();
  return found.flatMap(({ date }) => date ?? []).toReversed();
}
