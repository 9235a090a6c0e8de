import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import {
  geoJsonForms,
  insertCategory,
  insertGroup,
  leftovers,
  nothing,
  type Part,
  send,
  sendForm,
  sendRawForm,
  setState,
  tiffBytes,
  upload,
} from '../support/datasets.ts';

test('an upload is one object under a key of ours, whatever its name, and its entry in the ledger', async () => {
  await using app = await startTestApp();
  const category_id = await insertCategory(app.services.db);
  const part = (name: string, content: string, more = '') => ({
    headers: [`Content-Disposition: form-data; name="${name}"${more}`],
    content,
  });
  const { body } = await sendRawForm(app, '/datasets', [
    part('file_type', 'raster'),
    part('category_id', category_id),
    part('file', tiffBytes, `; filename="${'../'.repeat(20)}${tmpdir()}/steppe-escape.tif"`),
  ]);
  const key = `originals/${body.id}/source.tif`;
  const { stored, ledger } = await leftovers(app.services);
  assert.deepEqual([stored, ledger, body.storage_key], [[key], [{ key, state: 'live' }], key]);
  assert.ok(!(await readdir(tmpdir())).includes('steppe-escape.tif'));
});

test('refused and broken uploads leave no row, no object and no ledger entry', async () => {
  await using app = await startTestApp({ maxUploadBytes: 100_000 });
  const fields = Object.entries({
    file_type: 'raster',
    category_id: await insertCategory(app.services.db),
  });
  const file = (content: string, name = 'a.tif'): Part => ['file', new File([content], name)];
  const outcomes = [
    await sendForm(app, '/datasets', [...fields, file(tiffBytes, 'a.png')]),
    await sendForm(app, '/datasets', [...fields, file('{}')]),
    await sendForm(app, '/datasets', [file(tiffBytes), ...fields, ['dg_id', fields[1]?.[1] ?? '']]),
    await sendForm(app, '/datasets', [...fields, file(tiffBytes.padEnd(100_001))]),
    await send(app, '/datasets', {
      method: 'POST',
      body: `--edge\r\nContent-Disposition: form-data; name="file"; filename="a.tif"\r\n\r\n${tiffBytes}`,
      headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    }),
  ];
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    [422, 422, 422, 413, 400],
  );
  assert.deepEqual(await leftovers(app.services), nothing);
});

test('a deletion leaves no row, object, ledger entry or live job, whatever the dataset had', async () => {
  await using app = await startTestApp();
  const { db } = app.services;
  const { id } = await upload(app, { category_id: await insertCategory(db) });
  const set = await db
    .insertInto('observation_sets')
    .values({ dataset_id: id, job_id: id, attempt: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await setState(
    app.services,
    id,
    { observation_set_id: set.id },
    {
      cog: 'cog',
      sld: '<a/>',
      ...geoJsonForms('{}'),
      ...Object.fromEntries(['series', 'series gzip', 'series br'].map((name) => [name, '{}'])),
    },
  );
  assert.equal((await leftovers(app.services)).stored.length, 9);
  assert.equal((await send(app, `/datasets/${id}`, { method: 'DELETE' })).status, 204);
  assert.deepEqual(await leftovers(app.services), nothing);
});

test('a style that is replaced leaves nothing of the one before', async () => {
  await using app = await startTestApp();
  const { db } = app.services;
  const { id } = await upload(app, { category_id: await insertCategory(db) });
  for (const path of [`/datasets/${id}`, `/dataset-groups/${await insertGroup(db)}`]) {
    const keys: unknown[] = [];
    for (const name of ['dir/Рельеф.SLD', 'b.xml']) {
      const file = new File(['<StyledLayerDescriptor/>'], name);
      const { body } = await sendForm(app, `${path}/sld`, [['file', file]]);
      assert.match(String(body['sld_storage_key']), /^styles\/[0-9a-f-]{36}\/[0-9a-f-]{36}\.sld$/);
      keys.push(body['sld_storage_key']);
    }
    const { stored } = await leftovers(app.services);
    assert.deepEqual(
      keys.map((key) => stored.includes(String(key))),
      [false, true],
    );
  }
});
