import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { leaves } from '../../../src/landscape/model/leaves.ts';
import type { LandscapeRun } from '../../../src/landscape/runs/schema.ts';
import { createLocalCluster } from '../../../src/landscape/execution/local-cluster.ts';
import { installationOf } from '../../../src/landscape/spread/passes.ts';
import { createSpreadCluster } from '../../../src/landscape/spread/spread-cluster.ts';
import { queueOf } from '../../../src/landscape/spread/stamp.ts';
import { openStepScratch } from '../../../src/landscape/spread/step-scratch.ts';
import { createSteps } from '../../../src/landscape/spread/steps.ts';
import type { WorkflowEngine } from '../../../src/landscape/spread/workflow-engine.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { fixture } from '../geo/engine.ts';
import type { Faults, MakeCluster, startRuns } from './runs.ts';

type Runs = Awaited<ReturnType<typeof startRuns>>;

/** The smallest side of a block; the grid of `fillWide` has two blocks. */
export const blockSide = 512;
const wide: { readonly width: number; readonly height: number; readonly options?: string[] } = {
  width: 600,
  height: 48,
};

/** Fills the slots; the elevation, and therefore the grid, is wider than a tile. */
export async function fillWide(runs: Runs, { width, height, options = [] } = wide): Promise<void> {
  for (const { key } of leaves) if (key !== 'dem') await runs.fill(key);
  const { default: gdal } = await import('gdal-async'); // imported after the engines have chosen its drivers
  const folder = await mkdtemp(join(tmpdir(), 'steppe-wide-'));
  const path = join(folder, 'dem.tif');
  const small = gdal.open(fixture('landscape/golden/dem.tif'));
  const { x, y } = small.rasterSize;
  const size = { buffer_width: width, buffer_height: height };
  const pixels = small.bands.get(1).pixels.read(0, 0, x, y, undefined, size);
  const large = gdal.open(path, 'w', 'GTiff', width, height, 1, gdal.GDT_Float32, options);
  const [left = 0, resX = 0, , top = 0, , resY = 0] = small.geoTransform ?? [];
  large.geoTransform = [left, (resX * x) / width, 0, top, 0, (resY * y) / height];
  large.srs = small.srs;
  large.bands.get(1).noDataValue = small.bands.get(1).noDataValue;
  large.bands.get(1).pixels.write(0, 0, width, height, pixels);
  for (const dataset of [large, small]) dataset.close();
  await runs.addBytes('landscape-in-dem', createReadStream(path));
  await rm(folder, { recursive: true });
}

/** Workers of a workflow engine, and the executor of passes on them. */
export async function openSpreading(runs: Runs, engine: WorkflowEngine) {
  const { db } = runs;
  const installation = await installationOf(db);
  const scratch = await openStepScratch(runs.scratchRoot);
  const placeOf = (stamp: string) => ({
    stamp,
    queue: queueOf({ stamp, workflowDigest: engine.workflowDigest, installation }),
  });
  const spreading = {
    installation,
    scratch,
    placeOf,
    /** Steps of a worker of a stamp, with faults in its engines, and with a view of the store of its own. */
    steps: (stamp: string, faults: Faults = {}, store: ObjectStore = runs.store) =>
      createSteps({
        db,
        objectStore: { ...store, link: neverLinked },
        engines: faultyEngines(runs, faults),
        stamp,
        scratch,
      }),
    serve: (stamp: string, faults: Faults = {}) =>
      engine.serve({ queue: placeOf(stamp).queue, steps: spreading.steps(stamp, faults), slots: 2 }),
    cluster:
      (stamp: string, { spreadPixels = 1 } = {}): MakeCluster =>
      (dependencies) =>
        createSpreadCluster({
          ...dependencies,
          ...placeOf(stamp),
          engine,
          installation,
          local: createLocalCluster(dependencies),
          spreadPixels,
          blockSide,
          pollEveryMs: 20,
          log: pino({ level: process.env['STEPPE_TEST_LOG'] ?? 'silent' }),
        }),
    close: async () => await scratch.close(),
  };
  return spreading;
}

/** Another machine cannot hard-link its files; it brings parts instead. */
const neverLinked = async (): Promise<false> => await Promise.resolve(false);

function faultyEngines({ engines }: Runs, { geo, landscape }: Faults) {
  return { geo: { ...engines.geo, ...geo }, landscape: { ...engines.landscape, ...landscape } };
}

/** The same runs, where each worker that takes jobs has a worker for steps with the same faults. */
export function withWorkers(runs: Runs, serve: (faults?: Faults) => { close(): Promise<void> }): Runs {
  return {
    ...runs,
    start(faults, makeCluster) {
      const taking = serve(faults);
      const worker = runs.start(faults, makeCluster);
      const stop = async () => void (await Promise.all([worker.stop(), taking.close()]));
      return { stop, [Symbol.asyncDispose]: stop };
    },
    async execute(body, faults, makeCluster) {
      const taking = serve(faults);
      try {
        return await runs.execute(body, faults, makeCluster);
      } finally {
        await taking.close();
      }
    },
  };
}

/** SHA-256 of the outputs of a run, by code of the node. */
export async function digestsOf({ db }: Runs, run: LandscapeRun): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('landscape_run_nodes')
    .innerJoin('dataset_files', 'dataset_files.dataset_id', 'landscape_run_nodes.output_id')
    .innerJoin('objects', 'objects.key', 'dataset_files.object_key')
    .select(['node_code', 'sha256'])
    .where('run_id', '=', run.id)
    .where('kind', '=', 'cog')
    .where('landscape_run_nodes.status', '=', 'succeeded')
    .orderBy('node_code')
    .execute();
  return new Map(rows.map(({ node_code, sha256 }) => [node_code, sha256?.toString('hex') ?? '']));
}
