import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { MiB } from '../../lib/units.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { insertLargeTable } from '../../../test/support/tables/ready-table.ts';
import { eventually } from '../../../test/support/processes.ts';

const rows = 250_000;
/** Most memory that a table of these rows may add; held in memory, it would take several times as much. */
const mayGrow = 160 * MiB;

const app = await closeAfterTests(startTestApp());
const id = await insertLargeTable(app, rows);

describe('a large table as a file', () => {
  for (const [form, shape] of [
    ['csv', 'long'],
    ['csv', 'wide'],
    ['xlsx', 'long'],
    ['parquet', 'long'],
    ['parquet', 'wide'],
  ] as const) {
    test(`is streamed in bounded memory: ${form}, ${shape}`, async () => {
      const before = process.memoryUsage().rss;
      let most = before;
      const answer = await fetch(`${app.baseUrl}/datasets/${id}/observations.${form}?shape=${shape}`, {
        headers: { 'accept-encoding': 'identity' },
      });
      assert.equal(answer.status, 200);
      const hash = createHash('sha256');
      let bytes = 0;
      for await (const chunk of answer.body ?? []) {
        bytes += chunk.length;
        hash.update(chunk);
        most = Math.max(most, process.memoryUsage().rss);
      }
      assert.ok(bytes > (form === 'parquet' ? 1 : 4) * MiB, String(bytes));
      assert.ok(most - before < mayGrow, `${Math.round((most - before) / MiB)} MiB`);
    });
  }

  test('holds no snapshot for a client that reads slowly, which has all of it in the end', async () => {
    const answer = await fetch(`${app.baseUrl}/datasets/${id}/observations.csv?shape=long&lang=ru`, {
      headers: { 'accept-encoding': 'identity' },
    });
    const reader = (answer.body ?? assert.fail()).getReader();
    let bytes = (await reader.read()).value?.length ?? 0;
    const before = process.memoryUsage().rss;
    await eventually('the file is written', async () => app.services.spool.facts().writing === 0);
    const { rows: found } = await sql<{ state: string }>`
      select state from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`.execute(
      app.services.db,
    );
    assert.deepEqual(found, []);
    assert.ok(process.memoryUsage().rss - before < mayGrow);
    for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.length;
    const whole = await fetch(answer.url, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
    assert.equal(whole.headers.get('content-length'), String(bytes));
  });
});
