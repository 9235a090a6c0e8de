import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/tables/tables.ts';
import { inTransaction, raiseLimits } from '../../database/transaction.ts';
import { conditionOf, type DatasetFilter, partsOf } from '../filter.ts';

/**
 * Returns an SQL expression for the number of matching datasets in the snapshot of its statement: stored counts plus pending changes
 * (migration 0040). Undefined if the rows have to be counted: for text searches, and for dates within a group or a category.
 */
export function keptTotalOf(filter: DatasetFilter): RawBuilder<number> | undefined {
  const grain = grainOf(filter);
  if (grain === undefined) return undefined;
  const condition = conditionOf(filter);
  return sql`(
    coalesce((select sum(datasets) from dataset_counts where grain = ${grain} and ${condition}), 0) +
    coalesce((select sum(change) from dataset_count_changes where ${condition}), 0))::bigint`;
}

function grainOf(filter: DatasetFilter): 'category' | 'group' | 'period' | undefined {
  const { hasText, hasDates, hasGroup, hasCategory } = partsOf(filter);
  if (hasText) return undefined;
  if (!hasDates) return hasGroup ? 'group' : 'category';
  return hasGroup || hasCategory ? undefined : 'period';
}

/**
 * Returns a table expression of `created_on`, a day in UTC, and `datasets`, the number of matching datasets created on
 * it, in the snapshot of its statement, with the counts of `keptTotalOf`. Undefined if the counts have no days.
 */
export function keptDaysOf(filter: DatasetFilter): RawBuilder<unknown> | undefined {
  if (grainOf(filter) !== 'category' || partsOf(filter).hasCategory) return undefined;
  const condition = conditionOf(filter);
  return sql`(
    select created_on, sum(datasets)::bigint as datasets from (
      select created_on, datasets from dataset_counts where grain = 'day' and ${condition} union all
      select created_on, change from dataset_count_changes where ${condition}) counted
    group by created_on)`;
}

/**
 * Merges pending changes into the counts. Any number of processes may do this at once.
 * @returns the number of changes.
 */
export async function foldDatasetCounts(db: Database): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select fold_dataset_counts() as folded`.execute(db);
  return rows[0]?.folded ?? 0;
}

/**
 * Compares the counts with the datasets and corrects those that rows written without triggers have made wrong, during concurrent writes.
 * @returns the number of corrected counts.
 */
export async function recountDatasets(db: Database): Promise<number> {
  return await inTransaction(db, async (trx) => {
    await raiseLimits(trx);
    const { rows } = await sql<{ mended: number }>`select recount_datasets() as mended`.execute(trx);
    return rows[0]?.mended ?? 0;
  });
}
