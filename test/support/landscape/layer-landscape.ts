import assert from 'node:assert/strict';
import { join } from 'node:path';
import { leaves } from '../../../src/landscape/model/leaves.ts';
import { layerOf, type MadeLayer } from '../../../src/landscape/layers/layers.ts';
import type { LandscapeRun } from '../../../src/landscape/runs/schema.ts';
import { eventually } from '../processes.ts';
import type { Faults, startRuns } from './runs.ts';

type Runs = Awaited<ReturnType<typeof startRuns>>;

/** Fills the slots with the leaves of the demonstration. */
export async function fillDemonstration(runs: Runs): Promise<void> {
  for (const { key, group } of leaves) await runs.addRaster(group, `../../examples/landscape/${key}.tif`);
}

/** Makes the layer of a run with a worker. */
export async function madeLayer(runs: Runs, runId: string, faults: Faults = {}): Promise<MadeLayer> {
  const worker = runs.start(faults);
  try {
    return await eventually('the layer', async () => {
      const layer = await layerOf(runs, runId, 'cells');
      return layer.isPending ? undefined : layer;
    });
  } finally {
    await worker.stop();
  }
}

/** Pixels of a stored COG, row by row. */
export async function pixelsOf({ store }: Runs, key: string): Promise<Uint8Array | Uint16Array> {
  // The engine must trim GDAL's drivers before other code loads GDAL.
  const { default: gdal } = await import('gdal-async');
  const raster = gdal.open(join(store.root, key));
  const { x: width, y: height } = raster.rasterSize;
  const values = raster.bands.get(1).pixels.read(0, 0, width, height);
  raster.close();
  assert.ok(values instanceof Uint8Array || values instanceof Uint16Array);
  return values;
}

/** Pixels of the output of a node. */
export async function outputPixels(runs: Runs, run: LandscapeRun, code: string): Promise<Uint8Array> {
  const node = run.nodes?.find((each) => each.node_code === code);
  const row = await runs.db
    .selectFrom('dataset_files')
    .select('object_key')
    .where('dataset_id', '=', node?.outputs?.[0]?.dataset_id ?? '')
    .where('kind', '=', 'cog')
    .executeTakeFirstOrThrow();
  const pixels = await pixelsOf(runs, row.object_key);
  assert.ok(pixels instanceof Uint8Array);
  return pixels;
}
