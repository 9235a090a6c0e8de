import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Database } from '../database/tables/tables.ts';
import { boundedRead } from '../database/transaction.ts';
import type { Box } from '../standards/boxes.ts';
import type { Filter } from '../standards/cql2/filter.ts';
import type { Shape } from '../standards/shapes.ts';
import type { Interval } from '../standards/times.ts';
import { filterSql, inTime } from './filter-sql.ts';
import { behindSql, orderOf, orderSql, placeSql, readToken, type Sort, writeToken } from './order.ts';
import { inBoxes, inShape, nearBoxes } from './place-sql.ts';
import { categoryPrefix, joinsSql } from './queryables.ts';

/** The conditions of a search; all of them must be met. */
export interface Search {
  readonly ids?: readonly string[] | undefined;
  readonly collections?: readonly string[] | undefined;
  readonly boxes?: readonly Box[] | undefined;
  readonly shape?: Shape | undefined;
  readonly interval?: Interval | undefined;
  readonly filter?: Filter | undefined;
  readonly sorts?: readonly Sort[] | undefined;
  readonly limit: number;
  readonly token?: string | undefined;
}

interface FoundPage {
  readonly ids: readonly string[];
  /** The place after the page; undefined on the last page. */
  readonly next: string | undefined;
  /** The number of datasets on all pages; undefined if too many would have to be examined. */
  readonly matched: number | undefined;
}

type Condition = RawBuilder<SqlBool>;
interface Found {
  readonly id: string;
  readonly place: readonly string[];
}

/**
 * Up to this number, the datasets of a collection, a box and a time are sorted; for more, the index of the order is read until a page is
 * full.
 */
const few = 2000;

/**
 * Finds the ids of one page of ready datasets, by default the newest first.
 * @throws {Problem} `malformed` for a token of another search, `busy` if it takes longer than a second
 */
export async function searchDatasets(db: Database, search: Search): Promise<FoundPage> {
  const order = orderOf(search.sorts ?? []);
  const after =
    search.token === undefined ? sql<SqlBool>`true` : behindSql(order, readToken(order, search.token));
  const where = whereOf(search, inBoxes);
  const near = whereOf(search, nearBoxes);
  const rest = all(restOf(search));
  const { rows, counted } = await boundedRead(db, async (trx) => {
    // The planner uses a constant estimate for boxes and ranges, by which it would prefer a sequential scan.
    await sql`set local enable_seqscan = off`.execute(trx);
    const isFew = (await countFew(trx, near ?? sql`true`)) <= few;
    // An index of the order would examine all datasets for few matches; a spatial index may find too many to sort.
    const source =
      isFew && near !== undefined
        ? sql`(select * from datasets d where d.status = 'ready' and ${where} offset 0) d`
        : sql`(select * from datasets d where d.status = 'ready' and ${where ?? sql`true`}) d`;
    const { rows: found } = await sql<Found>`
      select d.id, ${placeSql(order)} as place from ${source} ${joinsSql}
      where ${rest} and ${after} order by ${orderSql(order)} limit ${search.limit + 1}`.execute(trx);
    const isOnlyPage = search.token === undefined && found.length <= search.limit;
    if (isOnlyPage || !isFew) return { rows: found, counted: isOnlyPage ? found.length : undefined };
    const { rows: counts } = await sql<{ count: number }>`
      select count(*)::integer as count from ${source} ${joinsSql} where ${rest}`.execute(trx);
    return { rows: found, counted: counts[0]?.count };
  });
  const page = rows.slice(0, search.limit);
  const last = page.at(-1);
  const next = rows.length > page.length && last !== undefined ? writeToken(order, last.place) : undefined;
  return { ids: page.map(({ id }) => id), next, matched: counted };
}

/** Returns the conditions that use an index: places, periods and collections. */
function whereOf(
  { collections, boxes, shape, interval }: Search,
  inPlaces: (boxes: readonly Box[]) => Condition,
): Condition | undefined {
  const conditions = [
    ...(collections === undefined ? [] : [inCollections(collections)]),
    ...(boxes === undefined ? [] : [inPlaces(boxes)]),
    ...(shape === undefined ? [] : [inShape(shape)]),
    ...(interval === undefined ? [] : [inTime(interval)]),
  ];
  return conditions.length === 0 ? undefined : all(conditions);
}

function restOf({ ids, filter }: Search): Condition[] {
  return [
    ...(ids === undefined ? [] : [sql<SqlBool>`d.id = any(${ids}::uuid[])`]),
    ...(filter === undefined ? [] : [filterSql(filter)]),
  ];
}

/** Compares ids, which are looked up once per code, so that an index can be used. */
function inCollections(codes: readonly string[]): Condition {
  const categories = codes
    .filter((code) => code.startsWith(categoryPrefix))
    .map((code) => code.slice(categoryPrefix.length));
  const groups = codes.filter((code) => !code.startsWith(categoryPrefix));
  const parts = [
    ...(groups.length === 0
      ? []
      : [
          sql<SqlBool>`d.dg_id = any(array(select id from dataset_groups where code = any(${groups}::text[])))`,
        ]),
    ...(categories.length === 0
      ? []
      : [
          sql<SqlBool>`(d.dg_id is null and d.category_id = any(array(select id from categories where code = any(${categories}::text[]))))`,
        ]),
  ];
  return parts.length === 0 ? sql`false` : sql`(${sql.join(parts, sql` or `)})`;
}

async function countFew(trx: Database, where: Condition): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (
    select from datasets d where d.status = 'ready' and ${where} limit ${few + 1}) matching`.execute(trx);
  return rows[0]?.count ?? 0;
}

function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}
