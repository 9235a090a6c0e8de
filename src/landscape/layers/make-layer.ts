import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attempt, JobHandler } from '../../jobs/handler.ts';
import { publishResult, resultHandler } from '../../jobs/results.ts';
import { zoning } from '../graph/zoning-inputs.ts';
import { computePass, type RunDependencies } from '../execution/compute-pass.ts';
import { fetchSources } from '../execution/fetch-sources.ts';
import type { Pass } from '../execution/pass.ts';
import { readRun } from '../runs/run-rows.ts';
import { inputsOfLayer, knownLayer, layers } from './layers.ts';

/** Creates the handler that makes layers. */
export const createLayerHandler = (dependencies: RunDependencies): JobHandler =>
  resultHandler(layers, async (attempt) => await makeLayer(dependencies, attempt));

async function makeLayer(dependencies: RunDependencies, attempt: Attempt): Promise<void> {
  const { db, engines } = dependencies;
  const row = await db
    .selectFrom('landscape_layers')
    .select(['layer', 'run_id'])
    .where('id', '=', attempt.refId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  const run = row && (await readRun(db, row.run_id));
  if (row === undefined || run === undefined) return; // deleted, or already made
  const layer = knownLayer(row.layer);
  const { sources } = inputsOfLayer(run, layer);
  const pass: Pass = {
    nodes: [],
    layers: [layer],
    sources: new Map(
      sources.map(({ band, datasetId }) => [
        band.key,
        { band, datasetId, firstReader: zoning.code, isOutput: true },
      ]),
    ),
  };
  const { signal } = attempt;
  const inFolder = (name: string) => join(attempt.scratch, name);
  const files = await fetchSources(dependencies, pass.sources, { folder: inFolder('sources'), signal });
  for (const name of ['pass', 'assemble']) await mkdir(inFolder(name));
  const { grid, parts } = await computePass(dependencies, pass, {
    files,
    gaps: undefined,
    params: run.params,
    folder: inFolder('pass'),
    signal,
    onProgress: async () => {},
  });
  const { dataType, noData, name } = layer;
  const [made] = await engines.geo.assembleRasters({
    rasters: [{ ...grid, dataType, noData, parts: parts.get(name) ?? [] }],
    scratch: inFolder('assemble'),
    signal,
  });
  if (made === undefined) throw new Error(`the engine has assembled no layer ${name}`);
  const cog_key = await attempt.store('layer', '.tif', { path: made.cogPath });
  const mesh_key =
    made.meshPath === undefined ? null : await attempt.store('layer', '.mesh', { path: made.meshPath });
  await attempt.publish(
    async (trx) => await publishResult(trx, 'landscape_layers', attempt.refId, { cog_key, mesh_key }),
  );
}
