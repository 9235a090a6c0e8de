import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dossierFailures, dossierWords } from '../../../messages/runs/english.ts';
import { measureFile } from '../../../object-store/measure.ts';
import { graphVersion, nodeByCode } from '../../graph/graph.ts';
import { computePass, type ComputeDependencies } from '../../execution/compute-pass.ts';
import { planPass } from '../../execution/pass.ts';
import { tiledRaster } from '../../execution/publish-outputs.ts';
import { RunFailed } from '../../runs/run-failed.ts';
import type { StoredRun } from '../../runs/run-rows.ts';
import { inputName } from '../rasters.ts';
import type { DossierManifest } from '../manifest-schema.ts';
import { type FileBytes, readMember } from '../read-archive.ts';
import type { Verified } from './verify.ts';

/** A recomputed output. */
export interface Recomputed {
  readonly code: string;
  readonly sha256: string;
  /** SHA-256 in the manifest; null if the output was deleted before the dossier was made. */
  readonly expected: string | null;
}

interface Recomputing {
  readonly verified: Verified;
  readonly file: FileBytes;
  /** An existing empty folder. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** Called with each output as soon as it is known. */
  onOutput(output: Recomputed): void;
}

/**
 * Recomputes every output of a dossier from its inputs, in the sandboxed child processes that runs use.
 * @throws {Error} with a sentence when inputs are missing, or cannot be computed with
 */
export async function recompute(
  dependencies: ComputeDependencies,
  { verified, file, scratch, signal, onOutput }: Recomputing,
): Promise<readonly Recomputed[]> {
  const { manifest, contents, members } = verified;
  if (manifest === undefined || contents?.with.includes('inputs') !== true)
    throw new Error(dossierFailures.noInputs);
  const { graph_version: version } = manifest.run;
  if (version !== graphVersion) throw new Error(dossierFailures.otherGraph(version, graphVersion));
  const unknown = manifest.nodes.filter(({ code }) => nodeByCode(code) === undefined);
  if (unknown.length > 0) throw new Error(dossierFailures.unknownNodes(unknown.map(({ code }) => code)));
  const pathOf = (datasetId: string) => join(scratch, `${datasetId}.tif`);
  for (const { group, dataset_id: id } of manifest.inputs) {
    const member = members.get(inputName(group));
    if (member === undefined) throw new Error(dossierFailures.noInputs);
    await pipeline(Readable.from(readMember(file, member)), createWriteStream(pathOf(id)), { signal });
  }
  const run = storedRunOf(manifest);
  const pass = planOf(run);
  const files = [...pass.sources].map(([key, { datasetId }]) => ({ key, path: pathOf(datasetId) }));
  const folder = join(scratch, 'pass');
  await mkdir(folder);
  const work = {
    files,
    gaps: undefined,
    params: run.params,
    folder,
    signal,
    onProgress: async () => undefined,
  };
  const computed = await computePass(dependencies, pass, work).catch((error: unknown) => {
    throw error instanceof RunFailed
      ? new Error(dossierFailures.notComputed(error.fault.nodeCode, error.fault.error.english), {
          cause: error,
        })
      : error;
  });
  const outputs: Recomputed[] = [];
  for (const passNode of pass.nodes) {
    const { code } = passNode.node;
    const own = join(scratch, `cog-${code}`);
    await mkdir(own);
    const rasters = [tiledRaster(passNode, computed)];
    const [cog] = await dependencies.engines.geo.assembleRasters({ rasters, scratch: own, signal });
    if (cog === undefined) throw new Error('a raster did not come back');
    const { sha256 } = await measureFile(cog.cogPath, signal);
    const expected = manifest.nodes.find((node) => node.code === code)?.output.cog?.sha256 ?? null;
    const output = { code, sha256: sha256.toString('hex'), expected };
    onOutput(output);
    outputs.push(output);
    await rm(own, { recursive: true });
  }
  return outputs;
}

/** Returns the run of a manifest in its state before the computation. */
function storedRunOf({ run, nodes }: DossierManifest): StoredRun {
  return {
    id: run.id,
    status: 'running',
    graphVersion: run.graph_version,
    params: run.params,
    overrides: run.overrides,
    nodes: nodes.map(({ code, fingerprint, inputs, output }) => ({
      code,
      status: 'pending',
      fingerprint,
      inputs: new Map(inputs.map(({ group, dataset_id: id }) => [group, id])),
      outputId: output.dataset_id,
      startDate: null,
      endDate: null,
    })),
  };
}

/** Plans the run. @throws {Error} when the manifest names rasters that are not inputs of the run */
function planOf(run: StoredRun) {
  try {
    return planPass(run);
  } catch (cause) {
    throw new Error(dossierFailures.noInputs, { cause });
  }
}

interface Compared {
  readonly known: readonly Recomputed[];
  readonly differing: readonly Recomputed[];
  /** The local versions of GDAL and PROJ. */
  readonly here: string;
}

/** Returns the conclusion from recomputed outputs; it names versions that differ. */
export function conclusionOf(
  manifest: DossierManifest | undefined,
  { known, differing, here }: Compared,
): readonly string[] {
  if (known.length === 0) return [dossierWords.noneKnown];
  if (differing.length === 0) return [dossierWords.allSame(known.length)];
  const codes = new Set(differing.map(({ code }) => code));
  const makers = manifest?.nodes.filter(({ code }) => codes.has(code)) ?? [];
  const then = new Set(
    makers.map(
      ({ made_by: { gdal, proj } }) =>
        `${gdal ?? 'an unknown GDAL'}, ${proj === null ? 'an unknown PROJ' : `PROJ ${proj}`}`,
    ),
  );
  then.delete(here);
  const cause =
    then.size === 0 ? dossierWords.sameVersions(here) : dossierWords.otherVersions([...then], here);
  return [dossierWords.differing(differing.length), cause];
}
