import type { SelectQueryBuilder } from 'kysely';
import type { Tables } from './tables/tables.ts';

/** Range of rows of an ordered list. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

export interface Page<Item> {
  readonly rows: Item[];
  /** Number of rows on all pages. */
  readonly total: number;
}

/** Reads one page of an ordered query with the total number of rows in one statement, so that both are consistent. */
export async function readPage<Table extends keyof Tables, Row, Item>(
  ordered: SelectQueryBuilder<Tables, Table, Row>,
  { limit, offset }: Slice,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const counted = ordered
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'));
  const rows = await ordered.select(counted.as('total')).limit(limit).offset(offset).execute();
  const [first] = rows;
  if (first !== undefined) return { rows: rows.map(toItem), total: first.total ?? 0 };
  if (offset === 0) return { rows: [], total: 0 };
  // A page past the last one has no row with the total. Rows that were added since lie on no later page.
  const { total } = await counted.executeTakeFirstOrThrow();
  return { rows: [], total: Math.min(total, offset) };
}
