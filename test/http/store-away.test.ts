import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import {
  insertCategory,
  insertGroup,
  leftovers,
  send,
  sendForm,
  tiffBytes,
  upload,
} from '../support/datasets.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';

const sld = '<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"/>';
const away = [503, { error: 'object_store unavailable' }];

const folder = await temporaryFolder();
const app = await closeAfterTests(startTestApp({ storeFolder: join(folder, 'objects') }));
const dataset = await upload(app, { category_id: await insertCategory(app.services.db) });
await rename(join(folder, 'objects'), join(folder, 'elsewhere'));
await writeFile(join(folder, 'objects'), 'where the folder of the store should be');

describe('an object store whose folder is gone, with a file in its place', () => {
  test('makes an upload 503, which leaves no row', async () => {
    const parts = Object.entries({ file_type: 'raster', category_id: String(dataset['category_id']) });
    const file = new File([tiffBytes], 'relief.tif');
    const { status, body } = await sendForm(app, '/datasets', [...parts, ['file', file]]);
    assert.deepEqual([status, body], away);
    assert.deepEqual(await app.services.db.selectFrom('datasets').select('id').execute(), [
      { id: dataset.id },
    ]);
  });

  test('makes a style 503, and the group has none', async () => {
    const path = `/dataset-groups/${await insertGroup(app.services.db)}`;
    const { status, body } = await sendForm(app, `${path}/sld`, [['file', new File([sld], 'style.sld')]]);
    assert.deepEqual([status, body], away);
    assert.equal((await send(app, path)).body['sld_storage_key'], null);
  });

  test('makes a download 503, and nothing else', async () => {
    const { status, body, headers } = await send(app, `/datasets/${dataset.id}/download`);
    assert.deepEqual([status, body], away);
    assert.equal(headers.get('retry-after'), '1', 'the same request may succeed soon');
    assert.equal((await send(app, `/datasets/${dataset.id}`)).status, 200);
    assert.equal((await send(app, '/healthz')).status, 200);
  });

  test('serves again when it is back, and has forgotten nothing', async () => {
    await rm(join(folder, 'objects'));
    await rename(join(folder, 'elsewhere'), join(folder, 'objects'));
    const { status, text } = await send(app, `/datasets/${dataset.id}/download`);
    assert.deepEqual([status, text], [200, tiffBytes]);
    const { stored, ledger } = await leftovers(app.services);
    assert.deepEqual(stored, [dataset.storage_key]);
    assert.ok(ledger.some(({ key, state }) => key === dataset.storage_key && state === 'live'));
  });
});
