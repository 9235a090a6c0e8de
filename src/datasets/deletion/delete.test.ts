import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addDataset } from '../../../test/support/jobs.ts';
import { openTestObjects } from '../../../test/support/store.ts';
import { checkStore } from '../../object-store/fsck.ts';
import { deleteDataset } from './delete.ts';

const { db, store, stored } = await openTestObjects(await openTestDatabase());

test('deleting a dataset leaves nothing of a raster that is its own COG', async () => {
  const { datasetId, key } = await addDataset(db, store);
  const cog = { dataset_id: datasetId, kind: 'cog', encoding: 'identity', object_key: key } as const;
  await db.insertInto('dataset_files').values(cog).execute();
  await deleteDataset({ db, objectStore: store }, datasetId);
  assert.deepEqual(await stored(), []);
  const report = await checkStore(db, store);
  assert.deepEqual(report, { objects: 0, datasets: 0, damage: [], inFlight: [] });
});
