import { stepSeconds, steps as counter } from '../../metrics/instruments.ts';
import { PassGone } from './failures.ts';
import { RunFailed } from '../runs/run-failed.ts';
import type { StepCall } from './pass-workflow.ts';
import type { WorkerSteps } from './workflow-engine.ts';

/** Counts the outcomes of steps, and measures the duration of successful ones. */
export function withMetrics(steps: WorkerSteps): WorkerSteps {
  const measured =
    <Input>(step: string, work: (input: Input, call: StepCall) => Promise<void>) =>
    async (input: Input, call: StepCall): Promise<void> => {
      const measure = stepSeconds.startTimer({ step });
      try {
        await work(input, call);
        measure();
        counter.inc({ step, ending: 'done' });
      } catch (error) {
        counter.inc({ step, ending: endingOf(error, call.signal) });
        throw error;
      }
    };
  return {
    computeBlock: measured('compute-block', steps.computeBlock),
    judgePixels: measured('judge-pixels', steps.judgePixels),
    publishOutputs: measured('publish-outputs', steps.publishOutputs),
  };
}

/** Returns the outcome: `failed` ends the run; `again` is retried; `dropped` is no longer needed, or left to another worker. */
function endingOf(error: unknown, signal: AbortSignal): 'failed' | 'again' | 'dropped' {
  if (signal.aborted || error instanceof PassGone) return 'dropped';
  return error instanceof RunFailed ? 'failed' : 'again';
}
