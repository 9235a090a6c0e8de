import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { DatasetStatus } from '../../src/database/tables.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, send, upload } from '../support/datasets.ts';
import { openSocket, request } from '../support/raw-http.ts';

interface State {
  readonly id: string;
  readonly status: DatasetStatus;
  readonly parse_error: string | null;
}

let app: TestApp;
let categoryId = '';
let id = '';
before(async () => {
  app = await startTestApp({ maxWaiters: 500 });
  categoryId = await insertCategory(app.services.db);
});
beforeEach(async () => {
  id = (await upload(app, { category_id: categoryId })).id;
});
after(async () => await app.close());

const poll = async (query: string, of = id) => await send<State>(app, `/datasets/${of}/status${query}`);

async function setStatus(status: DatasetStatus, of = id): Promise<void> {
  const parse_error = status === 'failed' ? 'the file is broken' : null;
  await app.services.db.updateTable('datasets').set({ status, parse_error }).where('id', '=', of).execute();
}

async function untilWaiting(count: number): Promise<void> {
  for (let tries = 0; tries < 500 && app.services.statusWaiters.size !== count; tries += 1) await delay(10);
  assert.equal(app.services.statusWaiters.size, count);
}

describe('the status of a dataset', () => {
  test('is told at once without `current`, and when it differs from it', async () => {
    const expected = { id, status: 'pending', parse_error: null };
    for (const query of ['', '?wait=60', '?current=ready&wait=60', '?current=pending&wait=0']) {
      const { status, body } = await poll(query);
      assert.deepEqual([status, body], [200, expected]);
    }
  });

  test('is told when it changes, with the reason of a failure', async () => {
    const answer = poll('?current=pending&wait=60');
    await untilWaiting(1);
    await setStatus('failed');
    assert.deepEqual((await answer).body, { id, status: 'failed', parse_error: 'the file is broken' });
    await untilWaiting(0);
  });

  test('is told unchanged when the time is up', async () => {
    const startedAt = performance.now();
    const { status, body } = await poll('?current=pending&wait=1');
    assert.deepEqual([status, body.status], [200, 'pending']);
    assert.ok(performance.now() - startedAt >= 900);
  });

  test('is 404 as soon as the dataset is deleted', async () => {
    const answer = poll('?current=pending&wait=60');
    await untilWaiting(1);
    assert.equal((await send(app, `/datasets/${id}`, { method: 'DELETE' })).status, 204);
    assert.equal((await answer).status, 404);
  });

  test('is 404 for an unknown dataset and 400 for a malformed request', async () => {
    assert.equal((await poll('?current=pending', randomUUID())).status, 404);
    for (const query of ['?wait=61', '?wait=-1', '?wait=0x1', '?wait=', '?wait=1&wait=1', '?current=nope']) {
      assert.equal((await poll(query)).status, 400, query);
    }
  });
});

describe('many waiters', () => {
  test('on one dataset all hear of its change', async () => {
    const answers = Promise.all(
      Array.from({ length: 400 }, async () => await poll('?current=pending&wait=60')),
    );
    await untilWaiting(400);
    await setStatus('processing');
    assert.ok((await answers).every(({ body }) => body.status === 'processing'));
    await untilWaiting(0);
  });

  test('above the cap are answered at once', async () => {
    const answers = Array.from({ length: 500 }, async () => await poll('?current=pending&wait=60'));
    await untilWaiting(500);
    assert.equal((await poll('?current=pending&wait=60')).body.status, 'pending');
    await setStatus('processing');
    await Promise.all(answers);
  });

  test('that go away are forgotten', async () => {
    const sockets = await Promise.all(Array.from({ length: 50 }, async () => await openSocket(app.port)));
    for (const socket of sockets)
      socket.write(request('GET', `/datasets/${id}/status?current=pending&wait=60`, {}));
    await untilWaiting(50);
    for (const socket of sockets) socket.destroy();
    await untilWaiting(0);
  });

  test('never miss a change, whenever it comes', async () => {
    await Promise.all(
      Array.from({ length: 100 }, async (_, round) => {
        const { id: raced } = await upload(app, { category_id: categoryId });
        const answer = poll('?current=pending&wait=30', raced);
        await delay(round % 10);
        await setStatus('processing', raced);
        assert.equal((await answer).body.status, 'processing');
      }),
    );
  });
});

describe('when the news does not come', () => {
  test('because nobody notifies, the sweep finds the change', async () => {
    const answer = poll('?current=pending&wait=60');
    await untilWaiting(1);
    await app.services.pool.query('alter table datasets disable trigger datasets_announce_status');
    await setStatus('processing');
    assert.equal((await answer).body.status, 'processing');
    await app.services.pool.query('alter table datasets enable trigger datasets_announce_status');
  });

  test('because the listening connection was ended, the waiters are answered all the same', async () => {
    const answer = poll('?current=pending&wait=60');
    await untilWaiting(1);
    await app.services.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'steppe-listener' and datname = current_database()`,
    );
    await setStatus('processing');
    assert.equal((await answer).body.status, 'processing');
  });
});

test('a service that shuts down answers every waiter with the status as it is', async () => {
  const draining = await startTestApp();
  try {
    const { id: waited } = await upload(draining, {
      category_id: await insertCategory(draining.services.db),
    });
    const answers = Array.from({ length: 5 }, async () => {
      return await send<State>(draining, `/datasets/${waited}/status?current=pending&wait=60`);
    });
    for (let tries = 0; tries < 500 && draining.services.statusWaiters.size < 5; tries += 1) await delay(10);
    draining.drain();
    for (const { status, body, headers } of await Promise.all(answers)) {
      assert.deepEqual([status, body.status, headers.get('connection')], [200, 'pending', 'close']);
    }
  } finally {
    await draining.close();
  }
});
