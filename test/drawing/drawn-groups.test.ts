import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../src/lib/errors.ts';
import { datasetProblems } from '../../src/messages/datasets.ts';
import { startTestApp } from '../support/app.ts';
import { insertCategory, insertGroup } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { insertRaster } from '../support/rasters.ts';

const app = await closeAfterTests(startTestApp());
const { db, maps } = app.services;
const category_id = await insertCategory(db);
const dg_id = await insertGroup(db);
const older = await insertRaster(db, { category_id, dg_id, end_date: '2020-12-31' });
const newer = await insertRaster(db, { category_id, dg_id, end_date: '2022-12-31' });

test('a raster that is deleted while a map of its group looks it up is replaced by the next one', async () => {
  const seen: string[] = [];
  const read = async (id: string) => {
    seen.push(id);
    if (id !== newer) return id;
    await db.deleteFrom('datasets').where('id', '=', newer).execute(); // by another process, whose news are late
    throw datasetProblems.notFound();
  };
  assert.equal(await maps.ofMember(dg_id, undefined, read), older);
  assert.deepEqual(seen, [newer, older]);
});

test('the fault of a raster that has no successor is told, after one look', async () => {
  const seen: string[] = [];
  const read = async (id: string) => {
    seen.push(id);
    return await Promise.reject(datasetProblems.notFound());
  };
  await assert.rejects(maps.ofMember(dg_id, undefined, read), Problem);
  assert.deepEqual(seen, [older]);
});
