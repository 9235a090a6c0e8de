import { sql } from 'kysely';
import type { Listener } from '../database/listener.ts';
import { createRowLoader } from '../database/row-loader.ts';
import { subscribeToStatusNews, subscribeToStyleNews } from '../database/news.ts';
import { createJobEnds } from '../jobs/job-ends.ts';
import type { Database } from '../database/tables/tables.ts';
import { createCache } from '../../common/cache.ts';
import { filesOfDataset, styleKeyOfDataset } from './files.ts';
import { found } from './queries.ts';
import type { DatasetRow } from './schema.ts';

/** Columns that are needed to send and draw a dataset. */
const columns = [
  'id',
  'name',
  'unit',
  'file_type',
  'status',
  'filename',
  'kato_column',
  'year_columns',
  'view_state',
  'bbox',
  'dg_id',
] as const;

export interface RecentDataset extends Pick<DatasetRow, (typeof columns)[number] | 'files'> {
  /** Key of its own style, otherwise of its group's. */
  readonly sld_key: string | null;
  readonly group_code: string | null;
  /** Statistics of all pixels of the first bands of a raster, null for missing bands; null before they are counted. */
  readonly counted?: readonly (CountedBand | null)[] | null;
}

type CountedBand = Readonly<Record<'min' | 'max' | 'p2' | 'p98', number | null>>;

/** Maximum age of a row that another process has changed, if the notification is lost. */
const keepMs = 1000;
const maxKept = 1000;

export type RecentDatasets = ReturnType<typeof createRecentDatasets>;

/**
 * Creates a cache of the datasets that are repeatedly sent and drawn, for one process: a map requests dozens of ranges or tiles at once. A
 * ready dataset is cached for up to a second; a deletion or a new style, in any process, invalidates it at once.
 */
export function createRecentDatasets({
  db,
  listener,
}: {
  readonly db: Database;
  readonly listener: Listener;
}) {
  const rows = createCache<RecentDataset | undefined>({
    max: maxKept,
    ttlMs: keepMs,
    isLasting: (row) => row?.status === 'ready' && row.view_state !== 'pending',
  });
  const jobEnds = createJobEnds(listener);
  const load = createRowLoader(async (ids) => await readRows(db, ids));
  const forgetAll = () => rows.forgetAll();
  const subscriptions = [
    jobEnds,
    subscribeToStatusNews(listener, rows.forget, forgetAll),
    subscribeToStyleNews(listener, forgetAll, forgetAll),
  ];
  return {
    /** @throws {Problem} `not_found` */
    read: async (id: string): Promise<RecentDataset> => found(await rows.get(id, async () => await load(id))),
    /** Makes the next request query the database. All entries are dropped before this process answers a change. */
    forget: rows.forget,
    forgetAll,
    /** Waits for the end of a job about a dataset. */
    waitForJob: jobEnds.wait,
    async close(): Promise<void> {
      await Promise.all(subscriptions.map(async (each) => await each.close()));
    },
  };
}

/** Bands of a colour image; a style that draws others names them. */
const firstBands = [0, 1, 2];

const rangesOfBands = sql.join(
  firstBands.map((band) => {
    const each = sql`counts -> 'bands' -> ${sql.lit(band)}`;
    return sql`case when ${each} is not null then jsonb_build_object('min', ${each} -> 'min', 'max', ${each} -> 'max',
      'p2', ${each} -> 'p2', 'p98', ${each} -> 'p98') end`;
  }),
);

const counted = sql<readonly (CountedBand | null)[] | null>`(
  select jsonb_build_array(${rangesOfBands}) from raster_statistics
  where dataset_id = datasets.id and counts is not null)`.as('counted');

async function readRows(db: Database, ids: readonly string[]): Promise<RecentDataset[]> {
  return await db
    .selectFrom('datasets')
    .leftJoin('dataset_groups', 'dataset_groups.id', 'datasets.dg_id')
    .select(columns.map((column) => `datasets.${column}` as const))
    .select([filesOfDataset, styleKeyOfDataset.as('sld_key'), 'dataset_groups.code as group_code', counted])
    .where('datasets.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}
