import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import gdal from 'gdal-async';
import { hold, type Row, secondsOf } from './contest.ts';
import { noise } from './leaf-files.ts';
import { openBench, secondsToStatus } from './service.ts';

const execute = promisify(execFile);
/** Maximum time of the service, as a share of GDAL's time for a COG of the same file with the same predictor and level. */
const goals = { deflated: 1.2, plain: 1.2, cog: 0.25 } as const;
const names = { deflated: 'deflated tiles', plain: 'plain tiles', cog: 'a valid COG' } as const;
const kinds = ['deflated', 'plain', 'cog'] as const;

export interface RasterSize {
  /** Side of the square raster in pixels; the goals apply to 8192, 268 MB of floats. */
  readonly side: number;
  readonly rounds: number;
}

/**
 * Compares uploading a raster in tiles (deflated and uncompressed) and as a COG with making a COG of the same file by GDAL, in turn. The
 * service is timed from the answer of the upload to `ready`.
 */
export async function* rasterRows({ side, rounds }: RasterSize): AsyncGenerator<Row> {
  await using bench = await openBench();
  const { folder } = bench;
  const paths = await drawRasters(folder, side);
  for (const kind of kinds) {
    const path = paths[kind];
    const row = await hold(
      {
        name: `raster upload to ready, ${names[kind]}`,
        peer: 'gdal_translate -of COG of the same file',
        unit: 's',
        goal: { atMost: goals[kind] },
        own: async () => await secondsToStatus(bench.client, await bench.upload('raster', path), 'ready'),
        other: async () => await secondsOf(async () => await makeCog(path, join(folder, 'peer.tif'))),
      },
      rounds,
    );
    yield { ...row, facts: { side, fileMB: Math.round((await stat(path)).size / 1e6) } };
  }
}

/** Draws smooth values with some noise, once per kind. */
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
