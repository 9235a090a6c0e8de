import { execFile } from 'node:child_process';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MiB } from '../src/lib/units.ts';
import { leaves } from '../src/landscape/model/leaves.ts';
import { type Contest, hold, ratioOf, type Row, secondsOf } from './contest.ts';
import { type LandscapeService, startLandscapeService } from './landscape-service.ts';
import { drawLeaves, type LeafFiles, moveLeaves } from './leaf-files.ts';
import { cogArguments, pythonWithRasterio } from './peers.ts';
import { makeFolder } from './service.ts';

const execute = promisify(execFile);
/** The time of a run is at most proportional to this power of the number of pixels. */
const maxExponent = 1.1;

export interface RunSize {
  /** Side of the square grid in pixels; the goals apply to 4096. */
  readonly side: number;
  readonly rounds: number;
}

/**
 * Compares a run of the whole graph over 13 aligned leaves of floats with: GDAL encoding the same outputs from uncompressed copies; a
 * program in rasterio and numpy that computes them; a run with half the side; and, for six leaves in another CRS, the aligned run.
 */
export async function* runRows(size: RunSize): AsyncGenerator<Row> {
  const { side, rounds } = size;
  await using bench = await openRunBench(size);
  const { folder, aligned, own } = bench;
  for (const cog of bench.cogs) {
    // A fast COG that other programs reject would be no gain.
    await execute(pythonWithRasterio, [join(import.meta.dirname, 'run-peers/validate.py'), cog]);
  }
  yield await encodingRow(bench, size);

  const outputs = join(folder, 'outputs');
  const beside = async () => await computeByWindows(join(folder, 'aligned'), outputs);
  const windowed = { peer: 'rasterio and numpy, by windows', goal: { atMost: 0.33 } };
  yield await rowOf(size, {
    ...windowed,
    name: 'landscape run, aligned leaves',
    own,
    other: async () => await secondsOf(beside),
  });

  const moved = await bench.start(await moveLeaves(aligned, join(folder, 'moved')));
  const foreign = { peer: 'the aligned run', goal: { atMost: 2 } };
  yield await rowOf(size, {
    ...foreign,
    name: 'landscape run, six leaves in another CRS',
    own: async () => (await moved.run()).seconds,
    other: own,
  });

  const halfSide = { width: side / 2, height: side / 2 };
  const smaller = await bench.start(await drawLeaves(join(folder, 'half'), halfSide));
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
  yield { ...growth, facts: { side, exponent: Math.round(Math.log2(ratioOf(growth)) * 50) / 100 } };
}

/** Compares a run of the graph with GDAL's encoding alone, which needs no other peer. */
export async function* encodingRows(size: RunSize): AsyncGenerator<Row> {
  await using bench = await openRunBench(size);
  yield await encodingRow(bench, size);
}

async function encodingRow({ copies, own }: RunBench, size: RunSize): Promise<Row> {
  return await rowOf(size, {
    name: 'landscape run, aligned leaves',
    peer: 'gdal_translate of the outputs, encoding alone',
    goal: { atMost: 1.5 },
    own,
    other: async () => await secondsOf(async () => await encodeAll(copies, size.side)),
  });
}

async function rowOf({ side, rounds }: RunSize, contest: Omit<Contest, 'unit'>): Promise<Row> {
  return { ...(await hold({ ...contest, unit: 's' }, rounds)), facts: { side } };
}

type RunBench = Awaited<ReturnType<typeof openRunBench>>;

/** Draws the leaves, starts a service with them and runs it once to get the outputs. */
async function openRunBench({ side }: RunSize) {
  await using opening = new AsyncDisposableStack();
  const folder = await makeFolder(opening);
  const aligned = await drawLeaves(join(folder, 'aligned'), { width: side, height: side });
  const service = opening.use(await startFilled(aligned));
  const { cogs, copies } = await uncompressedOutputs(service, folder);
  const opened = opening.move();
  return {
    folder,
    aligned,
    cogs,
    copies,
    own: async (): Promise<number> => (await service.run()).seconds,
    /** Starts another service, which ends with the bench. */
    start: async (files: LeafFiles) => opened.use(await startFilled(files)),
    [Symbol.asyncDispose]: async () => await opened.disposeAsync(),
  };
}

/** Starts a service with these leaves in its slots; it uses no resources while it waits for its turn. */
export async function startFilled(files: LeafFiles): Promise<LandscapeService> {
  const service = await startLandscapeService();
  for (const { key, group } of leaves) await service.fillSlot(group, files.get(key) ?? '');
  return service;
}

async function uncompressedOutputs(service: LandscapeService, folder: string) {
  const [cogs, copies]: [string[], string[]] = [[], []];
  for (const id of await service.outputsOf((await service.run()).id)) {
    const [cog, copy] = [join(folder, `${id}.cog.tif`), join(folder, `${id}.tif`)];
    await writeFile(cog, await service.cogOf(id));
    await execute('gdal_translate', ['-q', '-co', 'TILED=YES', cog, copy]);
    cogs.push(cog);
    copies.push(copy);
  }
  return { cogs, copies };
}

async function encodeAll(paths: readonly string[], side: number): Promise<void> {
  for (const path of paths) {
    const isFloat = (await stat(path)).size > 2 * side * side;
    await execute('gdal_translate', ['-q', ...cogArguments(isFloat), path, `${path}.cog`], {
      maxBuffer: MiB,
    });
    await rm(`${path}.cog`);
  }
}

async function computeByWindows(inputs: string, outputs: string): Promise<void> {
  await mkdir(outputs);
  const program = join(import.meta.dirname, 'run-peers/windowed.py');
  await execute(pythonWithRasterio, [program, inputs, outputs]);
  await rm(outputs, { recursive: true });
}
