import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDeadlines } from '../../src/message-queue/message-queue.ts';
import { startTestApp } from '../support/app.ts';
import { insertCategory, send, upload } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const never = async (): Promise<never> => await new Promise(() => undefined);
let rings = 0;
const messageQueue = withDeadlines({
  async notify() {
    rings += 1;
    await never();
  },
  subscribe: never,
  check: never,
  close: never,
});
const app = await closeAfterTests(startTestApp({ messageQueue, landscape: true }));

test('a message queue that hangs keeps no request waiting, and no job from the ledger', async () => {
  const { db } = app.services;
  const dataset = await upload(app, { category_id: await insertCategory(db) });
  const run = await send(app, '/landscape/runs', { method: 'POST' });
  assert.equal(run.status, 202);
  await db.updateTable('jobs').set({ state: 'done' }).where('ref_id', '=', dataset.id).execute();
  await db.updateTable('datasets').set({ status: 'failed' }).where('id', '=', dataset.id).execute();
  const startedAt = performance.now();
  const retried = await send(app, `/datasets/${dataset.id}/retry`, { method: 'POST' });
  const ms = performance.now() - startedAt;
  assert.equal(retried.status, 200);
  assert.ok(ms < 2000, `${ms} ms`);
  assert.equal(rings, 3);
  const waiting = await db.selectFrom('jobs').select('kind').where('state', '=', 'queued').execute();
  assert.deepEqual(new Set(waiting.map(({ kind }) => kind)), new Set(['run-landscape', 'process-dataset']));
});
