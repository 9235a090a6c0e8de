import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { toStepFailure } from '../../../src/landscape/spread/failures.ts';
import { carryPass, type PassSteps } from '../../../src/landscape/spread/pass-workflow.ts';
import {
  EngineAway,
  type PassWorkflow,
  type WorkerSteps,
  type WorkflowEngine,
  type WorkflowState,
} from '../../../src/landscape/spread/workflow-engine.ts';
import { afterTests } from '../for-tests.ts';

interface Served {
  readonly queue: string;
  readonly steps: WorkerSteps;
  readonly closed: AbortController;
}

interface Carried {
  readonly workflow: PassWorkflow;
  state: WorkflowState;
  readonly ended: AbortController;
}

const attemptsOfStep = 20;

/** A workflow engine in this process, which executes passes like the real one and forgets everything when it ends. */
export function createFakeEngine() {
  const workflows = new Map<string, Carried>();
  const workers = new Set<Served>();
  /** The steps that were begun, in order, with their runs. */
  const begun: { readonly step: string; readonly runId: string; readonly queue: string }[] = [];
  let isAway = false;
  const answer = async <T>(work: () => T): Promise<T> => {
    await delay(1);
    if (isAway) throw new EngineAway('the test has taken it away');
    return work();
  };

  /** Performs a step on one of the workers of the queue, and repeats it until it succeeds or fails for good. */
  async function perform<Name extends keyof PassSteps>(
    { workflow, ended }: Carried,
    name: Name,
    input: Parameters<PassSteps[Name]>[0],
  ): Promise<void> {
    for (let attempt = 1; ;) {
      ended.signal.throwIfAborted();
      const worker = [...workers].find(({ queue }) => queue === workflow.queue);
      if (worker === undefined) {
        await delay(5);
        continue;
      }
      // The workers take turns.
      workers.delete(worker);
      workers.add(worker);
      begun.push({ step: name, runId: input.runId, queue: workflow.queue });
      const signal = AbortSignal.any([ended.signal, worker.closed.signal]);
      try {
        await worker.steps[name](input, { signal });
        return;
      } catch (error) {
        if (worker.closed.signal.aborted) continue; // the worker returned the step
        if (toStepFailure(error, attempt) !== undefined || attempt >= attemptsOfStep) throw error;
        attempt += 1;
        await delay(5);
      }
    }
  }

  async function carry(carried: Carried): Promise<void> {
    const steps: PassSteps = {
      computeBlock: async (input) => await perform(carried, 'computeBlock', input),
      judgePixels: async (input) => await perform(carried, 'judgePixels', input),
      publishOutputs: async (input) => await perform(carried, 'publishOutputs', input),
    };
    const { input } = carried.workflow;
    for (let next: number | undefined = input.next; next !== undefined;) {
      const renewal = { steps: 0 }; // the history counts as long after two steps
      const shouldRenew = (): boolean => (renewal.steps += 1) > 2;
      next = await carryPass({ ...input, next }, steps, { atOnce: 2, shouldRenew });
    }
  }

  const engine: WorkflowEngine = {
    workflowDigest: 'fake',
    start: async (workflow) =>
      await answer(() => {
        if (workflows.get(workflow.id)?.state.state === 'open') return;
        const carried: Carried = { workflow, state: { state: 'open' }, ended: new AbortController() };
        workflows.set(workflow.id, carried);
        carry(carried).then(
          () => {
            carried.state = { state: 'done' };
          },
          (error: unknown) => {
            if (carried.ended.signal.aborted) return;
            const failure = toStepFailure(error, attemptsOfStep) ?? {
              type: 'Error',
              message: String(error),
              details: null,
            };
            carried.state = { state: 'failed', failure };
            carried.ended.abort(error); // the other steps of the pass are no longer needed
          },
        );
      }),
    stateOf: async (id) => await answer(() => workflows.get(id)?.state ?? { state: 'absent' }),
    end: async (id) =>
      await answer(() => {
        const carried = workflows.get(id);
        if (carried?.state.state !== 'open') return;
        carried.state = { state: 'ended' };
        carried.ended.abort(new Error('the workflow was ended'));
      }),
    listOpen: async (prefix) =>
      await answer(() =>
        [...workflows]
          .filter(([id, { state }]) => id.startsWith(prefix) && state.state === 'open')
          .map(([id]) => id),
      ),
    serve({ queue, steps }) {
      const served: Served = { queue, steps, closed: new AbortController() };
      workers.add(served);
      return {
        async close() {
          workers.delete(served);
          served.closed.abort(new Error('the worker shuts down'));
          await delay(1);
        },
      };
    },
    close: async () => await Promise.resolve(),
  };
  /** Forgets everything, as when its database is emptied. */
  function forget(): void {
    for (const { ended } of workflows.values()) ended.abort(new Error(`forgotten ${randomUUID()}`));
    workflows.clear();
  }
  // A workflow that no worker serves any more would wait for ever.
  afterTests(async () => forget());
  return {
    engine,
    begun,
    /** Makes the engine unreachable or reachable. */
    setAway(away: boolean): void {
      isAway = away;
    },
    forget,
    states: () => [...workflows.values()].map(({ state }) => state.state),
  };
}
