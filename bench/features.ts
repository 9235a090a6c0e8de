import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hold, type Row, secondsOf } from './contest.ts';
import { noise } from './leaf-files.ts';
import { openBench, secondsToStatus } from './service.ts';

const run = promisify(execFile);
const formats = {
  shapefile: {
    options: ['-f', 'ESRI Shapefile', '-lco', 'ENCODING=UTF-8'],
    made: 'parcels.shz',
    sent: 'parcels.zip',
  },
  GeoPackage: { options: ['-f', 'GPKG'], made: 'parcels.gpkg', sent: 'parcels.gpkg' },
} as const;
const formatNames = ['shapefile', 'GeoPackage'] as const;

export interface TableSize {
  /** Number of points, each with eight columns; the goal applies to 200,000. */
  readonly rows: number;
  readonly rounds: number;
}

/**
 * Compares uploading points with attributes as a shapefile and as a GeoPackage with writing GeoJSON by ogr2ogr, in turn; in seconds to
 * `ready`.
 */
export async function* featureRows({ rows, rounds }: TableSize): AsyncGenerator<Row> {
  await using bench = await openBench();
  const { client, folder } = bench;
  const source = join(folder, 'parcels.geojson');
  await writePoints(source, rows);
  for (const format of formatNames) {
    const { options, made, sent } = formats[format];
    const path = join(folder, made);
    await run('ogr2ogr', [...options, '-nln', 'parcels', path, source]);
    yield await hold(
      {
        name: `${format} of ${rows.toLocaleString('en')} rows to ready`,
        peer: 'ogr2ogr to GeoJSON of the same file',
        unit: 's',
        // ogr2ogr writes every point; the service unites them, and compresses its answer twice.
        goal: { atMost: 6 },
        async own() {
          return await secondsToStatus(client, await bench.upload('vector', path, sent), 'ready');
        },
        async other() {
          const out = join(folder, 'out.geojson');
          const seconds = await secondsOf(async () => await run('ogr2ogr', ['-f', 'GeoJSON', out, path]));
          await rm(out);
          return seconds;
        },
      },
      rounds,
    );
  }
}

/** Writes points in Kazakhstan with texts, whole numbers, fractions and dates. */
export async function writePoints(path: string, rows: number): Promise<void> {
  await using file = await open(path, 'w');
  await file.write('{"type":"FeatureCollection","features":[');
  const rowsAtOnce = 5_000;
  for (let first = 0; first < rows; first += rowsAtOnce) {
    const features = Array.from({ length: Math.min(rowsAtOnce, rows - first) }, (_, at) =>
      JSON.stringify(pointOf(first + at)),
    );
    await file.write(`${first === 0 ? '' : ','}\n${features.join(',\n')}`);
  }
  await file.write('\n]}\n');
}

function pointOf(number: number) {
  const share = (salt: number) => noise(number, salt);
  return {
    type: 'Feature',
    properties: {
      kato: String(110_000_000 + (number % 9_000)),
      name: `Участок № ${number}`,
      crop: ['пшеница', 'ячмень', 'подсолнечник'][number % 3],
      cadastre: `01-${number % 300}-${number}`,
      hectares: Number((share(1) * 400).toFixed(2)),
      yield: Number((share(2) * 30).toFixed(3)),
      heads: Math.floor(share(3) * 5_000),
      sown: `2024-05-${String(1 + (number % 28)).padStart(2, '0')}`,
    },
    geometry: {
      type: 'Point',
      coordinates: [Number((47 + 40 * share(4)).toFixed(6)), Number((41 + 14 * share(5)).toFixed(6))],
    },
  };
}
