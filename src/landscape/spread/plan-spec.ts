import { join } from 'node:path';
import type { BegunRun } from '../execution/compute-cluster.ts';
import { extraSources } from '../execution/compute-and-count.ts';
import { inspect, type RunDependencies } from '../execution/compute-pass.ts';
import { RunFailed } from '../runs/run-failed.ts';
import { type PassSpec, writtenSources } from './pass-spec.ts';
import { createPassSources } from './sources/pass-sources.ts';

/**
 * Checks the headers of all sources of a pass, and returns its spec. If a source that only the gaps need is unfit, gaps are not counted.
 * @throws {RunFailed}
 */
export async function specOfPass(
  dependencies: RunDependencies,
  { run, pass, gaps }: BegunRun,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<Omit<PassSpec, 'blocks' | 'trace'>> {
  const { bringHeads } = createPassSources(dependencies);
  const files = await bringHeads(pass.sources, { folder: join(folder, 'sources'), signal });
  const wanted = gaps && extraSources(run, pass, gaps);
  const extra =
    wanted &&
    (await bringHeads(wanted, { folder: join(folder, 'extra'), signal }).catch((error: unknown) => {
      if (error instanceof RunFailed) return undefined; // a source was deleted
      throw error;
    }));
  const all = [...files, ...(extra ?? [])];
  const { grid, faults } = await inspect(dependencies, pass, { files: all, folder, signal });
  const isCounted = extra !== undefined && Object.keys(faults).length === 0;
  return {
    grid,
    params: run.params,
    nodes: pass.nodes.map(({ node }) => node.code),
    sources: writtenSources(pass.sources),
    gaps:
      isCounted && gaps !== undefined && wanted !== undefined
        ? { keys: gaps.inputs.map(({ band }) => band.key), sources: writtenSources(wanted) }
        : null,
  };
}
