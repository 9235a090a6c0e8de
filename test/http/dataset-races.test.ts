import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  insertCategory,
  insertGroup,
  leftovers,
  send,
  sendForm,
  sendJson,
  tiffBytes,
  upload,
} from '../support/datasets.ts';
import { deleteUnderway } from '../support/locks.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(async () => await app.close());

it('of 20 concurrent deletions of one dataset one is 204, the others are 404', async () => {
  const category = await insertCategory(app.services.db);
  const { id } = await upload(app, { category_id: category });
  const deletions = Array.from({ length: 20 }, async () => {
    return (await send(app, `/datasets/${id}`, { method: 'DELETE' })).status;
  });
  const statuses = await Promise.all(deletions);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [204, ...Array.from({ length: 19 }, () => 404)],
  );
});

it('20 concurrent patches of different fields all land', async () => {
  const { db } = app.services;
  for (let round = 0; round < 5; round += 1) {
    const { id } = await upload(app, { category_id: await insertCategory(db) });
    const fields = {
      category_id: await insertCategory(db),
      name: `n${round}`,
      description: `d${round}`,
      unit: `u${round}`,
      dg_id: await insertGroup(db),
      start_date: '2020-01-01',
      end_date: '2020-12-31',
    };
    const patches = Array.from({ length: 3 }, () => Object.entries(fields))
      .flat()
      .slice(0, 20);
    const answers = await Promise.all(
      patches.map(
        async ([name, value]) => await sendJson(app, 'PATCH', `/datasets/${id}`, { [name]: value }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      patches.map(() => 200),
    );
    const { body } = await send(app, `/datasets/${id}`);
    assert.deepEqual(Object.fromEntries(Object.keys(fields).map((name) => [name, body[name]])), fields);
  }
});

it('concurrent patches of both ends never leave a period that ends before it starts', async () => {
  const category = await insertCategory(app.services.db);
  for (let round = 0; round < 10; round += 1) {
    const { id } = await upload(app, { category_id: category });
    const answers = await Promise.all([
      sendJson(app, 'PATCH', `/datasets/${id}`, { start_date: '2021-01-01' }),
      sendJson(app, 'PATCH', `/datasets/${id}`, { end_date: '2020-01-01' }),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 422],
    );
    const refused = answers.find(({ status }) => status === 422);
    assert.deepEqual(Object.keys(Object(refused?.body['errors'])), ['end_date']);
  }
});

it('a category deleted during an upload: the upload is 422 and the deletion 204, or 201 and 409', async () => {
  const { db } = app.services;
  for (let round = 0; round < 20; round += 1) {
    const category = await insertCategory(db);
    const [uploaded, deleted] = await Promise.all([
      sendForm(app, '/datasets', [
        ['file_type', 'raster'],
        ['category_id', category],
        ['file', new File([tiffBytes], 'a.tif')],
      ]),
      send(app, `/categories/${category}`, { method: 'DELETE' }),
    ]);
    const outcome = `${uploaded.status} ${deleted.status}`;
    assert.ok(['422 204', '201 409'].includes(outcome), outcome);
    if (uploaded.status === 422)
      assert.deepEqual(Object.keys(Object(uploaded.body['errors'])), ['category_id']);
  }
});

it('a category deleted after the check of the upload is still 422 on category_id', async () => {
  const category = await insertCategory(app.services.db);
  const { status, body } = await deleteUnderway(
    app.services,
    { table: 'categories', id: category },
    async () =>
      await sendForm(app, '/datasets', [
        ['file_type', 'raster'],
        ['category_id', category],
        ['file', new File([tiffBytes], 'a.tif')],
      ]),
  );
  assert.deepEqual([status, Object.keys(Object(body['errors']))], [422, ['category_id']]);
});

it('a group deleted while datasets move into it: never a dangling group, never a 5xx', async () => {
  const { db } = app.services;
  const { id } = await upload(app, { category_id: await insertCategory(db) });
  for (let round = 0; round < 20; round += 1) {
    const group = await insertGroup(db);
    const [patched, deleted] = await Promise.all([
      sendJson(app, 'PATCH', `/datasets/${id}`, { dg_id: group }),
      send(app, `/dataset-groups/${group}`, { method: 'DELETE' }),
    ]);
    const outcome = `${patched.status} ${deleted.status}`;
    assert.ok(['422 204', '200 409'].includes(outcome), outcome);
  }
});

it('20 uploads at once are 20 datasets, each with its object and its job', async () => {
  const before = await leftovers(app.services);
  const category = await insertCategory(app.services.db);
  const uploads = Array.from({ length: 20 }, async () => await upload(app, { category_id: category }));
  const ids = (await Promise.all(uploads)).map(({ id }) => id);
  const after = await leftovers(app.services);
  assert.equal(new Set(ids).size, 20);
  for (const kind of ['stored', 'ledger', 'datasets', 'jobs'] as const) {
    assert.equal(after[kind].length - before[kind].length, 20, kind);
  }
  assert.ok(after.ledger.every(({ state }) => state === 'live'));
});

it('a client that goes away in the middle of its file leaves nothing', async () => {
  await using own = await startTestApp();
  const category = await insertCategory(own.services.db);
  const head = [
    '--edge\r\nContent-Disposition: form-data; name="file_type"\r\n\r\nraster\r\n',
    `--edge\r\nContent-Disposition: form-data; name="category_id"\r\n\r\n${category}\r\n`,
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.tif"\r\n\r\n',
  ];
  for (let round = 0; round < 20; round += 1) {
    const leaving = new AbortController();
    async function* body(): AsyncGenerator<Buffer> {
      yield Buffer.from(head.join('') + tiffBytes);
      for (let sent = 0; sent <= round; sent += 1) yield Buffer.alloc(20_000);
      while ((await leftovers(own.services)).ledger.length === 0) await new Promise(setImmediate);
      leaving.abort();
    }
    const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
    const init = { method: 'POST', body: body(), headers, duplex: 'half', signal: leaving.signal } as const;
    await assert.rejects(fetch(`${own.baseUrl}/datasets`, init), { name: 'AbortError' });
    while ((await leftovers(own.services)).ledger.length > 0) await new Promise(setImmediate);
  }
  const left = await leftovers(own.services);
  assert.deepEqual(left, { stored: [], ledger: [], datasets: [], jobs: [] });
});
