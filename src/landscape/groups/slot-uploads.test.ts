import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { getReport } from '../../datasets/report.ts';
import { seedLandscape } from './seed.ts';
import { leaves } from '../model/leaves.ts';
import { getRunPlan, planWithoutRun } from '../plan/plan-answers.ts';
import { planStoredRun } from '../plan/plan-now.ts';
import { createRun, getRun } from '../runs/run-rows.ts';
import { insertGroup } from '../../../test/support/datasets.ts';
import { startProcessing } from '../../../test/support/processing.ts';
import { fixture } from '../../../test/support/geo/engine.ts';
import { silentQueue } from '../../../test/support/landscape/pretended-runs.ts';
import { openRasterEnginesHere } from '../../../test/support/geo/raster-engine-here.ts';
import { groupId, insertRaster } from '../../../test/support/geo/rasters.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const { geo: engine } = await openRasterEnginesHere();
// The engine selects GDAL's drivers in this process, so it must be loaded first.
const { writeRaster } = await import('../../../test/support/geo/geotiffs.ts');
const processing = await closeAfterTests(startProcessing({ engine }));
const { db, objectStore } = processing;
await seedLandscape({ db, objectStore });
const relief = fixture('landscape/golden/dem.tif');

/** Uploads to a group; returns the warnings of the report once the dataset is ready. */
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

describe('what a slot is given', () => {
  const golden = (name: string) => fixture(`landscape/golden/${name}.tif`);
  /** Position and size of the golden rasters. */
  const onGrid = {
    width: 20,
    height: 30,
    epsg: 32_642,
    affine: [500_000, 1000, 0, 5_550_000, 0, -1000],
  } as const;
  const written = (name: string, raster: Partial<Parameters<typeof writeRaster>[1]>) => {
    const path = join(processing.folder, `${name}.tif`);
    writeRaster(path, { ...onGrid, value: () => 0, ...raster });
    return path;
  };
  const nearly = (column: number, row: number) => -3000 + 20 * (30 * column + row);

  /** Uploads a file to a slot; returns it as a pin once it is ready. */
  async function uploaded(key: string, path: string) {
    const group = `landscape-in-${key}`;
    const id = await processing.upload(path, 'raster', { dg_id: await groupId(db, group) });
    await processing.untilStatus(id, 'ready');
    return { [group]: id };
  }

  /** Plan of a run with these pins, over rasters with unknown properties. */
  async function planOf(overrides: Readonly<Record<string, string>>) {
    const plan = await planWithoutRun(db, { overrides });
    const found = plan.inputs.flatMap(({ group, findings = [] }) =>
      findings.map(({ severity, code }) => `${group.replace('landscape-in-', '')} ${severity} ${code}`),
    );
    return { error: plan.error, nodes: plan.nodes.length, found };
  }

  test('is judged in the plan, and what stops is the error of plan and run', async () => {
    // The freshest raster of each slot: an upload is read only where it is pinned.
    for (const { group } of leaves)
      await insertRaster(db, { dg_id: await groupId(db, group), end_date: '2030-12-31' });
    const dem = await uploaded('dem', golden('dem'));
    const nothing = { error: null, nodes: 19, found: [] };
    assert.deepEqual(await planOf({ ...dem, ...(await uploaded('ndvi', golden('ndvi'))) }), nothing);
    const cases = [
      {
        pin: await uploaded('ndvi', golden('ndvi-without-crs')),
        error: 'input group landscape-in-ndvi: CRS missing or not supported',
        found: ['ndvi stops no_reference_system'],
      },
      {
        pin: await uploaded('land-cover', written('picture', { dataType: 'Byte', bands: 3 })),
        error:
          'input group landscape-in-land-cover: a picture of 3 bands instead of a raster with one band of values',
        found: ['land-cover stops picture'],
      },
      {
        pin: await uploaded('ndvi', golden('ndvi-elsewhere')),
        error: 'input group landscape-in-ndvi does not overlap the reference grid',
        found: ['ndvi stops no_overlap'],
      },
      {
        pin: await uploaded(
          'land-cover',
          written('classes', { dataType: 'Byte', value: (column) => column + 1 - (column > 8 ? 1 : 0) }),
        ),
        error: null,
        found: ['land-cover warns unknown_classes'],
      },
      {
        pin: await uploaded(
          'land-cover',
          written('none', { dataType: 'Byte', value: (column) => 1 + (column % 3) }),
        ),
        error:
          'input group landscape-in-land-cover has no valid pixel on the reference grid; check unit, scale and nodata',
        found: ['land-cover stops unknown_classes'],
      },
      {
        pin: await uploaded('ndvi', written('stored', { dataType: 'Int16', value: nearly })),
        error: null,
        found: ['ndvi warns out_of_range', 'ndvi warns likely_factor'],
      },
      {
        pin: await uploaded('ndvi', written('scaled', { dataType: 'Int16', value: nearly, scale: 0.0001 })),
        error: null,
        found: [],
      },
    ];
    for (const { pin, error, found } of cases) {
      const overrides = { ...dem, ...pin };
      assert.deepEqual(await planOf(overrides), { error, nodes: 19, found });
      const { id } = await createRun({ db, messageQueue: silentQueue }, { overrides });
      await db.transaction().execute(async (trx) => assert.equal(await planStoredRun(trx, id), undefined));
      const { status, error: refusal, nodes } = await getRun(db, id);
      assert.equal(status, error === null ? 'running' : 'failed');
      assert.equal(refusal?.replace(/^\d\d: /, '') ?? null, error);
      assert.equal(nodes?.filter((node) => node.status === 'failed').length, error === null ? 0 : 1);
      const stored = await getRunPlan(db, id);
      assert.deepEqual([stored.error, stored.nodes.length], [error, 19]);
    }
  });

  test('is not judged by its values before they are counted', async () => {
    const pin = await uploaded('ndvi', written('late', { dataType: 'Int16', value: nearly }));
    await db
      .updateTable('raster_statistics')
      .set({ state: 'pending', counts: null })
      .where('dataset_id', '=', Object.values(pin)[0] ?? '')
      .execute();
    assert.deepEqual((await planOf(pin)).found, ['ndvi waits not_judged']);
  });
});
