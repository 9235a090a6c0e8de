import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestApp } from '../support/app.ts';
import { insertCategory, send, sendForm, tiffBytes, upload } from '../support/datasets.ts';
import { openTestDatabase } from '../support/database.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';
import { openTcpProxy } from '../support/ports.ts';

const answerMs = 10_000;
const resumeSeconds = 5;
const unavailable = [503, { error: 'database unavailable' }];

const database = await closeAfterTests(openTestDatabase());
const proxy = await closeAfterTests(openTcpProxy());
proxy.lead(join(String(database.target.host), '.s.PGSQL.5432'));
const databaseTarget = { ...database.target, host: '127.0.0.1', port: proxy.port };
const app = await closeAfterTests(startTestApp({ databaseTarget }));
const categoryId = await insertCategory(database.db);
const file = new File([tiffBytes], 'relief.tif');

async function timed(path: string, init: RequestInit = {}) {
  const startedAt = performance.now();
  const { status, body } = await send<unknown>(app, path, init);
  return { answer: [status, body], ms: performance.now() - startedAt };
}

describe('a PostgreSQL that is silent', () => {
  test('has every request answered 503 within ten seconds, and goes on when it is back', async () => {
    const { id } = await upload(app, { category_id: categoryId });
    proxy.freeze();
    const startedAt = performance.now();
    const refused = sendForm(app, '/datasets', [
      ['file_type', 'raster'],
      ['category_id', categoryId],
      ['file', file],
    ]);
    const asking = [
      timed(`/datasets/${id}`),
      timed(`/datasets/${id}/status?current=pending&wait=60`),
      timed(`/datasets/${id}/download`),
      timed('/landscape/runs', { method: 'POST' }),
      // more requests than connections
      ...Array.from({ length: 40 }, async (_, page) => await timed(`/datasets?page=${page + 1}`)),
    ];
    for (const { answer, ms } of await Promise.all(asking)) {
      assert.deepEqual(answer, unavailable);
      assert.ok(ms < answerMs, `${ms} ms`);
    }
    const { status, body } = await refused;
    assert.deepEqual([status, body], unavailable);
    assert.ok(performance.now() - startedAt < answerMs);

    // The outage is known by now: no request waits any more.
    const { answer, ms } = await timed('/datasets');
    assert.deepEqual(answer, unavailable);
    assert.ok(ms < 1000, `${ms} ms`);
    assert.equal((await send(app, '/healthz')).status, 200);
    const ready = await send(app, '/readyz');
    assert.equal(ready.status, 503);
    assert.match(ready.text, /"database":"unavailable","object_store":"ok"/);

    proxy.thaw();
    await eventually('answers', async () => (await send(app, '/datasets')).status === 200, resumeSeconds);
    await upload(app, { category_id: categoryId });
    await eventually('ready again', async () => (await send(app, '/readyz')).status === 200);
  });

  test('has lost nothing when it is back before a request is given up', async () => {
    proxy.freeze();
    const asked = timed('/datasets');
    await delay(1500);
    proxy.resume();
    assert.equal((await asked).answer[0], 200);
  });
});
