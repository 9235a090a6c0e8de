import { sql } from 'kysely';
import type { Transaction } from '../database/tables.ts';

/** Marks a dataset failed, in the transaction that ends its job; what it served before the job stays stored. */
export async function recordFailure(trx: Transaction, datasetId: string, reason: string): Promise<void> {
  await trx
    .updateTable('datasets')
    .set({ status: 'failed', parse_error: reason, updated_at: sql<Date>`now()` })
    .where('id', '=', datasetId)
    .where('status', 'in', ['pending', 'processing', 'parsing', 'extracting'])
    .execute();
}
