import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import gdal from 'gdal-async';
import { MiB } from '../src/common/units.ts';
import { leaves, type Leaf } from '../src/landscape/model/leaves.ts';
import { startService } from '../test/support/service.ts';
import { round } from './memory.ts';

const execute = promisify(execFile);
/** The goal is for 4096; a smaller side is quicker to look at. */
const side = Number(process.env['BENCH_SIDE'] ?? 4096);
const rounds = 3;
const maxRatio = 1.5;

/**
 * Runs the whole graph over 13 aligned leaves of floats, and has GDAL encode the same 19 outputs from uncompressed copies,
 * in turn; prints the medians and their ratio as one line of JSON.
 */
export async function benchRun(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-bench-'));
  await using service = await startService({ env: { LOG_LEVEL: 'warn', LANDSCAPE_MAX_PIXELS: '1e9' } });
  const ask = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const answer = await fetch(service.baseUrl + path, init);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return JSON.parse(await answer.text());
  };
  for (const leaf of leaves) await fillSlot(ask, leaf, await drawLeaf(folder, leaf));

  const [own, peer]: [number[], number[]] = [[], []];
  let copies: readonly string[] = [];
  for (let i = 0; i < rounds; i += 1) {
    const { id, seconds } = await runOnce(ask);
    own.push(seconds);
    if (copies.length === 0) copies = await uncompressedOutputs(ask, service.baseUrl, id, folder);
    peer.push(await secondsOf(async () => await encodeAll(copies)));
  }
  const ratio = median(own) / median(peer);
  console.log(
    JSON.stringify({
      bench: 'run',
      side,
      outputs: copies.length,
      seconds: own.map(round),
      gdalEncodingSeconds: peer.map(round),
      ratio: Math.round(ratio * 100) / 100,
      goal: maxRatio,
    }),
  );
  await rm(folder, { recursive: true });
  if (ratio > maxRatio) process.exitCode = 1;
}

type Ask = <T>(path: string, init?: RequestInit) => Promise<T>;

/** Draws a leaf of smooth values with some noise, over the whole of its range or all of its classes. */
async function drawLeaf(folder: string, leaf: Leaf): Promise<string> {
  const path = join(folder, `${leaf.key}.tif`);
  const options = { TILED: 'YES', COMPRESS: 'DEFLATE', ZLEVEL: '1', PREDICTOR: '3', NUM_THREADS: 'ALL_CPUS' };
  const raster = gdal.drivers.get('GTiff').create(path, side, side, 1, 'Float32', options);
  raster.srs = gdal.SpatialReference.fromEPSG(32642);
  raster.geoTransform = [455_000, 30, 0, 4_591_000, 0, -30];
  const band = raster.bands.get(1);
  band.noDataValue = -32_768;
  const [least, most] = leaf.type === 'float32' ? (leaf.range ?? [0, 1000]) : [0, 1];
  const values = new Float32Array(side * 256);
  for (let y0 = 0; y0 < side; y0 += 256) {
    const rows = Math.min(256, side - y0);
    for (let i = 0; i < rows * side; i += 1) {
      const [x, y] = [i % side, y0 + Math.floor(i / side)];
      const share = 0.5 + 0.4 * Math.sin(x / 190) * Math.cos(y / 130) + 0.02 * noise(x, y);
      values[i] =
        leaf.type === 'float32'
          ? least + (most - least) * share * 0.3
          : (leaf.classes[Math.floor(noise(x >> 6, y >> 6) * leaf.classes.length)] ?? 0);
    }
    band.pixels.write(0, y0, side, rows, values.subarray(0, rows * side));
  }
  raster.close();
  return path;
}

/** 0 to 1, the same for the same pixel. */
function noise(x: number, y: number): number {
  const mixed = Math.imul(Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663), 2_654_435_761);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

async function fillSlot(ask: Ask, { group }: Leaf, path: string): Promise<void> {
  const body = new FormData();
  body.set('file', new File([await readFile(path)], 'leaf.tif'));
  const { id } = await ask<{ id: string }>(`/landscape/slots/${group}`, { method: 'POST', body });
  for (;;) {
    const { status } = await ask<{ status: string }>(`/datasets/${id}/status`);
    if (status === 'ready') return;
    if (status === 'failed') throw new Error(`the leaf of ${group} failed`);
    await sleep(200);
  }
}

interface Run {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly nodes: readonly { readonly outputs: readonly { readonly dataset_id: string }[] | null }[];
}

async function runOnce(ask: Ask): Promise<{ readonly id: string; readonly seconds: number }> {
  const startedMs = performance.now();
  const { id } = await ask<Run>('/landscape/runs', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from_stage: 0 }),
  });
  for (;;) {
    const { status, error } = await ask<Run>(`/landscape/runs/${id}`);
    if (status === 'succeeded') return { id, seconds: (performance.now() - startedMs) / 1000 };
    if (status === 'failed') throw new Error(`the run failed: ${error}`);
    await sleep(100);
  }
}

async function uncompressedOutputs(
  ask: Ask,
  baseUrl: string,
  runId: string,
  folder: string,
): Promise<string[]> {
  const { nodes } = await ask<Run>(`/landscape/runs/${runId}`);
  const paths: string[] = [];
  for (const id of nodes.flatMap(({ outputs }) => outputs?.map(({ dataset_id }) => dataset_id) ?? [])) {
    const [cog, copy] = [join(folder, `${id}.cog.tif`), join(folder, `${id}.tif`)];
    await writeFile(cog, Buffer.from(await (await fetch(`${baseUrl}/datasets/${id}.cog`)).arrayBuffer()));
    await execute('gdal_translate', ['-q', '-co', 'TILED=YES', cog, copy]);
    paths.push(copy);
  }
  return paths;
}

async function encodeAll(paths: readonly string[]): Promise<void> {
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

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
