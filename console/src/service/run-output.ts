import { get } from './request.ts';
import { useResource } from './resource.ts';

/** An output of a run, from the metadata of its dataset. */
export interface RunOutput {
  readonly runId: string;
  readonly node: string;
}

/** Reads the run and node from the metadata of a dataset; undefined if no run has made it. */
export function runOutputOf(meta: Readonly<Record<string, unknown>> | null): RunOutput | undefined {
  const { run_id: runId, node } = meta ?? {};
  return typeof runId === 'string' && typeof node === 'string' ? { runId, node } : undefined;
}

/** The run that has made a dataset, loaded on demand; undefined for an upload. */
export function useRunOf(id: string, isWanted: boolean) {
  return useResource(`run of ${id} ${isWanted}`, async (signal) =>
    isWanted ? runOutputOf((await get('/datasets/{id}', { path: { id }, signal })).meta) : undefined,
  );
}
