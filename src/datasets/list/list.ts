import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Page, Slice } from '../../database/page.ts';
import type { Database } from '../../database/tables/tables.ts';
import { boundedRead } from '../../database/transaction.ts';
import { keptDaysOf, keptTotalOf } from './counts.ts';
import { type DatasetKey, writeCursor } from './cursor.ts';
import { conditionOf, type DatasetFilter, partsOf } from '../filter.ts';
import { type DatasetSummary, summaryColumns, type SummaryRow, toDatasetSummary } from '../schema.ts';

/** Maximum number of rows that are skipped one by one, with all their data. */
const nearOffset = 1000;

/** A page of a list of datasets, by the number of rows before it or by the row before it. */
export interface DatasetSlice extends Slice {
  readonly after?: DatasetKey | undefined;
}

export interface DatasetPage extends Page<DatasetSummary> {
  /** Position of the last row, if others follow. */
  readonly next: string | undefined;
}

interface Asked {
  readonly filter: DatasetFilter;
  readonly slice: DatasetSlice;
}

/**
 * Returns one page of the matching datasets, newest first, and the total number, in one snapshot, so that both agree while rows change.
 * @throws {Problem} `busy` if it takes longer than a second.
 */
export async function listDatasets(
  db: Database,
  filter: DatasetFilter,
  slice: DatasetSlice,
): Promise<DatasetPage> {
  const asked = { filter, slice };
  const { hasText, hasDates } = partsOf(filter);
  const isFar = slice.after === undefined && slice.offset > nearOffset;
  if (!isFar && !hasText && !hasDates) return await readNear(db, asked);
  return await boundedRead(db, async (trx) =>
    isFar ? await readFar(trx, asked) : await readNear(trx, asked),
  );
}

type Found = Partial<SummaryRow> & { readonly total: number };

/**
 * Reads total and page in one statement. With a stored total, it skips the rows if there are none; without one, it
 * scans the rows once for both. One extra row shows if others follow.
 */
async function readNear(db: Database, { filter, slice }: Asked): Promise<DatasetPage> {
  const { limit, after } = slice;
  const offset = after === undefined ? slice.offset : 0;
  const kept = keptTotalOf(filter);
  const source =
    kept === undefined
      ? sql`matching as materialized (select id, created_at from datasets where ${conditionOf(filter)}),
          counted as (select count(*) as total from matching)`
      : sql`counted as (select ${kept} as total)`;
  const isMatching = kept === undefined ? sql`true` : conditionOf(filter);
  const { rows } = await sql<Found>`
    with ${source} select counted.total, page.* from counted left join lateral (
      select ${columns} from datasets join (
        select id as matching_id from ${sql.table(kept === undefined ? 'matching' : 'datasets')}
        where counted.total > ${offset}::bigint and ${isMatching} and ${behind(after)}
        order by created_at desc, id limit ${limit + 1} offset ${offset}
      ) found on id = matching_id
    ) page on true order by page.created_at desc, page.id`.execute(db);
  const found = rows.flatMap((row) => (isRow(row) ? [row] : []));
  return pageOf(found.slice(0, limit), { total: rows[0]?.total ?? 0, isLast: found.length <= limit });
}

/** Start of a walk along an index to a page, and the number of rows that it skips. */
interface Walk {
  readonly from: RawBuilder<SqlBool>;
  readonly skipped: number;
}

/** The total, and the walks to the page from newer and from older rows. */
interface FarPlace {
  readonly total: number;
  readonly fromNewer: Walk;
  readonly fromOlder: Walk;
}

/** Reads a distant page: its ids from an index, along the shorter walk. */
async function readFar(trx: Database, asked: Asked): Promise<DatasetPage> {
  const { filter, slice } = asked;
  const { total, fromNewer, fromOlder } = (await placeByDays(trx, asked)) ?? (await placeByRows(trx, asked));
  const limit = Math.min(slice.limit, total - slice.offset);
  if (limit <= 0) return { rows: [], total, next: undefined };
  const isOlderNearer = fromOlder.skipped < fromNewer.skipped;
  const { from, skipped } = isOlderNearer ? fromOlder : fromNewer;
  const { rows } = await sql<SummaryRow>`
    select ${columns} from datasets where id in (
      select id from datasets where ${conditionOf(filter)} and ${from}
      order by ${isOlderNearer ? sql`created_at, id desc` : sql`created_at desc, id`} limit ${limit} offset ${skipped}
    ) order by created_at desc, id`.execute(trx);
  return pageOf(rows, { total, isLast: slice.offset + limit === total });
}

/** Returns the walks from both ends of the list. */
async function placeByRows(trx: Database, { filter, slice }: Asked): Promise<FarPlace> {
  const { rows } = await sql<{ total: number }>`select
    ${keptTotalOf(filter) ?? sql`(select count(*) from datasets where ${conditionOf(filter)})`} as total`.execute(
    trx,
  );
  const total = rows[0]?.total ?? 0;
  const left = Math.max(0, total - slice.offset - slice.limit);
  return {
    total,
    fromNewer: { from: sql`true`, skipped: slice.offset },
    fromOlder: { from: sql`true`, skipped: left },
  };
}

/** Returns the walks from the ends of the days of the first and last row of the page; undefined if the counts have no days. */
async function placeByDays(trx: Database, { filter, slice }: Asked): Promise<FarPlace | undefined> {
  const days = keptDaysOf(filter);
  if (days === undefined) return undefined;
  const { offset } = slice;
  const end = sql`least(${offset}::bigint + ${slice.limit}, total)`;
  const { rows } = await sql<{
    total: number;
    newer: Date | null;
    past_newer: number;
    older: Date | null;
    past_older: number;
  }>`
    with days as materialized (
      select created_on, datasets, sum(datasets) over (order by created_on desc)::bigint as upto from ${days} counted
    ), counted as (select coalesce(max(upto), 0) as total from days)
    select total, (first.created_on + 1)::timestamp at time zone 'UTC' as newer, ${offset}::bigint - (first.upto - first.datasets) as past_newer,
      last.created_on::timestamp at time zone 'UTC' as older, last.upto - ${end} as past_older
    from counted
      left join lateral (select * from days where upto > ${offset}::bigint order by created_on desc limit 1) first on true
      left join lateral (select * from days where upto >= ${end} order by created_on desc limit 1) last on true`.execute(
    trx,
  );
  const [found] = rows;
  return {
    total: found?.total ?? 0,
    fromNewer: { from: sql`created_at < ${found?.newer}`, skipped: found?.past_newer ?? 0 },
    fromOlder: { from: sql`created_at >= ${found?.older}`, skipped: found?.past_older ?? 0 },
  };
}

const columns = sql.join(summaryColumns.map((name) => sql.ref(name)));

function behind(after: DatasetKey | undefined): RawBuilder<SqlBool> {
  if (after === undefined) return sql`true`;
  // The first comparison is the start of the index scan.
  return sql`(created_at <= ${after.created_at} and (created_at < ${after.created_at} or id > ${after.id}))`;
}

function isRow(row: Found): row is SummaryRow & Found {
  return typeof row.id === 'string';
}

function pageOf(
  rows: readonly SummaryRow[],
  { total, isLast }: { readonly total: number; readonly isLast: boolean },
): DatasetPage {
  const last = rows.at(-1);
  const next = isLast || last === undefined ? undefined : writeCursor(last);
  return { rows: rows.map(toDatasetSummary), total, next };
}
