import { sql } from 'kysely';
import type { Transaction } from '../database/tables.ts';
import { continueReport, readReport, reportOf, writeReport } from '../datasets/report.ts';
import type { Failure } from '../jobs/handler.ts';
import { findingsOf } from './import-diagnostics.ts';

/**
 * Marks a dataset failed and reports what was found, in the transaction that ends its job; what it served before the job
 * stays stored. The report of a failed extraction (`keepsReport`) goes on from the one before.
 */
export async function recordFailure(
  trx: Transaction,
  datasetId: string,
  { reason, error }: Failure,
  { engine, keepsReport }: { readonly engine: string; readonly keepsReport: boolean },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('datasets')
    .set({ status: 'failed', parse_error: reason, updated_at: sql<Date>`now()` })
    .where('id', '=', datasetId)
    .where('status', 'in', ['pending', 'processing', 'parsing', 'extracting'])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const before = keepsReport ? await readReport(trx, datasetId) : undefined;
  const now = reportOf(datasetId, { engine, findings: findingsOf(error), rows: null });
  await writeReport(trx, continueReport(before, now));
}
