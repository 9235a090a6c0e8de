import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Client as ServiceClient } from '../test/support/client.ts';
import { hold, type Row, secondsOf } from './contest.ts';
import { connectTo } from '../test/support/service-database.ts';
import { type Bench, openBench, secondsToStatus } from './service.ts';
import { memoryOf } from './memory.ts';

const years = Array.from({ length: 20 }, (_, index) => String(2001 + index));

export interface TableSize {
  /** Rows of the table, each with 20 values. The goal applies to 200,000. */
  readonly rows: number;
  readonly rounds: number;
}

/**
 * Compares mapping a table, from the answer to the mapping to `ready`, with copying the same observations from a file into a table with
 * the same columns and keys in the same PostgreSQL, in turn; in rows per second.
 */
export async function* katoTableRows({ rows, rounds }: TableSize): AsyncGenerator<Row> {
  await using bench = await openBench();
  const { client, folder, service } = bench;
  const table = join(folder, 'table.geojson');
  await writeTable(table, rows);
  const workerPid = await service.workerPid();
  const database = await connectTo(service);
  bench.resources.defer(async () => await database.end());
  const copied = join(folder, 'observations.copy');
  const uploaded = await uploadTable(bench, table);
  await mapTable(client, uploaded);
  await saveObservations(database, uploaded, copied);
  await remove(service.baseUrl, uploaded);

  const row = await hold(
    {
      name: `mapping of ${rows.toLocaleString('en')} rows × ${years.length} columns`,
      peer: 'COPY of the same observations',
      unit: 'rows/s',
      goal: { atLeast: 0.7 },
      async own() {
        const id = await uploadTable(bench, table);
        const seconds = await mapTable(client, id);
        await remove(service.baseUrl, id);
        return rows / seconds;
      },
      other: async () => rows / (await copySeconds(database, copied)),
    },
    rounds,
  );
  const { peakMiB } = await memoryOf(workerPid);
  yield { ...row, facts: { workerPeakMiB: peakMiB } };
}

/** Writes a table without geometry and with repeated codes: numbers, some of them texts with a decimal comma, and gaps. */
export async function writeTable(path: string, rows: number): Promise<void> {
  await using file = await open(path, 'w');
  await file.write('{"type":"FeatureCollection","features":[');
  let text = '';
  for (let row = 0; row < rows; row += 1) {
    const cells = years.map((year, index) => [year, cellOf(row, index)]);
    const properties = { kato: String(100_000_000 + (row % 700) * 10_000), ...Object.fromEntries(cells) };
    text += `${row === 0 ? '' : ','}\n${JSON.stringify({ type: 'Feature', geometry: null, properties })}`;
    if (row % 1000 < 999) continue;
    await file.write(text);
    text = '';
  }
  await file.write(`${text}\n]}\n`);
}

function cellOf(row: number, index: number): number | string | null {
  if ((row + index) % 11 === 0) return null;
  return (row + index) % 7 === 0 ? '12 345,5' : row * 1.5 + index;
}

/** Uploads a table; returns its id when it waits for its mapping. */
export async function uploadTable(bench: Bench, path: string): Promise<string> {
  const id = await bench.upload('vector_with_kato', path);
  await secondsToStatus(bench.client, id, 'awaiting_mapping');
  return id;
}

/** Maps all columns of a table that `writeTable` has written; returns the seconds until it is ready. */
export async function mapTable(client: ServiceClient, id: string): Promise<number> {
  const year_columns = years.map((column) => ({ column, start_date: `${column}-01-01` }));
  await client.map(id, { kato_column: 'kato', year_columns });
  return await secondsToStatus(client, id, 'ready');
}

async function remove(baseUrl: string, id: string): Promise<void> {
  await fetch(`${baseUrl}/datasets/${id}`, { method: 'DELETE' });
}

async function saveObservations(database: Client, datasetId: string, path: string): Promise<void> {
  const { rows } = await database.query<{ id: number }>(
    'select observation_set_id as id from datasets where id = $1',
    [datasetId],
  );
  const query = `copy (select * from observations where set_id = ${Number(rows[0]?.id)} order by row_number, mapping_order) to stdout`;
  await using file = await open(path, 'w');
  await pipeline(database.query(copyTo(query)), file.createWriteStream());
}

async function copySeconds(database: Client, path: string): Promise<number> {
  await database.query('create table copied (like observations including all)');
  const seconds = await secondsOf(
    async () => await pipeline(createReadStream(path), database.query(copyFrom('copy copied from stdin'))),
  );
  await database.query('drop table copied');
  return seconds;
}
