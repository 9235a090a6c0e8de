import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hold, type Row, secondsOf } from './contest.ts';
import { noise } from './leaf-files.ts';
import { openBench, secondsToStatus } from './service.ts';

const run = promisify(execFile);
/** Vertices on each side of a cell, shared by both neighbours. */
const verticesPerSide = 20;
const stepDegrees = 0.05;
const [west, south] = [60, 42] as const;

export interface MeshSize {
  /** Cells along a side of the mesh; the goal applies to 150: 22,500 polygons with 1.8 million vertices. */
  readonly cells: number;
  readonly rounds: number;
}

/** Compares uploading adjacent polygons with uniting the same file by ST_Union in ogr2ogr, in turn; in seconds to `ready`. */
export async function* dissolveRows({ cells, rounds }: MeshSize): AsyncGenerator<Row> {
  await using bench = await openBench();
  const { client, folder } = bench;
  const mesh = join(folder, 'mesh.geojson');
  await writeMesh(mesh, cells);
  const union = ['-dialect', 'sqlite', '-sql', 'select ST_Union(geometry) as geometry from mesh'];
  yield await hold(
    {
      name: `dissolve of ${(cells * cells).toLocaleString('en')} touching polygons`,
      peer: 'ogr2ogr with ST_Union',
      unit: 's',
      goal: { atMost: 1 },
      async own() {
        return await secondsToStatus(client, await bench.upload('vector', mesh), 'ready');
      },
      async other() {
        const out = join(folder, 'union.geojson');
        const seconds = await secondsOf(
          async () => await run('ogr2ogr', ['-f', 'GeoJSON', out, mesh, ...union]),
        );
        await rm(out);
        return seconds;
      },
    },
    rounds,
  );
}

type Position = readonly [longitude: number, latitude: number];

/** Writes cells whose irregular sides have the same vertices in both neighbours. */
async function writeMesh(path: string, cells: number): Promise<void> {
  await using file = await open(path, 'w');
  await file.write('{"type":"FeatureCollection","features":[');
  for (let row = 0; row < cells; row += 1) {
    const features: string[] = [];
    for (let column = 0; column < cells; column += 1) {
      const ring = [
        ...side(column, row, 'east'),
        ...side(column + 1, row, 'north'),
        ...side(column, row + 1, 'east').toReversed(),
        ...side(column, row, 'north').toReversed(),
        ...side(column, row, 'east').slice(0, 1),
      ].filter((position, at, all) => position.join() !== all[at - 1]?.join());
      const geometry = { type: 'Polygon', coordinates: [ring] };
      features.push(JSON.stringify({ type: 'Feature', properties: { column, row }, geometry }));
    }
    await file.write(`${row === 0 ? '' : ','}\n${features.join(',\n')}`);
  }
  await file.write('\n]}\n');
}

/** Returns a side from a corner eastwards or northwards, which deviates from the straight line. */
function side(column: number, row: number, way: 'east' | 'north'): Position[] {
  return Array.from({ length: verticesPerSide + 1 }, (_, at) => {
    const along = at / verticesPerSide;
    const [x, y] =
      way === 'east'
        ? [column * verticesPerSide + at, 2 * row]
        : [row * verticesPerSide + at, 2 * column + 1];
    const across = ((noise(x, y) - 0.5) * Math.sin(Math.PI * along)) / 8;
    const [dx, dy] = way === 'east' ? [along, across] : [across, along];
    return [degrees(west + (column + dx) * stepDegrees), degrees(south + (row + dy) * stepDegrees)];
  });
}

function degrees(value: number): number {
  return Math.round(value * 1e7) / 1e7;
}
