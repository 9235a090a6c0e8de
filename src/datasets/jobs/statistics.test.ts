import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { getDataset } from '../queries.ts';
import { countingOf, readStatistics } from '../statistics.ts';
import { RasterStatistics } from '../statistics-schema.ts';
import { EngineDied, type EngineTask, type GeoEngine, type RasterCounts } from '../../geo/engine.ts';
import { checkStore } from '../../object-store/fsck.ts';
import { enqueueMissingStatistics } from './statistics.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { fixture } from '../../../test/support/geo/engine.ts';
import { startProcessing } from '../../../test/support/processing.ts';
import { rasterProblems } from '../../messages/raster/english.ts';
import { endRest } from '../../../test/support/jobs.ts';
import { eventually } from '../../../test/support/processes.ts';
import { openRasterEnginesHere } from '../../../test/support/geo/raster-engine-here.ts';

const { geo: real } = await openRasterEnginesHere();
/** Counts the pixels of a raster; tests replace it. */
let counting = async (task: EngineTask): Promise<RasterCounts> => await real.countPixels(task);
/** Treats every raster as a large one. */
let areAllLarge = true;
const engine: GeoEngine = {
  ...real,
  async convertRaster(task) {
    const { counts, ...converted } = await real.convertRaster(task);
    return areAllLarge ? converted : { ...converted, counts };
  },
  countPixels: async (task) => await counting(task),
};
const processing = await closeAfterTests(startProcessing({ engine }));
const { db, objectStore } = processing;

async function uploaded(name: string): Promise<string> {
  const id = await processing.upload(fixture(name), 'raster');
  await processing.untilStatus(id, 'ready');
  return id;
}

const stateOf = async (id: string) =>
  (await db.selectFrom('raster_statistics').select('state').where('dataset_id', '=', id).executeTakeFirst())
    ?.state;

async function until(state: string, id: string): Promise<void> {
  await eventually(state, async () => ((await stateOf(id)) === state ? true : undefined));
}

async function assertSound(): Promise<void> {
  const { damage } = await checkStore(db, objectStore);
  assert.deepEqual(damage, []);
}

