import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deleteUnderway, startTestApp } from '../support/app.ts';
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
import { closeAfterTests } from '../support/for-tests.ts';
import { repetitions } from '../support/tier.ts';

const rounds = repetitions('RACE_ROUNDS', 3, 10);

const app = await closeAfterTests(startTestApp());

it('20 concurrent patches of different fields all land', async () => {
  const { db } = app.services;
  for (let round = 0; round < rounds; round += 1) {
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
  for (let round = 0; round < rounds; round += 1) {
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

it('concurrent replacements and reads: every read is one whole style, one object stays', async () => {
  const { id } = await upload(app, { category_id: await insertCategory(app.services.db) });
  const style = (n: number) =>
    `<StyledLayerDescriptor>${String(n).repeat(20_000 + n * 1000)}</StyledLayerDescriptor>`;
  const styles = new Set(Array.from({ length: 10 }, (_, n) => style(n)));
  const put = async (n: number) =>
    await sendForm(app, `/datasets/${id}/sld`, [['file', new File([style(n)], 'style.sld')]]);
  await put(0);
  const written = new AbortController();
  const reads = Array.from({ length: 4 }, async () => {
    while (!written.signal.aborted) {
      const { status, text } = await send(app, `/datasets/${id}/sld`);
      assert.equal(status, 200, text);
      assert.ok(styles.has(text), `a whole style, not ${text.length} characters`);
    }
  });
  const writes = Array.from({ length: 10 }, async (_, n) => {
    for (let round = 0; round < rounds; round += 1) {
      assert.equal((await put(n)).status, 200);
    }
  });
  await Promise.all(writes).finally(() => written.abort());
  await Promise.all(reads);
  const { stored, ledger } = await leftovers(app.services);
  assert.equal(stored.filter((key) => key.startsWith(`styles/${id}/`)).length, 1);
  assert.equal(ledger.filter(({ key }) => key.startsWith(`styles/${id}/`)).length, 1);
});
