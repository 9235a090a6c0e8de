import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import gdal from 'gdal-async';
import type { DatasetAreas } from '../src/areas/areas-schema.ts';
import { hold, type Row, secondsOf } from './contest.ts';
import { pythonWithRasterio } from './peers.ts';
import { openBench, secondsToStatus } from './service.ts';

const execute = promisify(execFile);
const program = fileURLToPath(new URL('area-peers/areas.py', import.meta.url));
const seeds = new URL('../seeds/districts/', import.meta.url);
const again = 20;

export interface AreaSize {
  /** Side of the raster of Kazakhstan in pixels; the goal applies to 4096, 16.8 million pixels. */
  readonly side: number;
  readonly rounds: number;
}

/**
 * Compares counting the classes of a zoning in all 244 units by the service with exactextract on the same file, in turn. The service is
 * timed from the first request to its answer, including job, child process and table. A further figure is the same request repeated.
 */
export async function* areaRows({ side, rounds }: AreaSize): AsyncGenerator<Row> {
  await using bench = await openBench();
  const { client, folder, service } = bench;
  const units = join(folder, 'units.geojson');
  await writeUnits(units);
  const repeated: number[] = [];
  let path = '';
  const row = await hold(
    {
      name: `areas of ${(side * side).toLocaleString('en')} pixels by 244 units`,
      peer: 'exactextract, on a sphere',
      unit: 's',
      goal: { atMost: 1 },
      async own() {
        // Equal pixels would not be counted again.
        path = join(folder, `zoning-${repeated.length}.tif`);
        drawZoning(path, side, repeated.length);
        const id = await bench.upload('raster', path);
        await secondsToStatus(client, id, 'ready');
        // Statistics are counted in any case, before the areas are requested.
        while ((await fetch(`${service.baseUrl}/datasets/${id}/statistics`)).status === 404) await sleep(100);
        const url = `${service.baseUrl}/datasets/${id}/areas?by=all&wait=60`;
        const ask = async () => {
          const answer = await fetch(url);
          const areas: DatasetAreas = JSON.parse(await answer.text());
          if (answer.status !== 200 || areas.rows.length !== 244)
            throw new Error('the areas were not counted');
        };
        const seconds = await secondsOf(ask);
        const times: number[] = [];
        for (let i = 0; i < again; i += 1) times.push(await secondsOf(ask));
        repeated.push(times.toSorted((one, other) => one - other)[again / 2] ?? Number.NaN);
        return seconds;
      },
      other: async () =>
        await secondsOf(
          async () => await execute(pythonWithRasterio, [program, path, units, join(folder, 'peer.json')]),
        ),
    },
    rounds,
  );
  const ms = repeated.map((seconds) => Math.round(seconds * 1000)).join(', ');
  yield { ...row, facts: { side, againMs: ms } };
}

async function writeUnits(path: string): Promise<void> {
  const levels = await Promise.all(
    ['regions', 'districts'].map(
      async (level) => await readFile(new URL(`${level}.geojsonl`, seeds), 'utf8'),
    ),
  );
  const features = levels.flatMap((text) => text.trim().split('\n'));
  await writeFile(path, `{"type":"FeatureCollection","features":[${features.join(',')}]}`);
}

/** Draws forty zones in squares of 16 pixels, with holes. */
function drawZoning(path: string, side: number, seed: number): void {
  const raster = gdal.drivers
    .get('GTiff')
    .create(path, side, side, 1, 'Byte', { TILED: 'YES', COMPRESS: 'DEFLATE' });
  raster.srs = gdal.SpatialReference.fromEPSG(4326);
  raster.geoTransform = [46.4, 41 / side, 0, 55.5, 0, -15 / side];
  const band = raster.bands.get(1);
  band.noDataValue = 0;
  const values = new Uint8Array(side * side);
  for (let i = 0; i < values.length; i += 1) {
    const [column, row] = [i % side, Math.floor(i / side)];
    const field = Math.imul((column >> 4) + 1 + seed, 2_654_435_761) ^ Math.imul((row >> 4) + 1, 40_503);
    values[i] = (column * 7 + row * 13) % 53 === 0 ? 0 : 1 + ((field >>> 8) % 40);
  }
  band.pixels.write(0, 0, side, side, values);
  raster.close();
}
