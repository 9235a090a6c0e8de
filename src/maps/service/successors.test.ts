import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../lib/errors.ts';
import { datasetProblems } from '../../messages/datasets/english.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, insertGroup, sendForm } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { insertRaster } from '../../../test/support/geo/rasters.ts';

const app = await closeAfterTests(startTestApp());
const { db, maps, recentDatasets } = app.services;
const category_id = await insertCategory(db);
const dg_id = await insertGroup(db);
const older = await insertRaster(db, { category_id, dg_id, end_date: '2020-12-31' });
const newer = await insertRaster(db, { category_id, dg_id, end_date: '2022-12-31' });

test('a raster that is deleted while a map of its group looks it up is replaced by the next one', async () => {
  const seen: string[] = [];
  const read = async (id: string) => {
    seen.push(id);
    if (id !== newer) return id;
    await db.deleteFrom('datasets').where('id', '=', newer).execute(); // by another process, whose notification is late
    throw datasetProblems.notFound();
  };
  assert.equal(await maps.ofMember(dg_id, undefined, read), older);
  assert.deepEqual(seen, [newer, older]);
});

test('the fault of a raster without a successor is reported, after one look-up', async () => {
  const seen: string[] = [];
  const read = async (id: string) => {
    seen.push(id);
    return await Promise.reject(datasetProblems.notFound());
  };
  await assert.rejects(maps.ofMember(dg_id, undefined, read), Problem);
  assert.deepEqual(seen, [older]);
});

test('a style that is replaced between the looks at its row and at its object is read once more', async () => {
  const sld = '<StyledLayerDescriptor version="1.0.0"></StyledLayerDescriptor>';
  const { status } = await sendForm(app, `/datasets/${older}/sld`, [['file', new File([sld], 'a.sld')]]);
  assert.equal(status, 200);
  recentDatasets.forget(older);
  const { sld_key: key } = await recentDatasets.read(older);
  assert.ok(key !== null);
  const gone = 'test/replaced.sld';
  await db.insertInto('objects').values({ key: gone, state: 'live', lease_until: null }).execute();
  await setKey(gone);
  recentDatasets.forget(older);
  await recentDatasets.read(older);
  await setKey(key); // by another process, whose notification is late
  assert.equal((await recentDatasets.read(older)).sld_key, gone);
  assert.equal((await maps.dataset(older)).style?.key, key);
});

async function setKey(key: string): Promise<void> {
  await db
    .updateTable('dataset_files')
    .set({ object_key: key })
    .where('dataset_id', '=', older)
    .where('kind', '=', 'sld')
    .execute();
}
