import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getReport } from '../../src/datasets/report.ts';
import { seedLandscape } from '../../src/landscape/groups/seed.ts';
import { insertGroup } from '../support/datasets.ts';
import { startProcessing } from '../support/processing.ts';
import { fixture } from '../support/geo.ts';
import { openRasterEnginesHere } from '../support/raster-engine-here.ts';
import { groupId, insertRaster } from '../support/rasters.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const { geo: engine } = await openRasterEnginesHere();
const processing = await closeAfterTests(startProcessing({ engine }));
const { db, objectStore } = processing;
await seedLandscape({ db, objectStore });
const relief = fixture('landscape/golden/dem.tif');

/** Uploads to a group; gives the warnings of the report once the dataset is ready. */
async function warningsOf(dg_id: string, end_date: string | null) {
  const id = await processing.upload(relief, 'raster', { dg_id, end_date });
  await processing.untilStatus(id, 'ready');
  return (await getReport(db, id)).warnings;
}

test('a raster that another of its slot outranks is reported as not the freshest', async () => {
  const slot = await groupId(db, 'landscape-in-dem');
  assert.deepEqual(await warningsOf(slot, null), [], 'alone');
  assert.deepEqual(await warningsOf(slot, null), [], 'the newest of those without end_date');
  assert.deepEqual(await warningsOf(slot, '2020-12-31'), [], 'the only one with an end_date');
  assert.deepEqual(await warningsOf(slot, null), [
    {
      code: 'not_freshest',
      message:
        'Not the freshest of this slot: "dem.tif" ends on 2020-12-31, this one has no end_date, and runs use the one ' +
        'with the greatest end_date, then the newest. To use this one, change its end_date or pin it in the overrides of a run.',
      sentence: {
        code: 'slot_warning.notFreshest',
        facts: [{ name: 'dem.tif', endDate: '2020-12-31' }, null],
      },
    },
  ]);
  const [earlier] = await warningsOf(slot, '2020-12-30');
  assert.match(earlier?.message ?? '', /"dem.tif" ends on 2020-12-31, this one ends on 2020-12-30/);
  assert.deepEqual(await warningsOf(slot, '2020-12-31'), [], 'as late, and newer');
});

test('what runs would not use outranks nothing, and other groups have no such rule', async () => {
  const slot = await groupId(db, 'landscape-in-pet');
  await insertRaster(db, { dg_id: slot, end_date: '2030-12-31', status: 'failed' });
  await insertRaster(db, { dg_id: slot, end_date: '2030-12-31', file_type: 'vector' });
  assert.deepEqual(await warningsOf(slot, null), []);
  for (const group of [await groupId(db, 'landscape-01-slope'), await insertGroup(db)]) {
    await insertRaster(db, { dg_id: group, end_date: '2030-12-31' });
    assert.deepEqual(await warningsOf(group, null), []);
  }
});
