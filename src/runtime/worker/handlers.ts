import { nextUpdatedAt } from '../../database/transaction.ts';
import type { Transaction } from '../../database/tables/tables.ts';
import { continueReport, readReport, reportOf, writeReport } from '../../datasets/report.ts';
import type { Attempt, Failure, JobHandler } from '../../jobs/handler.ts';
import {
  type ProcessingDependencies,
  findingsOf,
  type ImportDiagnostics,
  withDiagnostics,
} from '../../datasets/input-file.ts';
import { extractObservations } from '../../tables/extract/extract-observations.ts';
import { classCounts } from '../../areas/area-counts.ts';
import { countAreas } from '../../areas/count-areas.ts';
import { resultHandler } from '../../jobs/results.ts';
import { copyReference, leaveReference } from '../../datasets/reference/copy-reference.ts';
import { countPixels } from '../../datasets/jobs/statistics.ts';
import { makeFeatures } from '../../datasets/jobs/features.ts';
import { recordFailureIn } from '../../datasets/missing-results.ts';
import { makeView, recordViewFailure } from '../../datasets/jobs/views.ts';
import { freshnessWarnings } from '../../landscape/groups/slots.ts';
import { processDataset } from '../../tables/process-dataset.ts';
import { leaveUnmatched, matchTable } from '../../tables/match/match-table.ts';
import { makeZonalTable, recordTableFailure } from '../../zonal/zonal-table-job.ts';

/** Reads the file of a dataset; warns if it is not the freshest of its slot. */
const processUpload: Work = async (dependencies, attempt, diagnostics) =>
  await processDataset({ ...dependencies, warningsOf: freshnessWarnings }, attempt, diagnostics);

type Work = (
  dependencies: ProcessingDependencies,
  attempt: Attempt,
  diagnostics: ImportDiagnostics,
) => Promise<void>;

/** Creates the handlers of jobs about datasets. Each may be interrupted anywhere and run again from the start. */
export function createJobHandlers(
  dependencies: ProcessingDependencies,
): Readonly<
  Record<
    | 'process-dataset'
    | 'extract-observations'
    | 'make-view'
    | 'count-pixels'
    | 'make-features'
    | 'copy-reference'
    | 'count-areas'
    | 'zonal-table'
    | 'match-table',
    JobHandler
  >
> {
  const engine = dependencies.engine.version;
  const handler = (work: Work, options: { readonly keepsReport: boolean }): JobHandler => ({
    run: async (attempt) =>
      await withDiagnostics(async (diagnostics) => await work(dependencies, attempt, diagnostics)),
    fail: async (trx, refId, failure) => await recordFailure(trx, refId, failure, { engine, ...options }),
  });
  return {
    'process-dataset': handler(processUpload, { keepsReport: false }),
    'extract-observations': handler(extractObservations, { keepsReport: true }),
    'make-view': {
      run: async (attempt) => await makeView(dependencies, attempt),
      fail: recordViewFailure,
    },
    'count-pixels': {
      run: async (attempt) => await countPixels(dependencies, attempt),
      fail: recordFailureIn('raster_statistics'),
    },
    'make-features': {
      run: async (attempt) => await makeFeatures(dependencies, attempt),
      fail: recordFailureIn('vector_features'),
    },
    'copy-reference': {
      run: async (attempt) => await copyReference(dependencies, attempt),
      fail: leaveReference,
    },
    'count-areas': resultHandler(classCounts, async (attempt) => await countAreas(dependencies, attempt)),
    'zonal-table': {
      run: async (attempt) => await makeZonalTable(dependencies, attempt),
      fail: recordTableFailure,
    },
    'match-table': {
      run: async (attempt) => await matchTable(dependencies, attempt),
      fail: leaveUnmatched,
    },
  };
}

/**
 * Marks a dataset as failed and writes its report, in the transaction that ends its job; with `keepsReport` the existing report is
 * extended.
 */
async function recordFailure(
  trx: Transaction,
  datasetId: string,
  { reason, error }: Failure,
  { engine, keepsReport }: { readonly engine: string; readonly keepsReport: boolean },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('datasets')
    .set({
      status: 'failed',
      parse_error: reason.english,
      failure: reason.sentence === undefined ? null : JSON.stringify(reason.sentence),
      updated_at: nextUpdatedAt,
    })
    .where('id', '=', datasetId)
    .where('status', 'in', ['pending', 'processing', 'parsing', 'extracting'])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  const before = keepsReport ? await readReport(trx, datasetId) : undefined;
  const now = reportOf(datasetId, { engine, findings: findingsOf(error), rows: null });
  await writeReport(trx, continueReport(before, now));
}
