import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { carryPass, type PassInput, type PassSteps } from '../../src/landscape/spread/pass-workflow.ts';

/** The maximum number of steps of a pass that wait for a worker or run. */
const atOnce = 200;

// Attempts count deaths of workers: an outage is waited for within an attempt.
const steps = proxyActivities<PassSteps>({
  startToCloseTimeout: '3h',
  heartbeatTimeout: '10s',
  retry: { maximumInterval: '60s', maximumAttempts: 20 },
});

/** Executes the steps of a pass, in as many workflows as the length of their history requires. */
export async function landscapePass(input: PassInput): Promise<void> {
  const shouldRenew = (): boolean => workflowInfo().continueAsNewSuggested;
  const next = await carryPass(input, steps, { atOnce, shouldRenew });
  if (next !== undefined) await continueAsNew<typeof landscapePass>({ ...input, next });
}
