import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { MiB } from '../../src/lib/units.ts';
import { startTestApp } from '../support/app.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { insertLargeTable } from '../support/ready-table.ts';
import { eventually } from '../support/processes.ts';

const rows = 250_000;
/** What a table of these rows may take beside what the process has; held in memory it would be several times as much. */
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

  test('waits for a client that reads slowly, and ends with it', async () => {
    const leaving = new AbortController();
    const answer = await fetch(`${app.baseUrl}/datasets/${id}/observations.csv?shape=long`, {
      headers: { 'accept-encoding': 'identity' },
      signal: leaving.signal,
    });
    const reader = (answer.body ?? assert.fail()).getReader();
    await reader.read();
    const before = process.memoryUsage().rss;
    const isIdle = async () => {
      const { rows: found } = await sql<{ state: string }>`
        select state from pg_stat_activity where datname = current_database() and query like 'fetch%cells%'`.execute(
        app.services.db,
      );
      return found.map(({ state }) => state);
    };
    await eventually('the database waits', async () => (await isIdle()).join() === 'idle in transaction');
    assert.ok(process.memoryUsage().rss - before < mayGrow);
    leaving.abort();
    await eventually('the database has ended', async () => !(await isIdle()).includes('idle in transaction'));
  });
});
