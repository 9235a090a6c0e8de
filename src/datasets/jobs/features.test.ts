import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { deleteDataset } from '../deletion/delete.ts';
import { findFile, replaceFiles } from '../files.ts';
import { getDataset } from '../queries.ts';
import { EngineDied, type EngineTask, type GeoEngine } from '../../geo/engine.ts';
import { checkStore } from '../../object-store/fsck.ts';
import { sweepObjects } from '../../object-store/sweeper.ts';
import { enqueueMissingFeatures } from './features.ts';
import { openEngineHere } from '../../../test/support/geo/engine-here.ts';
import { featuresOf } from '../../../test/support/geo/feature-files.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { fixture } from '../../../test/support/geo/engine.ts';
import { endRest } from '../../../test/support/jobs.ts';
import { eventually } from '../../../test/support/processes.ts';
import { startProcessing } from '../../../test/support/processing.ts';

const real = await openEngineHere('vector');
/** Runs before a job writes features; tests replace it. */
let before: (task: EngineTask) => Promise<void> = async () => undefined;
const engine: GeoEngine = {
  ...real,
  async writeFeatures(task) {
    await before(task);
    return await real.writeFeatures(task);
  },
};
const processing = await closeAfterTests(startProcessing({ engine }));
const { db, objectStore } = processing;

async function uploaded(name = 'vector/nested_attrs.geojson'): Promise<string> {
  const id = await processing.upload(fixture(name), 'vector');
  await processing.untilStatus(id, 'ready');
  return id;
}

async function stateOf(id: string) {
  const row = await db
    .selectFrom('vector_features')
    .select(['state', 'features', 'box'])
    .where('dataset_id', '=', id)
    .executeTakeFirst();
  const { files, updated_at } = await getDataset(db, id);
  return { ...row, key: findFile(files, 'fgb'), updated_at };
}

/** Restores the state of a dataset from before FlatGeobuf files existed. */
async function forgetFeatures(id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('vector_features').where('dataset_id', '=', id).execute();
    await replaceFiles(trx, id, [], ['fgb']);
  });
}

async function assertSound(): Promise<void> {
  await sweepObjects(db, objectStore);
  assert.deepEqual((await checkStore(db, objectStore)).damage, []);
}

const until = async (id: string, wanted: string) =>
  await eventually(wanted, async () => {
    const found = await stateOf(id);
    return found.state === wanted ? found : undefined;
  });

const liveFiles = async (): Promise<number> =>
  (await sql`select from objects where key like 'features/%' and state = 'live'`.execute(db)).rows.length;

describe('the FlatGeobuf of a vector', () => {
  it('is there when the dataset is ready, and goes with it', async () => {
    const id = await uploaded();
    const { state, features, key } = await stateOf(id);
    assert.equal(state, 'made');
    const read = await featuresOf(await buffer(await objectStore.read(key ?? '')));
    assert.equal(read.features.length, features);
    await assertSound();
    const before = await liveFiles();
    await deleteDataset(processing, id);
    assert.equal(await liveFiles(), before - 1);
    await assertSound();
  });

  it('is written by a job for datasets of before, once, without a change of the dataset', async () => {
    const ids = [await uploaded(), await uploaded('vector/null_geometry.geojson')];
    const old = await Promise.all(ids.map(stateOf));
    for (const id of ids) await forgetFeatures(id);
    const found = await Promise.all([1, 2, 3].map(async () => await enqueueMissingFeatures(db)));
    assert.equal(
      found.reduce((sum, { enqueued }) => sum + enqueued, 0),
      2,
    );
    for (const [i, id] of ids.entries()) {
      const { key, ...made } = await until(id, 'made');
      const { key: before, ...was } = old[i] ?? {};
      assert.deepEqual(made, was);
      assert.notEqual(key, before);
    }
    assert.deepEqual(await enqueueMissingFeatures(db), { enqueued: 0, areLeft: false });
    await assertSound();
  });

  it('is published by the attempt that holds the job alone, and not for a dataset that was deleted meanwhile', async () => {
    const id = await uploaded();
    await forgetFeatures(id);
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    before = async () => {
      begun.resolve();
      await gate.promise;
    };
    await enqueueMissingFeatures(db);
    await begun.promise;
    const files = await liveFiles();
    await deleteDataset(processing, id);
    gate.resolve();
    before = async () => undefined;
    await eventually('the end of the job', async () => {
      const { rows } = await sql`select from jobs where kind = 'make-features' and state = 'running'`.execute(
        db,
      );
      return rows.length === 0 ? true : undefined;
    });
    assert.equal(await liveFiles(), files);
    await assertSound();
  });

  it('is given up for a while for a file that kills the engine each time; the dataset stays ready', async () => {
    const id = await uploaded();
    await forgetFeatures(id);
    before = async () => {
      throw new EngineDied('planted');
    };
    await enqueueMissingFeatures(db);
    const { key } = await until(id, 'failed');
    before = async () => undefined;
    assert.equal(key, null);
    assert.equal((await getDataset(db, id)).status, 'ready');
    assert.deepEqual(await enqueueMissingFeatures(db), { enqueued: 0, areLeft: false });
    await endRest(db, id);
    assert.equal((await enqueueMissingFeatures(db)).enqueued, 1);
    await until(id, 'made');
  });
});
