import { join } from 'node:path';
import type { Logger } from 'pino';
import { endsWithin } from '../lib/with-timeout.ts';
import type { Config } from '../config.ts';
import { sizeOfScratch } from '../jobs/scratch.ts';
import { startWorker } from '../jobs/worker.ts';
import { createMoveInputsHandler } from '../landscape/input-moves/move-inputs-job.ts';
import { createLayerHandler } from '../landscape/layers/make-layer.ts';
import { createRunHandler } from '../landscape/runs/execute-run.ts';
import { addGauge } from '../metrics/gauges.ts';
import { startSweeper } from '../object-store/sweeper.ts';
import { createJobHandlers } from '../processing/handlers.ts';
import { startMissing } from '../processing/missing-results.ts';
import { enqueueMissingStatistics } from '../processing/statistics.ts';
import { enqueueMissingViews } from '../processing/views.ts';
import type { Components } from './components.ts';
import type { Engines } from './engines.ts';

const sweeperStopMilliseconds = 3000;

/**
 * Starts to work on jobs, in scratch folders under DATA_DIR, and to sweep the object store. Closing it hands back the
 * jobs under way and takes three seconds at most.
 */
export function openWorker(config: Config, components: Components, engines: Engines, log: Logger) {
  const { db, pool, objectStore, messageQueue } = components;
  const scratchRoot = join(config.dataDir, 'scratch');
  const runs = {
    db,
    objectStore,
    engines,
    computeWorkers: config.workerConcurrency,
    maxPixels: config.landscapeMaxPixels,
  };
  const worker = startWorker({
    db,
    objectStore,
    messageQueue,
    handlers: {
      ...createJobHandlers({ db, pool, objectStore, engine: engines.geo }),
      'run-landscape': createRunHandler(runs),
      'make-layer': createLayerHandler(runs),
      'move-inputs': createMoveInputsHandler(runs),
    },
    concurrency: config.workerConcurrency,
    scratchRoot,
    log,
  });
  const sweeper = startSweeper(db, objectStore, log);
  const missing = [
    startMissing(db, log, { what: 'views', enqueueMissing: enqueueMissingViews }),
    startMissing(db, log, { what: 'statistics', enqueueMissing: enqueueMissingStatistics }),
  ];
  const removeGauge = addGauge('steppe_scratch_bytes', async () => [
    { value: await sizeOfScratch(scratchRoot) },
  ]);
  return {
    async close(): Promise<void> {
      removeGauge();
      await Promise.all([
        worker.stop(),
        endsWithin(
          sweeperStopMilliseconds,
          Promise.all([sweeper, ...missing].map(async (each) => await each.close())),
        ),
      ]);
    },
  };
}
