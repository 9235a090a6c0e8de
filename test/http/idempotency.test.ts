import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, leftovers, send, tiffBytes } from '../support/datasets.ts';
import { eventually } from '../support/processes.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { formType, rawForm, textPart } from '../support/http/raw-http.ts';

const app = await closeAfterTests(startTestApp({ landscape: true }));
const { db, objectStore } = app.services;
/** Another api over the same database and store. */
const other = await closeAfterTests(
  startTestApp({ databaseTarget: app.databaseTarget, aroundStore: () => objectStore }),
);
const category = await insertCategory(db);

const newKey = (): string => `"${randomUUID()}"`;

const startRun = async (at: TestApp, key: string, body: object = {}) =>
  await send(at, '/landscape/runs', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'idempotency-key': key },
  });

const countRuns = async (): Promise<number> =>
  (await db.selectFrom('landscape_runs').select('id').execute()).length;

const formBytes = (content: string) =>
  rawForm([
    textPart('file_type', 'raster'),
    textPart('category_id', category),
    {
      headers: ['Content-Disposition: form-data; name="file"; filename="relief.tif"'],
      content,
    },
  ]);

const sendFile = async (at: TestApp, key: string, content = tiffBytes) =>
  await send(at, '/datasets', {
    method: 'POST',
    body: formBytes(content),
    headers: { ...formType, 'idempotency-key': key },
  });

/** Starts sending a file; returns the promise of the answer, and functions that send the rest or break the connection. */
function beginFile(at: TestApp, key: string, content = tiffBytes) {
  const bytes = Buffer.from(formBytes(content));
  const middle = Math.floor(bytes.length / 2);
  const rest = Promise.withResolvers<void>();
  async function* body() {
    yield bytes.subarray(0, middle);
    await rest.promise;
    yield bytes.subarray(middle);
  }
  const cut = new AbortController();
  const answer = send(at, '/datasets', {
    method: 'POST',
    body: ReadableStream.from(body()),
    duplex: 'half',
    signal: cut.signal,
    headers: { ...formType, 'idempotency-key': key },
  });
  answer.catch(() => undefined);
  return { answer, finish: () => rest.resolve(), cut: () => cut.abort() };
}

const claims = async () =>
  await db.selectFrom('idempotency_keys').select(['id', 'claim']).where('status', 'is', null).execute();

/** Waits until this many requests have taken their keys. */
const underWay = async (count: number): Promise<unknown> =>
  await eventually(`${count} requests are under way`, async () => (await claims()).length === count);

describe('a key', () => {
  test('makes one run of many requests at once, over two api processes', async () => {
    const before = await countRuns();
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => await startRun(index % 2 === 0 ? app : other, key)),
    );
    const done = answers.filter(({ status }) => status === 202);
    assert.ok(done.length > 0);
    assert.deepEqual(new Set(answers.map(({ status }) => status)).difference(new Set([202, 409])), new Set());
    assert.equal(new Set(done.map(({ text }) => text)).size, 1);
    assert.equal(await countRuns(), before + 1);
    const again = await startRun(other, key);
    assert.deepEqual([again.status, again.text], [202, done[0]?.text]);
    assert.equal(again.headers.get('location'), `/landscape/runs/${again.body.id}`);
    assert.equal(again.headers.get('content-type'), done[0]?.headers.get('content-type'));
  });

  test('is another one for another operation, path and sender', async () => {
    const key = newKey();
    const [run, dataset] = [await startRun(app, key), await sendFile(app, key)];
    assert.deepEqual([run.status, dataset.status], [202, 201]);
  });

  test('of a refused request can be used for another one', async () => {
    const key = newKey();
    assert.equal((await startRun(app, key, { from_stage: 9 })).status, 422);
    assert.equal((await startRun(app, key, { from_stage: 1 })).status, 202);
    assert.equal((await startRun(app, key, { from_stage: 2 })).status, 422);
  });
});

describe('a key of an upload', () => {
  test('is refused in a wrong form, also by a dry run, which uses none', async () => {
    for (const query of ['', '?dry_run=true']) {
      const answer = await send(app, `/landscape/runs${query}`, {
        method: 'POST',
        headers: { 'idempotency-key': 'without quotes' },
      });
      assert.equal(answer.status, 400, query);
    }
  });

  test('is refused while the upload is under way, and then answered, by every api process', async () => {
    const key = newKey();
    const first = beginFile(app, key);
    await underWay(1);
    for (const at of [app, other]) assert.equal((await sendFile(at, key)).status, 409);
    first.finish();
    const { status, text, headers } = await first.answer;
    assert.equal(status, 201);
    const before = await leftovers(app.services);
    const again = await sendFile(other, key);
    assert.deepEqual([again.status, again.text], [201, text]);
    assert.equal(again.headers.get('location'), headers.get('location'));
    assert.equal((await sendFile(other, key, `${tiffBytes}.`)).status, 422);
    assert.deepEqual(await leftovers(app.services), before);
  });

  test('can be used again at once when the connection has broken', async () => {
    const key = newKey();
    const before = await leftovers(app.services);
    const first = beginFile(app, key);
    await underWay(1);
    first.cut();
    await underWay(0);
    await eventually('nothing of it is left', async () =>
      isDeepStrictEqual(await leftovers(app.services), before),
    );
    assert.equal((await sendFile(other, key, 'II*\0 another file')).status, 201);
  });

  test('of a process that is silent passes to another request, and nothing is made twice', async () => {
    const key = newKey();
    const first = beginFile(app, key);
    await underWay(1);
    const lapsed = new Date(0);
    await db
      .updateTable('idempotency_keys')
      .set({ lease_until: lapsed })
      .where('status', 'is', null)
      .execute();
    const second = await sendFile(other, key);
    assert.equal(second.status, 201);
    const after = await leftovers(app.services);
    first.finish();
    assert.equal((await first.answer).status, 409);
    const { datasets } = await leftovers(app.services);
    assert.deepEqual(datasets, after.datasets);
    assert.equal((await sendFile(app, key)).text, second.text);
  });
});
