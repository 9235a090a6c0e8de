import type { JobHandler } from '../jobs/handler.ts';
import { extractObservations } from './extract-observations.ts';
import { recordFailure } from './failure.ts';
import { takingNotes } from './import-diagnostics.ts';
import type { ProcessingParts } from './dependencies.ts';
import { processDataset } from './process-dataset.ts';

/** What each kind of job about a dataset does to it. Every handler may die anywhere and run again from the start. */
export function createJobHandlers(
  parts: ProcessingParts,
): Readonly<Record<'process-dataset' | 'extract-observations', JobHandler>> {
  const engine = parts.engine.version;
  return {
    'process-dataset': {
      run: async (attempt) => await takingNotes(async (notes) => await processDataset(parts, attempt, notes)),
      fail: async (trx, refId, failure) =>
        await recordFailure(trx, refId, failure, { engine, keepsReport: false }),
    },
    'extract-observations': {
      run: async (attempt) =>
        await takingNotes(async (notes) => await extractObservations(parts, attempt, notes)),
      fail: async (trx, refId, failure) =>
        await recordFailure(trx, refId, failure, { engine, keepsReport: true }),
    },
  };
}