describe('the statistics of a raster', () => {
  it('for which a request waits are counted before others', async () => {
    const gate = Promise.withResolvers<void>();
    counting = async (task) => {
      await gate.promise;
      return await real.countPixels(task);
    };
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push(await uploaded('raster/srtm_zion.tif'));
    const last = await getDataset(db, ids.at(-1) ?? '');
    assert.deepEqual(await countingOf(db, last), { isPending: true, ref: last.id });
    const next = await db
      .selectFrom('jobs')
      .select('ref_id')
      .where('kind', '=', 'count-pixels')
      .where('state', '=', 'queued')
      .orderBy('run_after')
      .executeTakeFirst();
    assert.equal(next?.ref_id, last.id);
    gate.resolve();
    for (const id of ids) await until('counted', id);
    assert.deepEqual(await countingOf(db, last), { isPending: false });
    await assertSound();
  });

  it('that is small exist when it is ready, and equal those that a job counts', async () => {
    counting = async (task) => await real.countPixels(task);
    const name = 'raster/srtm_zion.tif';
    const large = await uploaded(name);
    await until('counted', large);
    areAllLarge = false;
    counting = async () => assert.fail('there is a job for it');
    const small = await uploaded(name);
    areAllLarge = true;
    assert.equal(await stateOf(small), 'counted');
    const [one, other] = await Promise.all(
      [small, large].map(async (id) => await readStatistics(db, await getDataset(db, id))),
    );
    assert.deepEqual({ ...one, dataset_id: large }, other);
    await assertSound();
  });

  it('are counted once it is ready, without a change of the dataset', async () => {
    const gate = Promise.withResolvers<void>();
    counting = async (task) => {
      await gate.promise;
      return await real.countPixels(task);
    };
    const id = await uploaded('raster/srtm_zion.tif');
    const before = await getDataset(db, id);
    await assert.rejects(readStatistics(db, before), /being counted/);
    await assertSound();
    gate.resolve();
    await until('counted', id);
    assert.deepEqual(await getDataset(db, id), before);
    const statistics = RasterStatistics.parse(await readStatistics(db, before));
    assert.equal(statistics.dataset_id, id);
    const [band] = statistics.bands;
    assert.ok(band !== undefined && band.valid + band.nodata === statistics.pixels);
    assert.ok((statistics.area_ha ?? 0) > 0);
    await assertSound();
  });

  it('are counted again from the start when a worker dies', async () => {
    let attempts = 0;
    counting = async (task) => {
      attempts += 1;
      if (attempts > 1) return await real.countPixels(task);
      return await new Promise((_, reject) =>
        task.signal.addEventListener('abort', () => reject(new Error('the worker stops')), { once: true }),
      );
    };
    const id = await uploaded('raster/gdal_int16.tif');
    await eventually('an attempt', async () => (attempts === 1 ? true : undefined));
    await processing.restartWorker();
    await until('counted', id);
  });

  it('that cannot be counted, or are those of another raster, leave it ready', async () => {
    const faults = [
      async () => await Promise.reject(new EngineDied('the engine dies of this raster')),
      async (task: EngineTask) => ({ ...(await real.countPixels(task)), width: 3 }),
    ];
    for (const fault of faults) {
      counting = fault;
      const id = await uploaded('raster/gdal_int16.tif');
      await until('failed', id);
      const dataset = await getDataset(db, id);
      assert.equal(dataset.status, 'ready');
      await assert.rejects(readStatistics(db, dataset), /could not be counted; the service tries this again/);
      await assertSound();
      counting = real.countPixels;
      assert.deepEqual(await enqueueMissingStatistics(db), { enqueued: 0, areLeft: false });
      await endRest(db, id);
      assert.equal((await enqueueMissingStatistics(db)).enqueued, 1);
      await until('counted', id);
    }
  });

  it('rest for longer after each failure', async () => {
    counting = async () => await Promise.reject(new EngineDied('the engine dies of this raster'));
    const id = await uploaded('raster/gdal_int16.tif');
    await until('failed', id);
    await endRest(db, id);
    assert.equal((await enqueueMissingStatistics(db)).enqueued, 1);
    await until('failed', id);
    await endRest(db, id);
    assert.equal((await enqueueMissingStatistics(db)).enqueued, 0);
    await endRest(db, id);
    assert.equal((await enqueueMissingStatistics(db)).enqueued, 1);
  });

  it('of a raster that is to blame are not counted again', async () => {
    counting = async () => await Promise.reject(rasterProblems.complexNumbers());
    const id = await uploaded('raster/gdal_int16.tif');
    await until('failed', id);
    await endRest(db, id);
    assert.deepEqual(await enqueueMissingStatistics(db), { enqueued: 0, areLeft: false });
    await assert.rejects(readStatistics(db, await getDataset(db, id)), /complex numbers/);
  });

  it('of earlier rasters are counted a few at a time, whichever process looks for them', async () => {
    counting = async (task) => await real.countPixels(task);
    const ids = [];
    for (let i = 0; i < 10; i += 1) ids.push(await uploaded('raster/one_pixel_epsg4326.tif'));
    for (const id of ids) await until('counted', id);
    const gate = Promise.withResolvers<void>();
    counting = async (task) => {
      await gate.promise;
      return await real.countPixels(task);
    };
    await sql`delete from raster_statistics where dataset_id = any(${ids}::uuid[])`.execute(db);
    const found = await Promise.all([1, 2, 3].map(async () => await enqueueMissingStatistics(db)));
    const enqueued = found.reduce((sum, each) => sum + each.enqueued, 0);
    assert.ok(enqueued >= 8 && enqueued <= 10, `${enqueued}`);
    gate.resolve();
    await eventually('no raster without', async () =>
      (await enqueueMissingStatistics(db)).areLeft ? undefined : true,
    );
    for (const id of ids) await until('counted', id);
    await assertSound();
  });
});
