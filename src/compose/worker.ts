import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { startWorker } from '../jobs/worker.ts';
import { createRunHandler } from '../landscape/runs/execute-run.ts';
import { startSweeper } from '../object-store/sweeper.ts';
import { createJobHandlers } from '../processing/handlers.ts';
import type { Components } from './components.ts';
import type { Engines } from './engines.ts';
import { endsWithin } from '../common/with-timeout.ts';

/** A sweep that is cut short goes on with the next one. */
const sweeperStopMilliseconds = 3000;

export interface OpenWorker {
  /** Hands back the jobs under way; takes three seconds at most. */
  close(): Promise<void>;
}

export interface WorkerOptions {
  readonly config: Config;
  readonly components: Components;
  readonly engines: Engines;
  readonly log: Logger;
}

/** Starts to work on jobs, in scratch folders under DATA_DIR, and to sweep the object store. */
export function openWorker({ config, components, engines, log }: WorkerOptions): OpenWorker {
  const { db, pool, objectStore, messageQueue } = components;
  const worker = startWorker({
    db,
    objectStore,
    messageQueue,
    handlers: {
      ...createJobHandlers({ db, pool, objectStore, engine: engines.geo }),
      'run-landscape': createRunHandler({
        db,
        objectStore,
        engines,
        computeWorkers: config.workerConcurrency,
        maxPixels: config.landscapeMaxPixels,
      }),
    },
    concurrency: config.workerConcurrency,
    scratchRoot: join(config.dataDir, 'scratch'),
    log,
  });
  const sweeper = startSweeper({ db, objectStore, log });
  return {
    async close() {
      await Promise.all([worker.stop(), endsWithin(sweeperStopMilliseconds, sweeper.close())]);
    },
  };
}
