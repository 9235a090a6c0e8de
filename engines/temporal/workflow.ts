import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { carryPass, type PassInput, type PassSteps } from '../../src/landscape/spread/pass-workflow.ts';

/** Steps of a pass that wait for a worker or are under way, at most. */
const atOnce = 200;

// Attempts count deaths of workers: an outage is waited out inside of an attempt.
const steps = proxyActivities<PassSteps>({
  startToCloseTimeout: '3h',
  heartbeatTimeout: '10s',
  retry: { maximumInterval: '60s', maximumAttempts: 20 },
});

/** Carries a pass through its steps, in as many workflows as its history needs. */
export async function landscapePass(input: PassInput): Promise<void> {
  const shouldRenew = (): boolean => workflowInfo().continueAsNewSuggested;
  const next = await carryPass(input, steps, { atOnce, shouldRenew });
  if (next !== undefined) await continueAsNew<typeof landscapePass>({ ...input, next });
}
