import type { Client } from './generated/client/index.js';
import { getDataset, getDatasetStatus, getLandscapeRun } from './generated/sdk.gen.js';
import type { Dataset, LandscapeRun } from './generated/types.gen.js';
import { SteppeError } from './errors.js';
import { pause } from './steppe.js';

const settled: readonly string[] = ['awaiting_mapping', 'ready', 'failed'];

/**
 * Waits by long polls until a dataset is `ready`, or waits for its mapping, and returns it.
 * @throws {SteppeError} with the reason when it has failed. @throws the reason of `signal` when that aborts.
 */
export async function settledDataset(
  client: Client,
  id: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Dataset> {
  const common = { client, path: { id }, ...(signal === undefined ? {} : { signal }) };
  let { status, parse_error: reason } = await getDatasetStatus(common);
  while (!settled.includes(status))
    ({ status, parse_error: reason } = await getDatasetStatus({
      ...common,
      query: { current: status, wait: 25 },
    }));
  if (status === 'failed') throw new SteppeError(reason ?? `dataset ${id} has failed`);
  return await getDataset(common);
}

/**
 * Waits until a run has ended, and returns it with its nodes.
 * @throws {SteppeError} with the reason when it has failed. @throws the reason of `signal` when that aborts.
 */
export async function settledRun(
  client: Client,
  id: string,
  { signal, everySeconds = 1 }: { readonly signal?: AbortSignal; readonly everySeconds?: number } = {},
): Promise<LandscapeRun> {
  for (;;) {
    const run = await getLandscapeRun({ client, path: { id }, ...(signal === undefined ? {} : { signal }) });
    if (run.status === 'failed') throw new SteppeError(run.error ?? `run ${id} has failed`);
    if (run.status === 'succeeded') return run;
    await pause(everySeconds * 1000, signal);
  }
}
