import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { addDataset } from '../../test/support/jobs.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { checkStore } from '../object-store/fsck.ts';
import { deleteDataset } from './delete.ts';

describe('deleting a dataset', () => {
  let database: TestDatabase;
  let objectStore: TestStore;
  before(async () => {
    database = await openTestDatabase();
    objectStore = await openTestStore();
  });
  after(async () => {
    await objectStore.close();
    await database.close();
  });

  it('leaves nothing of a raster that is its own COG', async () => {
    const { db } = database;
    const { datasetId, key } = await addDataset(db, objectStore);
    const columns = { cog_storage_key: key, status: 'ready' } as const;
    await db.updateTable('datasets').set(columns).where('id', '=', datasetId).execute();
    await deleteDataset({ db, objectStore }, datasetId);
    assert.deepEqual(await Array.fromAsync(objectStore.keys()), []);
    assert.deepEqual(await checkStore(db, objectStore), {
      objects: 0,
      datasets: 0,
      damage: [],
      inFlight: [],
    });
  });
});
