import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BandFile } from '../compute/landscape-engine.ts';
import { SourceUnreadable } from '../compute/source-errors.ts';
import { zoning } from '../graph/zoning-inputs.ts';
import type { Band } from '../model/bands.ts';
import { elevation } from '../model/leaves.ts';
import { type ComputedPass, computePass, type PassFiles, type RunDependencies } from './compute-pass.ts';
import { type FetchOptions, fetchSources } from './fetch-sources.ts';
import { type GapInputs, zoningOutputOf } from '../gaps/gaps.ts';
import type { Pass, PassSource } from './pass.ts';
import { RunFailed } from '../runs/run-failed.ts';
import type { StoredRun } from '../runs/run-rows.ts';

interface Counted {
  readonly run: StoredRun;
  readonly pass: Pass;
  /** The inputs of the gaps; undefined when the gaps are known. */
  readonly gaps: GapInputs | undefined;
}

/**
 * Computes the nodes of a pass and counts gaps, for which further sources are read. An unfit raster that only the gaps need does not fail
 * the run: gaps are then not counted.
 * @param root where folders for sources are created.
 * @returns undefined when there is no node to compute and no gaps can be counted.
 * @throws {RunFailed}
 */
export async function computeAndCount(
  dependencies: RunDependencies,
  { run, pass, gaps }: Counted,
  work: Omit<PassFiles, 'files' | 'gaps'>,
  root: string,
): Promise<ComputedPass | undefined> {
  const { signal } = work;
  const folder = join(root, 'sources');
  const files =
    pass.sources.size === 0 ? [] : await fetchSources(dependencies, pass.sources, { folder, signal });
  const extraFolder = join(root, 'gap-sources');
  const compute = async (all: readonly BandFile[], keys: readonly string[] | undefined, name: string) => {
    const own = join(work.folder, name);
    await mkdir(own);
    return await computePass(dependencies, pass, { ...work, files: all, gaps: keys, folder: own });
  };
  const extra =
    gaps && (await fetchExtra(dependencies, extraSources(run, pass, gaps), { folder: extraFolder, signal }));
  let computed: ComputedPass | undefined;
  if (gaps !== undefined && extra !== undefined) {
    const keys = gaps.inputs.map(({ band }) => band.key);
    computed = await compute([...files, ...extra], keys, 'counted').catch((error: unknown) => {
      if (error instanceof SourceUnreadable) return undefined; // a source that only the gaps need
      throw error;
    });
  }
  if (computed === undefined && pass.nodes.length > 0) computed = await compute(files, undefined, 'plain');
  for (const each of [folder, extraFolder]) await rm(each, { recursive: true, force: true });
  return computed;
}

/** Returns the rasters that only the gaps need. */
export function extraSources(
  run: StoredRun,
  { nodes, sources }: Pass,
  { inputs, elevationId }: GapInputs,
): ReadonlyMap<string, PassSource> {
  const wanted: { band: Band; datasetId: string }[] = [
    { band: elevation, datasetId: elevationId },
    ...inputs,
  ];
  const zones = zoningOutputOf(run);
  const isComputed = nodes.some(({ node }) => node.code === zoning.code);
  if (!isComputed && zones !== null) wanted.push({ band: zoning.output, datasetId: zones });
  return new Map(
    wanted
      .filter(({ band }) => !sources.has(band.key))
      .map(({ band, datasetId }) => [
        band.key,
        { band, datasetId, firstReader: zoning.code, isOutput: true },
      ]),
  );
}

/** Downloads further sources; undefined when one of them was deleted. */
export async function fetchExtra(
  dependencies: RunDependencies,
  sources: ReadonlyMap<string, PassSource>,
  options: FetchOptions,
): Promise<BandFile[] | undefined> {
  if (sources.size === 0) return [];
  try {
    return await fetchSources(dependencies, sources, options);
  } catch (error) {
    if (error instanceof RunFailed) return undefined;
    throw error;
  }
}
