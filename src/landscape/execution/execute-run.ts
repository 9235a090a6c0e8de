import type { Transaction } from '../../database/tables/tables.ts';
import { EngineDied } from '../../geo/engine.ts';
import { LeaseLost, type Attempt, type Failure, type JobHandler } from '../../jobs/handler.ts';
import { isResourceError } from '../../lib/errors.ts';
import { isAway } from './away.ts';
import type { BegunRun, ComputeCluster } from './compute-cluster.ts';
import type { RunDependencies } from './compute-pass.ts';
import { planPass } from './pass.ts';
import { gapInputsOf, hasGaps } from '../gaps/gaps.ts';
import { createLocalCluster } from './local-cluster.ts';
import { beginPass, readRun, recordRunFailure, recordRunSuccess, type StoredRun } from '../runs/run-rows.ts';
import { planStoredRun } from '../plan/plan-now.ts';
import { RunFailed, internalError, notStored } from '../runs/run-failed.ts';

/** Creates the handler of runs. May be interrupted anywhere and run again: plans and published outputs are kept. */
export function createRunHandler(
  dependencies: RunDependencies,
  cluster: ComputeCluster = createLocalCluster(dependencies),
): JobHandler {
  return {
    async run(attempt) {
      const begun = await begin(attempt);
      if (begun === undefined) return;
      const { run, pass, gaps } = begun;
      if (pass.nodes.length > 0) {
        await cluster.execute(attempt, begun).catch((error: unknown) => {
          throw judged(attempt, run, error);
        });
      } else if (gaps !== undefined) {
        // The run needs no pass: it does not fail if its gaps cannot be counted.
        await cluster.execute(attempt, begun).catch((error: unknown) => {
          if (isPassing(attempt, error)) throw error;
        });
      }
      await attempt.publish(async (trx) => await recordRunSuccess(trx, run.id));
    },
    fail: recordFailure,
  };
}

/** Plans the run, unless an earlier attempt did, and marks the remaining nodes as running; undefined when the run has ended. */
async function begin(attempt: Attempt): Promise<BegunRun | undefined> {
  return await attempt.fenced(async (trx) => {
    const fault = await planStoredRun(trx, attempt.refId);
    if (fault !== undefined) throw new RunFailed(fault);
    const run = await readRun(trx, attempt.refId);
    if (run?.status !== 'running') return undefined;
    const pass = planPass(run);
    const codes = pass.nodes.map(({ node }) => node.code);
    if (codes.length > 0) await beginPass(trx, run.id, codes);
    const gaps = gapInputsOf(run);
    return { run, pass, gaps: gaps && (await hasGaps(trx, gaps.key)) ? undefined : gaps };
  });
}

/** Classifies an error: a temporary failure is passed on unchanged; any other fails the lowest remaining node. */
function judged(attempt: Attempt, run: StoredRun, error: unknown): unknown {
  if (isPassing(attempt, error) || error instanceof RunFailed || error instanceof EngineDied) return error;
  const fault = isResourceError(error) ? notStored(lowestLeft(run)) : internalError(lowestLeft(run));
  return new RunFailed(fault, { cause: error });
}

/** Returns whether the attempt was aborted, or the database or the object store is unavailable: the run then waits for it. */
function isPassing({ signal }: Attempt, error: unknown): boolean {
  return signal.aborted || error instanceof LeaseLost || isAway(error);
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
