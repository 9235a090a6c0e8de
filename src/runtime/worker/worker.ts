import { join } from 'node:path';
import type { Logger } from 'pino';
import { endsWithin } from '../../lib/concurrency/with-timeout.ts';
import type { Config } from '../../config.ts';
import { unhurriedHandlers, handlersOfRoles } from '../../jobs/lanes.ts';
import { createResultHandler } from '../../jobs/result-kinds.ts';
import { sizeOfScratch } from '../../jobs/scratch.ts';
import { startWorker } from '../../jobs/worker.ts';
import { createMoveInputsHandler } from '../../landscape/input-moves/move-inputs-job.ts';
import { createLayerHandler } from '../../landscape/layers/make-layer.ts';
import { createInputHandler } from '../../landscape/make/make-input-job.ts';
import { createPolygonsHandler } from '../../landscape/polygons/make-polygons-job.ts';
import { createRunHandler } from '../../landscape/execution/execute-run.ts';
import { createLocalCluster } from '../../landscape/execution/local-cluster.ts';
import { createZonedRuns } from '../../landscape/balance/zoned-runs.ts';
import { startWatch } from '../../landscape/watch/check-inputs.ts';
import { measureMissing } from '../../datasets/extent/extents.ts';
import { addGauge } from '../../metrics/gauges.ts';
import { createJobHandlers } from './handlers.ts';
import { startReferenceChecks } from '../../datasets/reference/check-references.ts';
import { enqueueMissingFeatures } from '../../datasets/jobs/features.ts';
import { startMissing } from '../../datasets/missing-results.ts';
import { enqueueMissingStatistics } from '../../datasets/jobs/statistics.ts';
import { enqueueMissingViews } from '../../datasets/jobs/views.ts';
import { createWebhookHandler, enqueueDeliveries } from '../../webhooks/deliver.ts';
import { createWebhookSender } from '../../webhooks/send.ts';
import type { Components } from '../components.ts';
import type { AllEngines } from '../engines.ts';
import { openSpread } from '../spread.ts';
import { createResultMakers } from './result-makers.ts';
import { startTidying } from './tidying.ts';

const tidyingStopMilliseconds = 3000;

/**
 * Starts processing jobs, with scratch folders in DATA_DIR, and sweeping the object store. Closing it hands back jobs in progress and
 * takes three seconds at most.
 */
export async function openWorker(config: Config, components: Components, engines: AllEngines, log: Logger) {
  const { db, pool, listener, objectStore, messageQueue } = components;
  const scratchRoot = join(config.dataDir, 'scratch');
  const runs = {
    db,
    objectStore,
    engines,
    computeWorkers: config.workerConcurrency,
    maxPixels: config.landscapeMaxPixels,
  };
  const spread = await openSpread(config, { ...runs, local: createLocalCluster(runs) }, log);
  const resultMakers = createResultMakers(components, engines, log);
  const resultHandler = createResultHandler(db, resultMakers);
  const handlers = {
    ...createJobHandlers({ db, pool, objectStore, engine: engines.geo }),
    ...unhurriedHandlers(createJobHandlers({ db, pool, objectStore, engine: engines.background.geo })),
    'run-landscape': createRunHandler(runs, spread?.cluster),
    'make-layer': createLayerHandler(runs),
    'move-inputs': createMoveInputsHandler(runs),
    'make-result': resultHandler,
    'make-atlas': resultHandler,
    'deliver-webhook': createWebhookHandler({
      db,
      webhookSender: createWebhookSender(config.webhookNetworks),
    }),
    'make-polygons': createPolygonsHandler({ db, objectStore, engine: engines.geo, messageQueue }),
    'make-input': createInputHandler({ ...runs, messageQueue }),
  };
  const worker = startWorker({
    db,
    objectStore,
    messageQueue,
    handlers: handlersOfRoles(handlers, config.workerRoles),
    concurrency: config.workerConcurrency,
    scratchRoot,
    log,
  });
  const tidying = startTidying({ ...components, uploadLimits: config.uploadLimits, resultMakers }, log);
  const missing = [
    startMissing(db, log, { what: 'views', enqueueMissing: enqueueMissingViews }),
    startMissing(db, log, { what: 'FlatGeobuf files', enqueueMissing: enqueueMissingFeatures }),
    startMissing(db, log, { what: 'statistics', enqueueMissing: enqueueMissingStatistics }),
    startMissing(db, log, {
      what: 'extents',
      enqueueMissing: async () => await measureMissing(db, { objectStore, log }),
    }),
  ];
  const referenceChecks = startReferenceChecks({ db, objectStore }, log);
  const watch = startWatch({ db, messageQueue, zonedRuns: createZonedRuns({ db, messageQueue }) }, log);
  const deliveries = enqueueDeliveries({ db, listener }, log);
  const removeGauge = addGauge('steppe_scratch_bytes', async () => [
    { value: await sizeOfScratch(scratchRoot) },
  ]);
  return {
    async close(): Promise<void> {
      removeGauge();
      await Promise.all([
        worker.stop(),
        spread?.close(),
        endsWithin(
          tidyingStopMilliseconds,
          Promise.all(
            [tidying, referenceChecks, watch, deliveries, ...missing].map(async (each) => await each.close()),
          ),
        ),
      ]);
    },
  };
}
