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
import { hold, type Row, secondsOf } from './contest.ts';
import { noise } from './leaf-files.ts';

const execute = promisify(execFile);
/** Most time of the service, as a share of GDAL's for a COG of the same file with the same predictor and level. */
const goals = { deflated: 1.2, plain: 1.2, cog: 0.25 } as const;
const names = { deflated: 'deflated tiles', plain: 'plain tiles', cog: 'a valid COG' } as const;
const kinds = ['deflated', 'plain', 'cog'] as const;

export interface RasterSize {
  /** Side of the square raster, pixels; the goals are for 8192, 268 MB of floats. */
  readonly side: number;
  readonly rounds: number;
}

/**
 * Uploads a raster in tiles, deflated and plain, and as a COG, and has GDAL make a COG of the same file, in turn. Times are
 * from the answer of the upload to `ready`.
 */
export async function* rasterRows({ side, rounds }: RasterSize): AsyncGenerator<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'steppe-bench-'));
  await using resources = new AsyncDisposableStack();
  resources.defer(async () => await rm(folder, { recursive: true, force: true }));
  const paths = await drawRasters(folder, side);
  const service = resources.use(await startService({ env: { LOG_LEVEL: 'warn' } }));
  const categoryId = await createClient(service.baseUrl).createCategory('bench');
  for (const kind of kinds) {
    const path = paths[kind];
    const row = await hold(
      {
        name: `raster upload to ready, ${names[kind]}`,
        peer: 'gdal_translate -of COG of the same file',
        unit: 's',
        goal: { atMost: goals[kind] },
        own: async () => await secondsToReady(service.baseUrl, categoryId, path),
        other: async () => await secondsOf(async () => await makeCog(path, join(folder, 'peer.tif'))),
      },
      rounds,
    );
    yield { ...row, facts: { side, fileMB: Math.round((await stat(path)).size / 1e6) } };
  }
}

/** Draws smooth values with some noise, once a kind. */
async function drawRasters(folder: string, side: number) {
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
