import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Page, Slice } from '../database/page.ts';
import type { Database } from '../database/tables.ts';
import { sqlState } from '../database/transaction.ts';
import { requestProblems } from '../messages/request.ts';
import { keptTotalOf } from './counts.ts';
import { type DatasetKey, writeCursor } from './cursor.ts';
import { conditionOf, type DatasetFilter, partsOf } from './filter.ts';
import { type DatasetSummary, summaryColumns, type SummaryRow, toDatasetSummary } from './schema.ts';

/** Rows that are skipped one by one, with all that they hold. */
const nearOffset = 1000;
const boundMs = 1000;
const queryCanceled = '57014';

/** Which page of a list of datasets: by the number of rows before it, or by the row before it. */
export interface DatasetSlice extends Slice {
  readonly after?: DatasetKey | undefined;
}

export interface DatasetPage extends Page<DatasetSummary> {
  /** The place of the last row, where others follow. */
  readonly next: string | undefined;
}

interface Asked {
  readonly filter: DatasetFilter;
  readonly slice: DatasetSlice;
}

/**
 * Lists one page of the datasets that match, newest first, and how many match in all: in one snapshot, so that they agree while rows come and go.
 * @throws {Problem} `busy` where it would take longer than a second.
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

/** A failure of the time limit leaves nothing behind: the transaction only reads. */
async function boundedRead<T>(db: Database, read: (trx: Database) => Promise<T>): Promise<T> {
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        await sql`set local statement_timeout = ${sql.lit(boundMs)}`.execute(trx);
        return await read(trx);
      });
  } catch (error) {
    throw sqlState(error) === queryCanceled ? requestProblems.listTooLong().because(error) : error;
  }
}

type Found = Partial<SummaryRow> & { readonly total: number };

/**
 * Reads total and page in one statement. With a kept total it looks for no row where that says that there is none; without one it looks through
 * the rows once for both. One row more tells whether others follow.
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

/** Reads a page that lies far back: its ids by an index, from the end of the list that is nearer. */
async function readFar(trx: Database, { filter, slice }: Asked): Promise<DatasetPage> {
  const counted = await sql<{ total: number }>`select
    ${keptTotalOf(filter) ?? sql`(select count(*) from datasets where ${conditionOf(filter)})`} as total`.execute(
    trx,
  );
  const total = counted.rows[0]?.total ?? 0;
  const limit = Math.min(slice.limit, total - slice.offset);
  if (limit <= 0) return { rows: [], total, next: undefined };
  const left = total - slice.offset - limit;
  const isNearerEnd = left < slice.offset;
  const { rows } = await sql<SummaryRow>`
    select ${columns} from datasets where id in (
      select id from datasets where ${conditionOf(filter)}
      order by ${isNearerEnd ? sql`created_at, id desc` : sql`created_at desc, id`}
      limit ${limit} offset ${isNearerEnd ? left : slice.offset}
    ) order by created_at desc, id`.execute(trx);
  return pageOf(rows, { total, isLast: left === 0 });
}

const columns = sql.join(summaryColumns.map((name) => sql.ref(name)));

function behind(after: DatasetKey | undefined): RawBuilder<SqlBool> {
  if (after === undefined) return sql`true`;
  // The first comparison is where the index begins.
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
