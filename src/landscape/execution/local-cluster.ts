import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDatabaseUnavailable } from '../../database/unavailable.ts';
import type { Attempt } from '../../jobs/handler.ts';
import { seedOutputGroups } from '../groups/seed.ts';
import type { BegunRun, ComputeCluster } from './compute-cluster.ts';
import { computeAndCount } from './compute-and-count.ts';
import type { RunDependencies } from './compute-pass.ts';
import { storeGaps } from '../gaps/gaps.ts';
import { type Pass, planPass } from './pass.ts';
import { publishOutputs } from './publish-outputs.ts';
import { readRun, recordProgress } from '../runs/run-rows.ts';
import { endPass } from '../runs/spread-rows.ts';

const progressEveryMs = 1000;

/** Creates the executor of passes in child processes of the worker that holds the job. */
export function createLocalCluster(dependencies: RunDependencies): ComputeCluster {
  return {
    execute: async (attempt, begun) => await executePass(dependencies, attempt, begun),
  };
}

async function executePass(dependencies: RunDependencies, attempt: Attempt, begun: BegunRun): Promise<void> {
  const { signal } = attempt;
  const { run, gaps } = begun;
  const pass = await takeOver(attempt, begun);
  const folder = join(attempt.scratch, 'pass');
  await mkdir(folder);
  await seedOutputGroups(dependencies); // a run that was deleted meanwhile
  const onProgress = createProgressRecorder(attempt, run.id);
  const work = { params: run.params, folder, signal, onProgress };
  if (pass.nodes.length === 0 && gaps === undefined) return;
  const computed = await computeAndCount(dependencies, { run, pass, gaps }, work, attempt.scratch);
  if (gaps !== undefined && computed?.gaps !== undefined) {
    const figures = computed.gaps;
    await attempt.fenced(async (trx) => await storeGaps(trx, gaps, figures));
  }
  if (computed === undefined || pass.nodes.length === 0) return;
  await publishOutputs(dependencies, attempt, { run, pass, computed, folder });
}

/**
 * Ends the pass that an earlier attempt has distributed to other workers, which may still compute its blocks and publish outputs, and
 * plans the remaining nodes. A run that is not distributed keeps its pass.
 */
async function takeOver(attempt: Attempt, { run: { id }, pass }: BegunRun): Promise<Pass> {
  return await attempt.fenced(async (trx) => {
    if (!(await endPass(trx, id))) return pass;
    const run = await readRun(trx, id);
    return run === undefined ? pass : planPass(run);
  });
}

/** Records progress at intervals, and the last value. The computation continues while the database is unavailable. */
function createProgressRecorder(attempt: Attempt, runId: string): (share: number) => Promise<void> {
  let next = 0;
  return async (share) => {
    if (share < 1 && performance.now() < next) return;
    next = performance.now() + progressEveryMs;
    const recording = attempt.fenced(async (trx) => await recordProgress(trx, runId, share));
    await recording.catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
    });
  };
}
