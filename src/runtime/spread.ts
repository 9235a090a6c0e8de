import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { ComputeCluster } from '../landscape/execution/compute-cluster.ts';
import type { RunDependencies } from '../landscape/execution/compute-pass.ts';
import { endAbandoned } from '../landscape/spread/passes.ts';
import { installationOf } from '../landscape/spread/passes.ts';
import { withMetrics, createSteps } from '../landscape/spread/steps.ts';
import { createSpreadCluster } from '../landscape/spread/spread-cluster.ts';
import { queueOf, stampOf } from '../landscape/spread/stamp.ts';
import { openStepScratch } from '../landscape/spread/step-scratch.ts';
import { EngineAway } from '../landscape/spread/workflow-engine.ts';
import { startRepeating } from '../lib/concurrency/repeating.ts';
import { readWorkflowEngineUrl } from '../workflow-engine/address.ts';
import type { AllEngines } from './engines.ts';
import { loadEnginePackage } from './workflow-engine.ts';

const tidyEveryMs = 600_000;

interface Dependencies extends RunDependencies {
  readonly engines: AllEngines;
  readonly local: ComputeCluster;
}

/**
 * Connects a worker to the configured workflow engine: it spreads large runs, and executes steps of other workers' runs in separate
 * slots. Undefined without an engine. The engine does not have to be available; the database does.
 */
export async function openSpread(config: Config, dependencies: Dependencies, log: Logger) {
  const { workflowEngineUrl, workerRoles, workerConcurrency, dataDir } = config;
  if (workflowEngineUrl === undefined) return undefined;
  const { db, objectStore, engines } = dependencies;
  const { open } = await loadEnginePackage();
  const engine = await open(readWorkflowEngineUrl(workflowEngineUrl), log);
  const stamp = stampOf(engines.geo);
  const installation = await installationOf(db);
  const queue = queueOf({ stamp, workflowDigest: engine.workflowDigest, installation });
  log.info({ queue, stamp }, 'large landscape runs are spread over workers');
  const scratch = await openStepScratch(join(dataDir, 'scratch'));
  const steps = createSteps({ db, objectStore, engines: engines.background, stamp, scratch });
  const taking = workerRoles.includes('blocks')
    ? engine.serve({ queue, steps: withMetrics(steps), slots: workerConcurrency })
    : undefined;
  const tidying = startRepeating(async () => {
    const folders = await scratch.sweep();
    if (folders > 0) log.info({ folders }, 'scratch folders of dead workers removed');
    const workflows = await endAbandoned(db, engine, installation).catch((err: unknown) => {
      if (!(err instanceof EngineAway)) log.warn({ err }, 'abandoned workflows were not ended');
      return 0;
    });
    if (workflows > 0) log.info({ workflows }, 'workflows of runs that have ended are ended, too');
    return tidyEveryMs;
  });
  return {
    cluster: createSpreadCluster({
      ...dependencies,
      engine,
      stamp,
      queue,
      installation,
      spreadPixels: config.landscapeSpreadPixels,
      log,
    }),
    async close(): Promise<void> {
      await Promise.all([taking?.close(), tidying.close()]);
      await scratch.close();
      await engine.close();
    },
  };
}
