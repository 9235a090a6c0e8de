import type { JobHandler } from '../jobs/handler.ts';
import { extractObservations } from './extract-observations.ts';
import { recordFailure } from './failure.ts';
import { withDiagnostics } from './import-diagnostics.ts';
import type { ProcessingDependencies } from './dependencies.ts';
import { processDataset } from './process-dataset.ts';

/** What each kind of job about a dataset does to it. Every handler may die anywhere and run again from the start. */
export function createJobHandlers(
  dependencies: ProcessingDependencies,
): Readonly<Record<'process-dataset' | 'extract-observations', JobHandler>> {
  const engine = dependencies.engine.version;
  return {
    'process-dataset': {
      run: async (attempt) =>
        await withDiagnostics(
          async (diagnostics) => await processDataset(dependencies, attempt, diagnostics),
        ),
      fail: async (trx, refId, failure) =>
        await recordFailure(trx, refId, failure, { engine, keepsReport: false }),
    },
    'extract-observations': {
      run: async (attempt) =>
        await withDiagnostics(
          async (diagnostics) => await extractObservations(dependencies, attempt, diagnostics),
        ),
      fail: async (trx, refId, failure) =>
        await recordFailure(trx, refId, failure, { engine, keepsReport: true }),
    },
  };
}
