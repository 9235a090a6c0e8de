import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MiB } from '../src/common/units.ts';
import { leaves } from '../src/landscape/model/leaves.ts';
import { hold, ratioOf, type Row, secondsOf } from './contest.ts';
import { type LandscapeService, startLandscapeService } from './landscape-service.ts';
import { drawLeaves, type LeafFiles, moveLeaves } from './leaf-files.ts';
import { pythonWithRasterio } from './peers.ts';

const execute = promisify(execFile);
/** The time of a run is at most the number of its pixels to this power. */
const maxExponent = 1.1;

export interface RunSize {
  /** Of the square grid, pixels; the goals are for 4096. */
  readonly side: number;
  readonly rounds: number;
}

/**
 * Runs the whole graph over 13 aligned leaves of floats beside GDAL, which encodes the same outputs from uncompressed
 * copies; beside a program of rasterio and numpy that computes them; beside a run of half the side; and, with six leaves in
 * another CRS, beside the aligned run.
 */
export async function* runRows({ side, rounds }: RunSize): AsyncGenerator<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-bench-'));
  await using resources = new AsyncDisposableStack();
  resources.defer(async () => await rm(folder, { recursive: true, force: true }));
  const aligned = await drawLeaves(join(folder, 'aligned'), side);
  const half = await drawLeaves(join(folder, 'half'), side / 2);
  const moved = await moveLeaves(aligned, join(folder, 'moved'));
  const service = resources.use(await startFilled(aligned));
  const own = async (): Promise<number> => (await service.run()).seconds;
  const facts = { side };

  const copies = await uncompressedOutputs(service, folder);
  yield {
    ...(await hold(
      {
        name: 'landscape run, aligned leaves',
        peer: 'gdal_translate of the outputs, encoding alone',
        unit: 's',
        goal: { atMost: 1.5 },
        own,
        other: async () => await secondsOf(async () => await encodeAll(copies, side)),
      },
      rounds,
    )),
    facts,
  };

  const outputs = join(folder, 'outputs');
  yield {
    ...(await hold(
      {
        name: 'landscape run, aligned leaves',
        peer: 'rasterio and numpy, by windows',
        unit: 's',
        goal: { atMost: 0.33 },
        own,
        other: async () =>
          await secondsOf(async () => await computeByWindows(join(folder, 'aligned'), outputs)),
      },
      rounds,
    )),
    facts,
  };

  const beside = resources.use(await startFilled(moved));
  yield {
    ...(await hold(
      {
        name: 'landscape run, six leaves in another CRS',
        peer: 'the aligned run',
        unit: 's',
        goal: { atMost: 2 },
        own: async () => (await beside.run()).seconds,
        other: own,
      },
      rounds,
    )),
    facts,
  };

  const smaller = resources.use(await startFilled(half));
  const growth = await hold(
    {
      name: 'landscape run, four times the pixels',
      peer: 'the run of half the side',
      unit: 's',
      goal: { atMost: Math.round(4 ** maxExponent * 100) / 100 },
      own,
      other: async () => (await smaller.run()).seconds,
    },
    rounds,
  );
  yield { ...growth, facts: { ...facts, exponent: Math.round(Math.log2(ratioOf(growth)) * 50) / 100 } };
}

/** A service with these leaves in its slots; one that waits for its turn costs the others nothing. */
async function startFilled(files: LeafFiles): Promise<LandscapeService> {
  const service = await startLandscapeService();
  for (const { key, group } of leaves) await service.fillSlot(group, files.get(key) ?? '');
  return service;
}

async function uncompressedOutputs(service: LandscapeService, folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const id of await service.outputsOf((await service.run()).id)) {
    const [cog, copy] = [join(folder, `${id}.cog.tif`), join(folder, `${id}.tif`)];
    await writeFile(cog, await service.cogOf(id));
    await execute('gdal_translate', ['-q', '-co', 'TILED=YES', cog, copy]);
    // A fast COG that others find fault with would be no gain.
    await execute(pythonWithRasterio, [join(import.meta.dirname, 'run-peers/validate.py'), cog]);
    await rm(cog);
    paths.push(copy);
  }
  return paths;
}

async function encodeAll(paths: readonly string[], side: number): Promise<void> {
  for (const path of paths) {
    const isFloat = (await stat(path)).size > 2 * side * side;
    const options = {
      COMPRESS: 'DEFLATE',
      LEVEL: '1',
      PREDICTOR: isFloat ? 'FLOATING_POINT' : 'NO',
      OVERVIEW_RESAMPLING: isFloat ? 'AVERAGE' : 'MODE',
      BLOCKSIZE: '512',
      NUM_THREADS: 'ALL_CPUS',
    };
    const args = Object.entries(options).flatMap(([name, value]) => ['-co', `${name}=${value}`]);
    await execute('gdal_translate', ['-q', '-of', 'COG', ...args, path, `${path}.cog`], { maxBuffer: MiB });
    await rm(`${path}.cog`);
  }
}

async function computeByWindows(inputs: string, outputs: string): Promise<void> {
  await mkdir(outputs);
  const program = join(import.meta.dirname, 'run-peers/windowed.py');
  await execute(pythonWithRasterio, [program, inputs, outputs]);
  await rm(outputs, { recursive: true });
}
