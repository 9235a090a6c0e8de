import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../test/support/client.ts';
import { startService } from '../test/support/service.ts';
import { hold, type Row } from './contest.ts';
import { connectTo } from '../test/support/service-database.ts';
import { secondsToStatus } from './service.ts';
import { startPostgis } from './postgis.ts';
import { requestsPerSecond } from './wrk.ts';

const years = Array.from({ length: 30 }, (_, index) => 1996 + index);
const clients = 8;

export interface GeoJsonLength {
  readonly rounds: number;
  readonly roundSeconds: number;
}

interface District {
  readonly kato_code: string;
  readonly name: string;
  /** A GeoJSON geometry as text. */
  readonly geometry: string;
}

/**
 * Compares the map of all districts over 30 years (uncompressed, compressed, and with If-None-Match) with PostGIS, which makes the same
 * collection from the same rows in one statement, in turn with 8 clients; in answers per second.
 */
export async function* geoJsonRows({ rounds, roundSeconds }: GeoJsonLength): AsyncGenerator<Row> {
  await using resources = new AsyncDisposableStack();
  const service = resources.use(await startService({ env: { LOG_LEVEL: 'warn' } }));
  const database = await connectTo(service);
  const { rows: districts } = await database
    .query<District>(`select kato_code, name, geometry from districts where level = 'district'`)
    .finally(() => void database.end());
  const url = `${service.baseUrl}/datasets/${await mapTable(service.baseUrl, districts)}.geojson`;
  const etag = (await fetch(url, { headers: { 'accept-encoding': 'identity' } })).headers.get('etag') ?? '';
  const peer = resources.use(await startRows(districts));
  const ways = [
    { name: 'as it is', goal: 8, headers: { 'accept-encoding': 'identity' } },
    { name: 'in gzip', goal: 8, headers: { 'accept-encoding': 'gzip' } },
    { name: '304', goal: 8, headers: { 'accept-encoding': 'identity', 'if-none-match': etag } },
  ] as const;
  for (const { name, goal, headers } of ways) {
    const own = async () =>
      await requestsPerSecond(url, { connections: clients, seconds: roundSeconds, headers });
    await own();
    const row = await hold(
      {
        name: `.geojson of ${districts.length} districts × ${years.length} years, ${name}`,
        peer: 'one PostGIS statement',
        unit: 'answers/s',
        goal: { atLeast: goal },
        own,
        other: async () => await peer.answersPerSecond(roundSeconds),
      },
      rounds,
    );
    yield { ...row, facts: { clients } };
  }
}

/** Uploads a table with a value for each district and year, and maps it; returns the id of the dataset. */
async function mapTable(baseUrl: string, districts: readonly District[]): Promise<string> {
  const client = createClient(baseUrl);
  const features = districts.map(({ kato_code: kato }, index) => {
    const properties = { kato, ...Object.fromEntries(years.map((year) => [year, valueOf(index, year)])) };
    return { type: 'Feature', properties, geometry: null };
  });
  const file = new File([JSON.stringify({ type: 'FeatureCollection', features })], 'table.geojson');
  const id = await client.upload(await client.createCategory('bench'), 'vector_with_kato', file);
  await secondsToStatus(client, id, 'awaiting_mapping');
  const year_columns = years.map((year) => ({ column: String(year), start_date: `${year}-01-01` }));
  await client.map(id, { kato_column: 'kato', year_columns });
  await secondsToStatus(client, id, 'ready');
  return id;
}

function valueOf(index: number, year: number): number {
  return Math.round(1000 * Math.sin(index + year)) / 10;
}

const statement =
  `select json_build_object('type', 'FeatureCollection', 'features', json_agg(json_build_object(
  'type', 'Feature', 'geometry', ST_AsGeoJSON(geometry, 7)::json,
  'properties', json_build_object('kato', kato, 'name', name, 'data', data)) order by kato))
from districts join (select kato, json_object_agg(start_date, value order by start_date) as data from observations group by kato) o
using (kato);`.replaceAll('\n', ' ');

/** Starts a PostgreSQL with PostGIS and the same rows. */
async function startRows(districts: readonly District[]) {
  const postgis = await startPostgis();
  const [sql, script] = [join(postgis.folder, 'rows.sql'), join(postgis.folder, 'statement.sql')];
  await writeFile(sql, rowsOf(districts));
  await writeFile(script, statement);
  await postgis.ask('psql', '-d', 'postgres', '-q', '-v', 'ON_ERROR_STOP=1', '-f', sql);
  return {
    async answersPerSecond(seconds: number): Promise<number> {
      const load = ['-n', '-c', String(clients), '-j', '1', '-T', String(seconds), '-f', script];
      return Number(/tps = ([\d.]+)/.exec(await postgis.ask('pgbench', ...load, 'postgres'))?.[1]);
    },
    [Symbol.asyncDispose]: async () => await postgis[Symbol.asyncDispose](),
  };
}

function rowsOf(districts: readonly District[]): string {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const inserts = districts.map(({ kato_code: kato, name, geometry }, index) => {
    const values = years.map((year) => `(${text(kato)}, '${year}-01-01', ${valueOf(index, year)})`);
    return `insert into districts values (${text(kato)}, ${text(name)}, ST_GeomFromGeoJSON(${text(geometry)}));
insert into observations values ${values.join(',')};`;
  });
  return `create extension postgis;
create table districts (kato text primary key, name text not null, geometry geometry not null);
create table observations (kato text, start_date date, value double precision, primary key (kato, start_date));
${inserts.join('\n')}
vacuum analyze;
`;
}
