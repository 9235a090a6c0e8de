import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { send, sendForm } from '../support/datasets.ts';
import { eventually } from '../support/processes.ts';

const allOk = { database: 'ok', object_store: 'ok', message_queue: 'ok' };

describe('/readyz', () => {
  test('is 200 while all components answer, and 503 as soon as the service drains', async () => {
    await using app = await startTestApp();
    const ready = await send(app, '/readyz');
    assert.deepEqual([ready.status, ready.body], [200, { ready: true, components: allOk }]);
    app.drain();
    const draining = await send(app, '/readyz');
    assert.deepEqual([draining.status, draining.body], [503, { ready: false, components: allOk }]);
    assert.equal(draining.headers.get('connection'), 'close');
  });

  test('names the component that fails or does not answer, and never says why', async () => {
    await using app = await startTestApp({
      checks: {
        object_store: async () => {
          throw new Error('EACCES: /secret/path');
        },
        message_queue: async () => await new Promise(() => undefined),
      },
    });
    const { status, body, text } = await send(app, '/readyz');
    const components = { ...allOk, object_store: 'unavailable', message_queue: 'unavailable' };
    assert.deepEqual([status, body], [503, { ready: false, components }]);
    assert.doesNotMatch(text, /secret/);
  });

  test('looks once a second, however many ask', async () => {
    let looks = 0;
    let isUp = true;
    await using app = await startTestApp({
      checks: {
        async object_store() {
          looks += 1;
          if (!isUp) throw new Error('down');
        },
      },
    });
    const ask = async () => (await send(app, '/readyz')).status;
    const begunAt = performance.now();
    assert.deepEqual(new Set(await Promise.all(Array.from({ length: 50 }, ask))), new Set([200]));
    if (performance.now() - begunAt < 1000) assert.equal(looks, 1);
    isUp = false;
    await eventually('the next look', async () => (await ask()) === 503);
    const seconds = Math.ceil((performance.now() - begunAt) / 1000);
    assert.ok(looks >= 2 && looks <= seconds + 1, `${looks} looks in ${seconds} s`);
  });
});

describe('when the database is away', () => {
  test('/readyz says so, routes are 503, and /healthz goes on', async () => {
    await using app = await startTestApp({ databaseTarget: { host: '/nonexistent', database: 'x' } });
    const { status, body } = await send<{ components: unknown }>(app, '/readyz');
    assert.deepEqual([status, body.components], [503, { ...allOk, database: 'unavailable' }]);
    const list = await send(app, '/dataset-groups');
    assert.deepEqual([list.status, list.body], [503, { error: 'database unavailable' }]);
    assert.equal((await send(app, '/healthz')).status, 200);
  });
});

describe('until the database has its tables', () => {
  test('what needs them is 503; probes, documentation and unknown paths answer as ever', async () => {
    let isPrepared = false;
    await using app = await startTestApp({ isPrepared: () => isPrepared });
    for (const path of ['/datasets', '/categories', '/datasets/x1', `/datasets/${randomUUID()}.cog`]) {
      const { status, body } = await send(app, path);
      assert.deepEqual([status, body], [503, { error: 'database unavailable' }], path);
    }
    const uploaded = await sendForm(app, '/datasets', [['file_type', 'raster']]);
    assert.deepEqual([uploaded.status, uploaded.body], [503, { error: 'database unavailable' }]);
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs/']) {
      assert.equal((await send(app, path)).status, 200, path);
    }
    assert.equal((await send(app, '/nothing')).status, 404);
    isPrepared = true;
    assert.equal((await send(app, '/datasets')).status, 200);
  });
});
