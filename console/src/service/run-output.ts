import { get } from './request.ts';
import { useResource } from './resource.ts';

/** An output of a run, as the metadata of its dataset say. */
export interface RunOutput {
  readonly runId: string;
  readonly node: string;
}

/** Reads from the metadata of a dataset which run has made it; undefined for any other dataset. */
export function runOutputOf(meta: Readonly<Record<string, unknown>> | null): RunOutput | undefined {
  const { run_id: runId, node } = meta ?? {};
  return typeof runId === 'string' && typeof node === 'string' ? { runId, node } : undefined;
}

/** The run that has made a dataset, read once it is wanted; undefined for a dataset of a person. */
export function useRunOf(id: string, isWanted: boolean) {
  return useResource(`run of ${id} ${isWanted}`, async (signal) =>
    isWanted ? runOutputOf((await get('/datasets/{id}', { path: { id }, signal })).meta) : undefined,
  );
}
