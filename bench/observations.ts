import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Client } from '../test/support/client.ts';
import { katoTable } from '../test/support/generated-files.ts';
import { startService } from '../test/support/service.ts';
import { memoryOf, round } from './memory.ts';

const rows = 100_000;
const years = 20;
/** Limit of resident memory for the worker, however long the table is. */
const targetMiB = 250;

/** Maps a long table and prints how fast it became observations and what the worker needed, as one line of JSON. */
export async function benchObservations(): Promise<void> {
  await using service = await startService({ env: { LOG_LEVEL: 'warn' } });
  const client = createClient(service.baseUrl);
  const workerPid = await service.workerPid();
  // A short table first, so that everything is loaded that a job needs.
  const categoryId = await client.createCategory('bench');
  await extract(client, { categoryId, rowCount: 100 });
  const before = await memoryOf(workerPid);
  const { detectSeconds, extractSeconds } = await extract(client, { categoryId, rowCount: rows });
  const { peakMiB } = await memoryOf(workerPid);
  const figures = {
    bench: 'observations',
    rows,
    observations: rows * years,
    detectSeconds: round(detectSeconds),
    extractSeconds: round(extractSeconds),
    rowsPerSecond: Math.round(rows / extractSeconds),
    observationsPerSecond: Math.round((rows * years) / extractSeconds),
    workerBeforeMiB: before.residentMiB,
    workerPeakMiB: peakMiB,
    targetMiB,
  };
  console.log(JSON.stringify(figures));
  if (peakMiB >= targetMiB) process.exitCode = 1;
}

async function extract(
  client: Client,
  { categoryId, rowCount }: { readonly categoryId: string; readonly rowCount: number },
): Promise<{ detectSeconds: number; extractSeconds: number }> {
  const file = new File([katoTable(rowCount, years)], 'table.geojson');
  const id = await client.upload(categoryId, 'vector_with_kato', file);
  const detectSeconds = await secondsUntil(client, id, 'awaiting_mapping');
  const year_columns = Array.from({ length: years }, (_, index) => {
    const year = String(2001 + index);
    return { column: year, start_date: `${year}-01-01` };
  });
  await client.map(id, { kato_column: 'kato', year_columns });
  return { detectSeconds, extractSeconds: await secondsUntil(client, id, 'ready') };
}

async function secondsUntil(client: Client, id: string, status: string): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const found = await client.status(id);
    if (found.status === status) return (performance.now() - startedMs) / 1000;
    assert.notEqual(found.status, 'failed', found.parse_error ?? '');
    await sleep(50);
  }
}
