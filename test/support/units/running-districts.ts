import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createDatabaseConnection } from '../../../src/database/connect.ts';
import { createClient } from '../client.ts';
import { fingerprintOf, namesOnMap, type Unit, writeUnits } from './districts.ts';
import { eventually } from '../processes.ts';
import { launchService, runSteppe, startService } from '../service.ts';

const Target = z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }).loose();
const Note = z.object({ database: z.object({ target: Target }) });

/** Starts a service with a mapped table of these codes, and returns a command that changes its districts. */
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
      const names = () => namesOnMap(text);
      return { status: response.status, etag: response.headers.get('etag') ?? '', text, names };
    },
    writeUnits: async (name: string, units: readonly Unit[], shift = 0) =>
      await writeUnits(join(dataDir, name), units, shift),
    fingerprint: async () => await fingerprintOf(database.db),
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
