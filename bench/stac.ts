import { Client } from 'pg';
import { startService } from '../test/support/service.ts';
import { databaseOf } from '../test/support/service-database.ts';
import type { Row } from './contest.ts';
import { fillDatasets, makeGroups, percentile, timesOf } from './many-datasets.ts';

const datasets = 1_000_000;
const goalMs = 50;

/** A kind of search; `number` varies the requests. */
interface Search {
  readonly name: string;
  readonly query: (number: number) => string;
}

/** Returns a western edge in Kazakhstan that varies by request. */
const west = (number: number) => 47 + ((Math.abs(number) * 37) % 350) / 10;
const south = (number: number) => 41 + ((Math.abs(number) * 17) % 130) / 10;
const box = (number: number, size: number) =>
  [west(number), south(number), west(number) + size, south(number) + size].join();
const year = (number: number) =>
  `${2001 + (Math.abs(number) % 22)}-01-01T00:00:00Z/${2001 + (Math.abs(number) % 22)}-12-31T00:00:00Z`;
const triangle = (number: number) =>
  JSON.stringify({
    type: 'Polygon',
    coordinates: [
      [
        [west(number), south(number)],
        [west(number) + 1, south(number)],
        [west(number), south(number) + 1],
        [west(number), south(number)],
      ],
    ],
  });

const searches: readonly Search[] = [
  { name: 'all', query: () => '' },
  { name: 'in a box of 0.01°', query: (number) => `bbox=${box(number, 0.01)}` },
  { name: 'in a box of 1°', query: (number) => `bbox=${box(number, 1)}` },
  { name: 'in a box of 10°', query: (number) => `bbox=${box(number, 10)}` },
  {
    name: 'in a box without datasets',
    query: (number) =>
      `bbox=${[-west(number) - 0.01, -south(number) - 0.01, -west(number), -south(number)].join()}`,
  },
  { name: 'of a year', query: (number) => `datetime=${year(number)}` },
  { name: 'in a box of 1° of a year', query: (number) => `bbox=${box(number, 1)}&datetime=${year(number)}` },
  { name: 'in a triangle', query: (number) => `intersects=${encodeURIComponent(triangle(number))}` },
  { name: 'of a collection', query: (number) => `collections=bench-${1 + (Math.abs(number) % 5000)}` },
  {
    name: 'of a collection in a box of 10°',
    query: (number) => `collections=bench-${1 + (Math.abs(number) % 5000)}&bbox=${box(number, 10)}`,
  },
  {
    name: 'in a box of 1° by a filter',
    query: (number) => `bbox=${box(number, 1)}&filter=${encodeURIComponent(`"steppe:file_type" = 'vector'`)}`,
  },
  { name: '100 items in a box of 10°', query: (number) => `bbox=${box(number, 10)}&limit=100` },
];

/** Times searches of a STAC API with a million datasets over HTTP, including items; in milliseconds, the 99th percentile. */
export async function* stacRows({ requests }: { readonly requests: number }): AsyncGenerator<Row> {
  await using service = await startService({ env: { LOG_LEVEL: 'warn' } });
  const database = new Client(await databaseOf(service));
  await database.connect();
  try {
    await database.query('set statement_timeout = 0');
    await makeGroups(database);
    await fillDatasets(database, datasets);
    for (const { name, query } of searches) {
      const times = await timesOf((number) => `${service.baseUrl}/stac/search?${query(number)}`, requests);
      yield {
        name: `search of ${datasets.toLocaleString('en')} items, ${name}, 99th of 100`,
        unit: 'ms',
        own: [percentile(times, 0.99)],
        facts: { p50_ms: percentile(times, 0.5) },
        peer: `a goal of ${goalMs} ms`,
        goal: { atMost: 1 },
        others: [goalMs],
      };
    }
  } finally {
    await database.end();
  }
}
