import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { freshestFirst } from '../../catalogue/freshness.ts';
import {
  type DatasetSummary,
  summaryColumns,
  type SummaryRow,
  toDatasetSummary,
} from '../../datasets/schema.ts';
import { graphWordsIn } from './graph-words.ts';
import { randomUUID } from 'node:crypto';

/** The current state of a dataset group of the graph. */
interface GroupState {
  readonly id: string;
  readonly hasStyle: boolean;
  readonly latest: DatasetSummary | null;
}

type GroupRow = { readonly code: string; readonly group_id: string; readonly has_style: boolean } & (
  | { readonly id: null }
  | SummaryRow
);

/** Returns the existing groups of `codes`, by code, each with its freshest dataset: of all datasets, or of the ready rasters. */
export async function readGroups(
  db: Database,
  codes: readonly string[],
  of: 'all datasets' | 'ready rasters',
): Promise<ReadonlyMap<string, GroupState>> {
  const isWanted =
    of === 'all datasets' ? sql`true` : sql`datasets.file_type = 'raster' and datasets.status = 'ready'`;
  const columns = sql.join(summaryColumns.map((column) => sql.ref(`latest.${column}`)));
  const { rows } = await sql<GroupRow>`
    select grp.code, grp.id as group_id, grp.sld_storage_key is not null as has_style, ${columns}
      from dataset_groups grp
      left join lateral (
        select * from datasets where datasets.dg_id = grp.id and ${isWanted} order by ${freshestFirst} limit 1
      ) latest on true
     where grp.code = any(${codes})`.execute(db);
  return new Map(
    rows.map((row) => [
      row.code,
      { id: row.group_id, hasStyle: row.has_style, latest: row.id === null ? null : toDatasetSummary(row) },
    ]),
  );
}

export const landscapeCategory = 'landscape';
const category = { code: landscapeCategory, ...graphWordsIn('en').groups.category };

/** Returns the id of the category of the program, creating it if it is missing; in a transaction it is locked until the end. */
export async function ensureLandscapeCategory(db: Database | Transaction): Promise<string> {
  const found = await db
    .selectFrom('categories')
    .select('id')
    .where('code', '=', category.code)
    .forKeyShare()
    .executeTakeFirst();
  if (found !== undefined) return found.id;
  const made = await db
    .insertInto('categories')
    .values({ id: randomUUID(), parent_id: null, ...category })
    // Does not change a row that another request has just created, but returns its id.
    .onConflict((conflict) => conflict.column('code').doUpdateSet({ code: category.code }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return made.id;
}
