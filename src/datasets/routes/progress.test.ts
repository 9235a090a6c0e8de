import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { getDataset } from '../queries.ts';
import { toDataset } from '../schema.ts';
import type { GeoEngine } from '../../geo/engine.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, send, setState, upload } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { createHijackedEngine } from '../../../test/support/hostile/hijacked-engine.ts';
import { eventually } from '../../../test/support/processes.ts';
import { startProcessing } from '../../../test/support/processing.ts';

const hijacked = createHijackedEngine(new Map([['honest', [{}]]]));
const finish = Promise.withResolvers<void>();
const engine: GeoEngine = {
  ...hijacked,
  async convertRaster(task) {
    task.onProgress?.(0.25);
    task.onProgress?.(0.5); // before progress is stored again
    await finish.promise;
    return await hijacked.convertRaster(task);
  },
};
const processing = await closeAfterTests(startProcessing({ engine }));
const app = await closeAfterTests(startTestApp());

test('the progress of a file is kept while it is read, and changes nothing else of its dataset', async () => {
  const { db, folder } = processing;
  const path = join(folder, 'relief.tif');
  await writeFile(path, 'honest');
  const id = await processing.upload(path, 'raster');
  const begun = await processing.untilStatus(id, 'processing');
  const kept = await eventually('progress', async () => {
    const row = await getDataset(db, id);
    return row.progress !== null && row;
  });
  assert.deepEqual(toDataset(kept), { ...begun, progress: 0.25 });
  finish.resolve();
  assert.equal((await processing.untilStatus(id, 'ready')).progress, undefined);
});

test('datasets and their status show the progress while the file is read, and not after', async () => {
  const { id } = await upload(app, { category_id: await insertCategory(app.services.db) });
  const seen = async () => {
    const bodies = [await send(app, `/datasets/${id}`), await send(app, `/datasets/${id}/status?wait=0`)];
    return bodies.map(({ body }) => ('progress' in body ? body['progress'] : 'none'));
  };
  assert.deepEqual(await seen(), ['none', 'none']);
  await setState(app.services, id, { status: 'processing', progress: 0.5 });
  assert.deepEqual(await seen(), [0.5, 0.5]);
  await setState(app.services, id, { status: 'failed', parse_error: 'The file is no map.' });
  assert.deepEqual(await seen(), ['none', 'none']);
});
