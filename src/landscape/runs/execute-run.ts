import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transaction } from '../../database/tables.ts';
import { isDatabaseLate, isDatabaseUnavailable } from '../../database/unavailable.ts';
import { EngineDied } from '../../geo/engine.ts';
import { LeaseLost, type Attempt, type Failure, type JobHandler } from '../../jobs/handler.ts';
import { isResourceError } from '../../lib/errors.ts';
import { seedOutputGroups } from '../groups/seed.ts';
import { computePass, type RunDependencies } from './compute-pass.ts';
import { type Pass, planPass } from './pass.ts';
import { fetchSources } from './fetch-sources.ts';
import { publishOutputs } from './publish-outputs.ts';
import {
  beginPass,
  readRun,
  recordProgress,
  recordRunFailure,
  recordRunSuccess,
  type StoredRun,
} from './run-rows.ts';
import { planStoredRun } from './plan-now.ts';
import { RunFailed, internalError, notStored } from './run-failed.ts';

const progressEveryMs = 1000;

/** Executes runs. It may die anywhere and run again: what is planned stays planned, what is published stays published. */
export function createRunHandler(dependencies: RunDependencies): JobHandler {
  return {
    async run(attempt) {
      const begun = await begin(attempt);
      if (begun === undefined) return;
      const { run, pass } = begun;
      if (pass.nodes.length > 0) {
        await executePass(dependencies, attempt, begun).catch((error: unknown) => {
          throw judged(attempt, run, error);
        });
      }
      await attempt.publish(async (trx) => await recordRunSuccess(trx, run.id));
    },
    fail: recordFailure,
  };
}

interface BegunRun {
  readonly run: StoredRun;
  /** Over what no attempt before has done. */
  readonly pass: Pass;
}

/** Plans the run unless an earlier attempt did, and marks what is left as running; undefined when it has ended. */
async function begin(attempt: Attempt): Promise<BegunRun | undefined> {
  return await attempt.fenced(async (trx) => {
    const fault = await planStoredRun(trx, attempt.refId);
    if (fault !== undefined) throw new RunFailed(fault);
    const run = await readRun(trx, attempt.refId);
    if (run?.status !== 'running') return undefined;
    const pass = planPass(run);
    const codes = pass.nodes.map(({ node }) => node.code);
    if (codes.length > 0) await beginPass(trx, run.id, codes);
    return { run, pass };
  });
}

async function executePass(
  dependencies: RunDependencies,
  attempt: Attempt,
  { run, pass }: BegunRun,
): Promise<void> {
  const { signal } = attempt;
  const sourceFolder = join(attempt.scratch, 'sources');
  const folder = join(attempt.scratch, 'pass');
  await mkdir(folder);
  await seedOutputGroups(dependencies); // one that was deleted meanwhile
  const files = await fetchSources(dependencies, pass.sources, { folder: sourceFolder, signal });
  const onProgress = createProgressRecorder(attempt, run.id);
  const work = { files, params: run.params, folder, signal, onProgress };
  const computed = await computePass(dependencies, pass, work);
  await rm(sourceFolder, { recursive: true });
  await publishOutputs(dependencies, attempt, { run, pass, computed, folder });
}

/** Records progress once in a while, and the last of it. No computation is lost because the database is away. */
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

/** Decides what an error means: a passing failure rises as it is; any other fails the lowest node that is left. */
function judged(attempt: Attempt, run: StoredRun, error: unknown): unknown {
  if (attempt.signal.aborted || error instanceof LeaseLost || error instanceof RunFailed) return error;
  if (isDatabaseUnavailable(error) || isDatabaseLate(error) || error instanceof EngineDied) return error;
  const fault = isResourceError(error) ? notStored(lowestLeft(run)) : internalError(lowestLeft(run));
  return new RunFailed(fault, { cause: error });
}

async function recordFailure(trx: Transaction, runId: string, { error }: Failure): Promise<void> {
  const run = await readRun(trx, runId);
  if (run?.status !== 'queued' && run?.status !== 'running') return;
  await recordRunFailure(
    trx,
    runId,
    error instanceof RunFailed ? error.fault : internalError(lowestLeft(run)),
  );
}

function lowestLeft({ nodes }: StoredRun): string {
  return nodes.find(({ status }) => status === 'pending' || status === 'running')?.code ?? '';
}
