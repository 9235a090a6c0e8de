import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { deleteDataset } from '../deletion/delete.ts';
import { readReport } from '../report.ts';
import { EngineDied, type EngineTask, type GeoEngine } from '../../geo/engine.ts';
import { checkStore } from '../../object-store/fsck.ts';
import { findFile, replaceFiles } from '../files.ts';
import { getDataset } from '../queries.ts';
import { sweepObjects } from '../../object-store/sweeper.ts';
import { decodeMesh } from '../../../common/maps/raster/mesh.ts';
import { enqueueMissingViews } from './views.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { fixture } from '../../../test/support/geo/engine.ts';
import { startProcessing } from '../../../test/support/processing.ts';
import { endRest } from '../../../test/support/jobs.ts';
import { eventually } from '../../../test/support/processes.ts';
import { openRasterEnginesHere } from '../../../test/support/geo/raster-engine-here.ts';

const { geo: real } = await openRasterEnginesHere();
/** Runs before a view is made; tests replace it. */
let before: (task: EngineTask) => Promise<void> = async () => undefined;
const engine: GeoEngine = {
  ...real,
  async makeView(task) {
    await before(task);
    return await real.makeView(task);
  },
};
const processing = await closeAfterTests(startProcessing({ engine }));
const { db, objectStore } = processing;

/** A raster that is stored unchanged and cannot be drawn from. */
const lerc = fixture('raster-codecs/lerc_float32.tif');

async function uploaded(path: string): Promise<string> {
  const id = await processing.upload(path, 'raster');
  await processing.untilStatus(id, 'ready');
  return id;
}

async function viewOf(id: string) {
  const { status, updated_at, view_state, files } = await getDataset(db, id);
  return {
    status,
    updated_at,
    view_state,
    mesh: findFile(files, 'view_mesh'),
    cog: findFile(files, 'view_cog'),
  };
}

async function untilMade(id: string) {
  return await eventually('a view', async () => {
    const view = await viewOf(id);
    return view.view_state === 'made' ? view : undefined;
  });
}

/** Restores the state of a dataset from before views existed. */
async function forgetView(id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('datasets').set({ view_state: null }).where('id', '=', id).execute();
    await replaceFiles(trx, id, [], ['view_mesh', 'view_cog']);
  });
}

async function assertSound(): Promise<void> {
  await sweepObjects(db, objectStore);
  const { damage } = await checkStore(db, objectStore);
  assert.deepEqual(damage, []);
}

const liveViews = async (): Promise<number> =>
  (await sql`select from objects where key like 'view/%' and state = 'live'`.execute(db)).rows.length;

describe('the view of a raster', () => {
  it('is its mesh alone where its COG can be drawn from', async () => {
    const id = await uploaded(fixture('raster-codecs/lzma_int32.tif'));
    const view = await viewOf(id);
    assert.deepEqual([view.view_state, view.cog], ['made', null]);
    const mesh = decodeMesh(await buffer(await objectStore.read(view.mesh ?? '')));
    assert.deepEqual([mesh.width, mesh.height], [100, 84]);
    await assertSound();
  });

  it('does not exist for a raster that no map shows', async () => {
    const view = await viewOf(await uploaded(fixture('raster/no_georef.tif')));
    assert.deepEqual([view.view_state, view.mesh, view.cog], ['none', null, null]);
  });

  it('has a COG of its own where that of the raster cannot be drawn from, made without a change of the dataset', async () => {
    const gate = Promise.withResolvers<void>();
    before = async () => await gate.promise;
    const id = await uploaded(lerc);
    const pending = await viewOf(id);
    assert.deepEqual([pending.view_state, pending.cog], ['pending', null]);
    assert.notEqual(pending.mesh, null);
    gate.resolve();
    const made = await untilMade(id);
    assert.deepEqual({ ...made, view_state: 'pending', cog: null }, { ...pending, status: 'ready' });
    const cog = await buffer(await objectStore.read(made.cog ?? ''));
    assert.equal(cog.subarray(0, 2).toString(), 'II');
    await assertSound();
  });

  it('goes with its dataset', async () => {
    const id = await uploaded(lerc);
    await untilMade(id);
    const live = await liveViews();
    await deleteDataset({ db, objectStore }, id);
    assert.equal(await liveViews(), live - 2);
    await assertSound();
  });
});

