import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { getDataset } from '../queries.ts';
import type { FileType } from '../../database/tables/tables.ts';
import { floatTiff, squaresGeoJson } from '../../../test/support/geo/generated-files.ts';
import { eventually } from '../../../test/support/processes.ts';
import { startProcessing } from '../../../test/support/processing.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const processing = await closeAfterTests(startProcessing());
const { db, objectStore, folder } = processing;

async function upload(name: string, content: Blob, fileType: FileType): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content.stream());
  return await processing.upload(path, fileType);
}

async function storedKeys(datasetId: string): Promise<string[]> {
  const keys = await Array.fromAsync(objectStore.keys());
  return keys.filter((key) => key.includes(datasetId)).toSorted();
}

test('workers that end in the middle cost time only: one result, nothing left over', async () => {
  const raster = await upload('dem.tif', floatTiff(400), 'raster');
  const vector = await upload('squares.geojson', squaresGeoJson(100), 'vector');
  for (const pauseMs of [50, 150, 400]) {
    await sleep(pauseMs);
    await processing.restartWorker();
  }
  for (const id of [raster, vector]) {
    await processing.untilStatus(id, 'ready');
    const { files } = await getDataset(db, id);
    const made = id === raster ? 'cog' : 'geojson';
    assert.ok(['original', made].every((kind) => files.some((file) => file.kind === kind)));
    const owned = files.map(({ key }) => key);
    await eventually(
      'only owned objects are left',
      async () => (await storedKeys(id)).length === owned.length,
    );
    assert.deepEqual(await storedKeys(id), owned.toSorted());
  }
});
