import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { createDatabaseConnection } from '../../src/database/connect.ts';
import { createClient } from './client.ts';
import { eventually } from './processes.ts';
import { launchService, runSteppe, startService } from './service.ts';

const Target = z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }).loose();
const Note = z.object({ database: z.object({ target: Target }) });
const Collection = z.object({
  features: z.array(z.object({ properties: z.object({ kato: z.string(), name: z.string() }) })),
});

/** Codes and names of a map, in its order. */
export function namesOnMap(text: string): { kato: string; name: string }[] {
  return Collection.parse(JSON.parse(text)).features.map(({ properties }) => properties);
}

/** A service with a mapped table of these codes, and the command that changes its districts. */
export async function startDistricts(codes: readonly string[]) {
  await using started = new AsyncDisposableStack();
  const service = started.use(await startService());
  const { dataDir, baseUrl } = service;
  const note = Note.parse(JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8')));
  const quiet = { maxConnections: 4, applicationName: 'steppe-test', onError: () => undefined };
  const database = createDatabaseConnection(note.database.target, quiet);
  started.defer(async () => await database.close());
  const tableId = await mapTable(baseUrl, codes);
  const launch = (args: readonly string[]) =>
    launchService({ dataDir, command: [process.execPath, 'src/main.ts', 'districts', ...args] });
  const parts = started.move();
  return {
    service,
    database,
    tableId,
    launch,
    run: async (args: readonly string[]) => await runSteppe(['districts', ...args], { dataDir }),
    async getMap(headers: Readonly<Record<string, string>> = {}) {
      const url = `${baseUrl}/datasets/${tableId}.geojson`;
      const response = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers } });
      const text = await response.text();
      const names = () => namesOnMap(text).map(({ name }) => name);
      return { status: response.status, etag: response.headers.get('etag') ?? '', text, names };
    },
    writeUnits: async (name: string, units: readonly Unit[], shift = 0) =>
      await writeUnits(join(dataDir, name), units, shift),
    /** A digest of all units and their version. */
    async fingerprint(): Promise<string> {
      const { rows } = await sql<{ fingerprint: string }>`
        select (select version from districts_version) || ' ' || count(*) || ' ' ||
          md5(string_agg(d::text, '' order by kato_code)) as fingerprint from districts d`.execute(
        database.db,
      );
      return rows[0]?.fingerprint ?? '';
    },
    close: async () => await parts.disposeAsync(),
  };
}

async function mapTable(baseUrl: string, codes: readonly string[]): Promise<string> {
  const client = createClient(baseUrl);
  const features = codes.map((kato) => ({
    type: 'Feature',
    geometry: null,
    properties: { kato, y2020: 1 },
  }));
  const file = new File([JSON.stringify({ type: 'FeatureCollection', features })], 'table.geojson');
  const id = await client.upload(await client.createCategory('tables'), 'vector_with_kato', file);
  await eventually('columns', async () => (await client.status(id)).status === 'awaiting_mapping');
  await client.map(id, {
    kato_column: 'kato',
    year_columns: [{ column: 'y2020', start_date: '2020-12-31' }],
  });
  await eventually('a map', async () => (await client.status(id)).status === 'ready');
  return id;
}

type Unit = Readonly<Record<string, unknown>>;

/** A square of one degree, clockwise, for each unit; the bigger `shift`, the farther north. */
async function writeUnits(path: string, units: readonly Unit[], shift: number): Promise<string> {
  const square = (west: number) => {
    const [south, north] = [45 + shift, 46 + shift];
    return [
      [west, south],
      [west, north],
      [west + 1, north],
      [west + 1, south],
      [west, south],
    ] as const;
  };
  const features = units.map((properties, index) => ({
    type: 'Feature',
    properties,
    geometry:
      'geometry' in properties
        ? properties['geometry']
        : { type: 'Polygon', coordinates: [square(50 + index)] },
  }));
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return path;
}