describe('the job that makes a view', () => {
  it('leaves nothing of a dataset that is deleted meanwhile', async () => {
    const begun = Promise.withResolvers<string>();
    const gate = Promise.withResolvers<void>();
    before = async ({ scratch }) => {
      begun.resolve(scratch);
      await gate.promise;
    };
    const id = await uploaded(lerc);
    await begun.promise;
    await deleteDataset({ db, objectStore }, id);
    gate.resolve();
    await eventually('the end of its job', async () => {
      const { rows } =
        await sql`select from jobs where ref_id = ${id} and state in ('queued', 'running')`.execute(db);
      return rows.length === 0 ? true : undefined;
    });
    await assertSound();
  });

  it('runs again when its worker stops, and when it is taken for dead', async () => {
    let attempts = 0;
    before = async ({ signal }) => {
      attempts += 1;
      if (attempts > 2) return;
      // Another worker considers the job dead and takes it over.
      if (attempts === 2)
        await sql`update jobs set state = 'queued', lease_until = null, worker = null
          where kind = 'make-view' and state = 'running'`.execute(db);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    };
    const id = await uploaded(lerc);
    await eventually('an attempt', async () => (attempts === 1 ? true : undefined));
    await processing.restartWorker();
    const made = await untilMade(id);
    assert.ok(attempts >= 3);
    assert.match(made.cog ?? '', /-3\.tif$/);
    await assertSound();
  });

  it('that has failed leaves the dataset ready and as it was, and is made later', async () => {
    before = async () => {
      throw new EngineDied('the engine dies of this raster');
    };
    const id = await uploaded(lerc);
    const { updated_at } = await viewOf(id);
    const failed = await eventually('the end', async () => {
      const view = await viewOf(id);
      return view.view_state === 'failed' ? view : undefined;
    });
    assert.deepEqual([failed.status, failed.updated_at], ['ready', updated_at]);
    before = async () => undefined;
    assert.deepEqual(await enqueueMissingViews(db), { enqueued: 0, areLeft: false });
    await assertSound();
    await endRest(db, id);
    assert.equal((await enqueueMissingViews(db)).enqueued, 1);
    await untilMade(id);
  });
});

describe('rasters of earlier versions', () => {
  it('have a report without a PROJ string when it was written before there was one', async () => {
    const id = await uploaded(fixture('raster/gdal_int16.tif'));
    const raster = (await readReport(db, id))?.raster;
    assert.equal(raster?.proj, '+proj=utm +zone=11 +datum=NAD27 +units=m +no_defs');
    const { proj: _none, ...earlier } = raster;
    const reports = db.updateTable('import_reports').where('dataset_id', '=', id);
    await reports.set({ raster: JSON.stringify(earlier) }).execute();
    assert.deepEqual((await readReport(db, id))?.raster, earlier);
  });

  it('get their views, a few at a time, whichever process looks for them', async () => {
    const gate = Promise.withResolvers<void>();
    before = async () => await gate.promise;
    const ids = [await uploaded(fixture('raster-codecs/lzma_int32.tif'))];
    for (let i = 0; i < 8; i += 1) ids.push(await uploaded(fixture('raster-codecs/lzma_int32.tif')));
    ids.push(await uploaded(fixture('raster/no_georef.tif')));
    for (const id of ids) await forgetView(id);
    const [older] = await db
      .selectFrom('datasets')
      .select('updated_at')
      .where('id', '=', ids[0] ?? randomUUID())
      .execute();
    const found = await Promise.all([
      enqueueMissingViews(db),
      enqueueMissingViews(db),
      enqueueMissingViews(db),
    ]);
    const enqueued = found.reduce((sum, each) => sum + each.enqueued, 0);
    assert.ok(enqueued >= 8 && enqueued <= 10, `${enqueued}`);
    gate.resolve();
    for (let left = true; left;) {
      left = (await enqueueMissingViews(db)).areLeft;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (const id of ids.slice(0, -1)) assert.notEqual((await untilMade(id)).mesh, null);
    await eventually('none', async () =>
      (await viewOf(ids.at(-1) ?? '')).view_state === 'none' ? true : undefined,
    );
    assert.deepEqual((await viewOf(ids[0] ?? '')).updated_at, older?.updated_at);
    assert.deepEqual(await enqueueMissingViews(db), { enqueued: 0, areLeft: false });
    await assertSound();
  });
});
