import type { JobHandlers } from './attempt.ts';
import { extractObservations } from './extract-observations.ts';
import { recordFailure } from './failure.ts';
import type { ProcessingParts } from './parts.ts';
import { processDataset } from './process-dataset.ts';

/** What each kind of job does to its dataset. Every handler may die anywhere and run again from the start. */
export function createJobHandlers(parts: ProcessingParts): JobHandlers {
  return {
    'process-dataset': {
      run: async (attempt) => await processDataset(parts, attempt),
      fail: recordFailure,
    },
    'extract-observations': {
      run: async (attempt) => await extractObservations(parts, attempt),
      fail: recordFailure,
    },
  };
}
