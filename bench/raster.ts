import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import gdal from 'gdal-async';
import { createClient } from '../test/support/client.ts';
import { startService } from '../test/support/service.ts';
import { round } from './memory.ts';

const execute = promisify(execFile);
/** The goals are for 8192, 268 MB of floats; a smaller side is quicker to look at. */
const side = Number(process.env['BENCH_SIDE'] ?? 8192);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Most time of the service, as a share of GDAL's for a COG of the same file with the same predictor and level. */
const goals = { deflated: 1.2, plain: 1.2, cog: 0.25 } as const;
const kinds = ['deflated', 'plain', 'cog'] as const;

/**
 * Uploads a raster in tiles, deflated and plain, and as a COG, and has GDAL make a COG of the same file, in turn; prints
 * the seconds from the answer of the upload to `ready`, GDAL's, and the ratio of the medians, as one line of JSON a kind.
 */
export async function benchRaster(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-bench-'));
  const paths = await drawRasters(folder);
  await using service = await startService({ env: { LOG_LEVEL: 'warn' } });
  const categoryId = await createClient(service.baseUrl).createCategory('bench');
  for (const kind of kinds) {
    const path = paths[kind];
    const [own, peer]: [number[], number[]] = [[], []];
    for (let i = 0; i < rounds; i += 1) {
      own.push(await secondsToReady(service.baseUrl, categoryId, path));
      const startedMs = performance.now();
      await makeCog(path, join(folder, 'peer.tif'));
      peer.push((performance.now() - startedMs) / 1000);
    }
    const goal = goals[kind];
    const ratio = Math.round((median(own) / median(peer)) * 100) / 100;
    const fileMB = Math.round((await stat(path)).size / 1e6);
    const seconds = own.map(round);
    console.log(
      JSON.stringify({
        bench: 'raster',
        kind,
        side,
        fileMB,
        seconds,
        gdalSeconds: peer.map(round),
        ratio,
        goal,
      }),
    );
    if (ratio > goal) process.exitCode = 1;
  }
  await rm(folder, { recursive: true });
}

/** Draws smooth values with some noise, once a kind. */
async function drawRasters(folder: string) {
  const [plain, deflated, cog] = ['plain', 'deflated', 'cog'].map((name) => join(folder, `${name}.tif`));
  if (plain === undefined || deflated === undefined || cog === undefined) throw new Error('no paths');
  const raster = gdal.drivers.get('GTiff').create(plain, side, side, 1, 'Float32', { TILED: 'YES' });
  raster.srs = gdal.SpatialReference.fromEPSG(32642);
  raster.geoTransform = [455_000, 10, 0, 4_591_000, 0, -10];
  const band = raster.bands.get(1);
  band.noDataValue = -9999;
  const values = new Float32Array(side * 256);
  for (let y0 = 0; y0 < side; y0 += 256) {
    const rows = Math.min(256, side - y0);
    for (let i = 0; i < rows * side; i += 1) {
      const [x, y] = [i % side, y0 + Math.floor(i / side)];
      values[i] = 800 + 400 * Math.sin(x / 190) * Math.cos(y / 130) + 2 * noise(x, y);
    }
    band.pixels.write(0, y0, side, rows, values.subarray(0, rows * side));
  }
  raster.close();
  const options = ['TILED=YES', 'COMPRESS=DEFLATE', 'PREDICTOR=3', 'NUM_THREADS=2'];
  await execute('gdal_translate', ['-q', ...options.flatMap((option) => ['-co', option]), plain, deflated]);
  await makeCog(plain, cog);
  return { plain, deflated, cog };
}

/** 0 to 1, the same for the same pixel. */
function noise(x: number, y: number): number {
  const mixed = Math.imul(Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663), 2_654_435_761);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

async function secondsToReady(baseUrl: string, categoryId: string, path: string): Promise<number> {
  const body = new FormData();
  body.set('file_type', 'raster');
  body.set('category_id', categoryId);
  body.set('file', await openAsBlob(path), 'raster.tif');
  const answer = await fetch(`${baseUrl}/datasets`, { method: 'POST', body });
  const startedMs = performance.now();
  if (answer.status !== 201) throw new Error(`the upload answers ${answer.status}: ${await answer.text()}`);
  const { id }: { id: string } = JSON.parse(await answer.text());
  for (;;) {
    const { status }: { status: string } = JSON.parse(
      await (await fetch(`${baseUrl}/datasets/${id}/status`)).text(),
    );
    if (status === 'ready') return (performance.now() - startedMs) / 1000;
    if (status === 'failed') throw new Error('the raster failed');
    await sleep(50);
  }
}

async function makeCog(fromPath: string, toPath: string): Promise<void> {
  const options = {
    COMPRESS: 'DEFLATE',
    PREDICTOR: 'FLOATING_POINT',
    OVERVIEW_RESAMPLING: 'AVERAGE',
    OVERVIEWS: 'IGNORE_EXISTING',
    NUM_THREADS: '2',
  };
  const args = Object.entries(options).flatMap(([name, value]) => ['-co', `${name}=${value}`]);
  await rm(toPath, { force: true });
  await execute('gdal_translate', ['-q', '-of', 'COG', ...args, fromPath, toPath]);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
