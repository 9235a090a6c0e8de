import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, test } from 'node:test';
import { getDataset } from '../../src/datasets/queries.ts';
import type { FileType } from '../../src/database/tables.ts';
import { floatTiff, squaresGeoJson } from '../support/generated-files.ts';
import { eventually } from '../support/processes.ts';
import { startProcessing } from '../support/processing.ts';

const processing = await startProcessing();
after(async () => await processing.close());
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

test('a raster becomes ready with a COG of its own and a bbox', async () => {
  const id = await upload('dem.tif', floatTiff(600), 'raster');
  const dataset = await processing.untilStatus(id, 'ready');
  assert.deepEqual(dataset.bbox?.length, 4);
  assert.equal(dataset.parse_error, null);
  const cogKey = dataset.cog_storage_key ?? '';
  assert.match(cogKey, new RegExp(`^cog/${id}/.+\\.tif$`));
  assert.deepEqual(await storedKeys(id), [cogKey, dataset.storage_key]);
  const cog = await buffer(await objectStore.read(cogKey));
  assert.equal(cog.subarray(0, 4).toString('latin1'), 'II*\u0000');
});

test('a vector becomes ready with its dissolved GeoJSON', async () => {
  const id = await upload('squares.geojson', squaresGeoJson(3), 'vector');
  await processing.untilStatus(id, 'ready');
  const collection: unknown = JSON.parse(await processing.geoJson(id));
  assert.partialDeepStrictEqual(collection, {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        geometry: { type: 'Polygon' },
        properties: { rows: [0, 1, 2].map((number) => ({ number, name: `участок ${number}` })) },
      },
    ],
  });
});

test('a file that can not be read fails with a sentence, and leaves its original alone', async () => {
  const id = await upload('broken.tif', new Blob(['II*\u0000 and nothing else']), 'raster');
  await assert.rejects(processing.untilStatus(id, 'ready'), /dataset failed: \p{Lu}.+\.$/u);
  const { storage_key, cog_storage_key } = await getDataset(db, id);
  assert.equal(cog_storage_key, null);
  assert.deepEqual(await storedKeys(id), [storage_key]);
});

test('workers that end in the middle cost time only: one result, nothing left over', async () => {
  const raster = await upload('dem.tif', floatTiff(1500), 'raster');
  const vector = await upload('squares.geojson', squaresGeoJson(400), 'vector');
  for (const pauseMs of [50, 150, 400]) {
    await sleep(pauseMs);
    await processing.restartWorker();
  }
  for (const id of [raster, vector]) {
    await processing.untilStatus(id, 'ready');
    const { storage_key, cog_storage_key, geojson_storage_key } = await getDataset(db, id);
    const owned = [cog_storage_key, geojson_storage_key, storage_key].filter((key) => key !== null);
    assert.equal(owned.length, 2);
    await eventually('only owned objects are left', async () => (await storedKeys(id)).length === 2);
    assert.deepEqual(await storedKeys(id), owned);
  }
});
