import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hold, type Row, secondsOf } from './contest.ts';
import { writePoints } from './features.ts';
import { noise } from './leaf-files.ts';
import { startPostgis } from './postgis.ts';
import { openBench, secondsToStatus } from './service.ts';
import { startTipg } from './tipg.ts';

const run = promisify(execFile);
const pageSize = 1000;
const pagesOfRound = 100;

export interface FeaturePages {
  /** Number of points, each with eight columns; the goal applies to a million. */
  readonly rows: number;
  readonly rounds: number;
}

interface Page {
  readonly features: readonly { readonly properties: { readonly cadastre: string } }[];
}

/**
 * Compares pages of 1,000 features in moving boxes over Kazakhstan with tipg on the same points in PostGIS, in turn; in milliseconds per
 * page. Both are one server process with the same API.
 */
export async function* featurePageRows({ rows, rounds }: FeaturePages): AsyncGenerator<Row> {
  await using bench = await openBench();
  const source = join(bench.folder, 'parcels.geojson');
  await writePoints(source, rows);
  const id = await bench.upload('vector', source);
  await secondsToStatus(bench.client, id, 'ready');
  const postgis = bench.resources.use(await startPostgis());
  await postgis.ask('psql', '-d', 'postgres', '-q', '-c', 'create extension postgis');
  const target = `PG:host=127.0.0.1 port=${postgis.port} user=bench dbname=postgres`;
  const options = ['--config', 'PG_USE_COPY', 'YES', '-nln', 'parcels', '-lco', 'GEOMETRY_NAME=geom'];
  await run('ogr2ogr', ['-f', 'PostgreSQL', ...options, target, source]);
  await postgis.ask('psql', '-d', 'postgres', '-q', '-c', 'vacuum analyze parcels');
  const tipg = bench.resources.use(await startTipg(`postgresql://bench@127.0.0.1:${postgis.port}/postgres`));
  const own = `${bench.service.baseUrl}/ogc/collections/${id}/items`;
  const other = `${tipg.baseUrl}/collections/public.parcels/items`;

  await expectSamePages(own, other, rows);
  let number = 0;
  for (const clients of [1, 8]) {
    const name = `page of ${pageSize.toLocaleString('en')} of ${rows.toLocaleString('en')} features by box, ${clients === 1 ? 'one client' : `${clients} clients`}`;
    const pagesOf = async (url: string, first: number) => {
      const seconds = await secondsOf(async () => await readPages(url, { first, clients, rows }));
      return (1000 * seconds) / pagesOfRound;
    };
    // The first requests load and compile code.
    for (const url of [own, other]) await pagesOf(url, -1000);
    yield await hold(
      {
        name,
        peer: 'tipg on PostGIS',
        unit: 'ms/page',
        goal: { atMost: 0.5 },
        own: async () => await pagesOf(own, number),
        async other() {
          const ms = await pagesOf(other, number);
          number += pagesOfRound;
          return ms;
        },
      },
      rounds,
    );
  }
}

async function readPages(
  url: string,
  { first, clients, rows }: { readonly first: number; readonly clients: number; readonly rows: number },
): Promise<void> {
  let next = first;
  const client = async () => {
    while (next < first + pagesOfRound) {
      const query = boxQuery(next, 1.8 * pageSize, rows);
      next += 1;
      const { features } = await read(url, query);
      assert.equal(features.length, pageSize, query);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function read(url: string, query: string): Promise<Page> {
  const answer = await fetch(`${url}?${query}`, {
    headers: { accept: 'application/geo+json', 'accept-encoding': 'identity' },
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text.slice(0, 1000));
  const page: Page = JSON.parse(text);
  return page;
}

/** Asserts that boxes whose features fit on a page give the same features in both. */
async function expectSamePages(own: string, other: string, rows: number): Promise<void> {
  for (let number = 0; number < 5; number += 1) {
    const query = boxQuery(number, pageSize / 2, rows);
    const [one = [], two = []] = await Promise.all(
      [own, other].map(async (url) => {
        const { features } = await read(url, query);
        return features.map(({ properties }) => properties.cadastre).toSorted();
      }),
    );
    assert.ok(one.length > 0 && one.length < pageSize);
    assert.deepEqual(one, two);
  }
}

/** Returns a square with approximately this number of points, which are spread evenly over 40° × 14°. */
function boxQuery(number: number, features: number, rows: number): string {
  const side = Math.sqrt((features * 40 * 14) / rows);
  const west = 47 + (40 - side) * noise(number + 5000, 1);
  const south = 41 + (14 - side) * noise(number + 5000, 2);
  return `bbox=${[west, south, west + side, south + side].map((degrees) => degrees.toFixed(5)).join()}&limit=${pageSize}`;
}
