import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { addDataset } from '../../test/support/jobs.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { checkStore, describeReport, type Finding } from './fsck.ts';
import { publishObject, writeDraft } from './ledger.ts';

describe('store check', () => {
  let database: TestDatabase;
  let store: TestStore;
  before(async () => {
    database = await openTestDatabase();
  });
  after(async () => {
    await database.close();
  });
  beforeEach(async () => {
    store = await openTestStore();
    await addDataset(database.db, store); // what is sound must never be reported
  });
  afterEach(async () => {
    await sql`truncate objects, datasets, jobs, observation_sets, landscape_runs cascade`.execute(
      database.db,
    );
    await store.close();
  });

  const expectDamage = async (kind: Finding['kind'], subject: string): Promise<void> => {
    const { damage } = await checkStore(database.db, store);
    assert.deepEqual(damage, [{ kind, subject }]);
  };

  it('finds nothing wrong with a sound store', async () => {
    const report = await checkStore(database.db, store);
    assert.deepEqual(report, { objects: 1, datasets: 1, damage: [], inFlight: [] });
    assert.equal(
      describeReport(report),
      '1 datasets, 1 live objects\n0 in flight\nno damage: store, ledger and rows agree\n',
    );
  });

  it('finds an object that the ledger does not know, finished or not', async () => {
    await store.put('stray/a.tif', Readable.from([Buffer.from('x')]));
    await expectDamage('object_without_entry', 'stray/a.tif');
    await store.remove('stray/a.tif');
    await mkdir(join(store.root, 'stray'));
    await writeFile(join(store.root, 'stray', 'b.tif.partial'), 'half');
    await expectDamage('object_without_entry', 'stray/b.tif');
  });

  it('finds a stray object among thousands of sound ones', async () => {
    const keys = Array.from({ length: 2500 }, (_, n) => `many/${n}`);
    await mkdir(join(store.root, 'many'));
    for (const key of keys) await writeFile(join(store.root, key), '');
    await writeFile(join(store.root, 'many/stray'), '');
    await sql`insert into objects (key, state) select key, 'deleting' from unnest(${keys}::text[]) key`.execute(
      database.db,
    );
    await expectDamage('object_without_entry', 'many/stray');
  });

  it('finds a live entry whose object is missing, and one of the wrong size', async () => {
    const missing = await addDataset(database.db, store);
    await store.remove(missing.key);
    await expectDamage('entry_without_object', missing.key);
    await mkdir(join(store.root, missing.key, '..'), { recursive: true });
    await writeFile(join(store.root, missing.key), 'byte');
    await expectDamage('wrong_size', missing.key);
  });

  it('finds a live object that no row owns', async () => {
    await using draft = await writeDraft(
      database.db,
      store,
      'cog/lost.tif',
      Readable.from([Buffer.from('x')]),
    );
    await database.db.transaction().execute(async (trx) => await publishObject(trx, draft.key));
    await expectDamage('live_without_owner', draft.key);
  });

  it('finds a row that owns an object which is to be deleted', async () => {
    const { key } = await addDataset(database.db, store);
    await database.db.updateTable('objects').set({ state: 'deleting' }).where('key', '=', key).execute();
    await expectDamage('owner_of_dead_key', key);
  });

  it('finds a job whose dataset does not exist', async () => {
    const jobId = randomUUID();
    await database.db
      .insertInto('jobs')
      .values({ id: jobId, kind: 'process-dataset', ref_id: randomUUID() })
      .execute();
    await expectDamage('job_without_dataset', jobId);
    await database.db.updateTable('jobs').set({ state: 'done' }).where('id', '=', jobId).execute();
    assert.deepEqual((await checkStore(database.db, store)).damage, []);
  });

  it('finds a dataset that waits for nobody', async () => {
    const { datasetId, jobId } = await addDataset(database.db, store, { status: 'processing' });
    await database.db.updateTable('jobs').set({ state: 'done' }).where('id', '=', jobId).execute();
    await expectDamage('dataset_without_job', datasetId);
    await database.db
      .updateTable('datasets')
      .set({ status: 'awaiting_mapping' })
      .where('id', '=', datasetId)
      .execute();
    assert.deepEqual((await checkStore(database.db, store)).damage, []);
  });

  const addRun = async (): Promise<{ runId: string; jobId: string }> => {
    const runId = randomUUID();
    const jobId = await database.db.transaction().execute(async (trx) => {
      await trx.insertInto('landscape_runs').values({ id: runId, params: '{}', overrides: '{}' }).execute();
      return await enqueueJob(trx, 'run-landscape', runId);
    });
    return { runId, jobId };
  };

  it('finds a job whose landscape run does not exist', async () => {
    const { jobId, runId } = await addRun();
    assert.deepEqual((await checkStore(database.db, store)).damage, []);
    await database.db.deleteFrom('landscape_runs').where('id', '=', runId).execute();
    await expectDamage('job_without_run', jobId);
    await database.db.updateTable('jobs').set({ state: 'done' }).where('id', '=', jobId).execute();
    assert.deepEqual((await checkStore(database.db, store)).damage, []);
  });

  it('finds a landscape run that waits for nobody, before and after it has started', async () => {
    const { jobId, runId } = await addRun();
    await database.db.updateTable('jobs').set({ state: 'done' }).where('id', '=', jobId).execute();
    const run = database.db.updateTable('landscape_runs').where('id', '=', runId);
    await expectDamage('run_without_job', runId);
    await run.set({ status: 'running', started_at: new Date() }).execute();
    await expectDamage('run_without_job', runId);
    await run.set({ status: 'failed', finished_at: new Date() }).execute();
    assert.deepEqual((await checkStore(database.db, store)).damage, []);
  });

  it('takes a raster that is its own COG for sound', async () => {
    const { datasetId, key } = await addDataset(database.db, store);
    const dataset = database.db.updateTable('datasets').where('id', '=', datasetId);
    await dataset.set({ cog_storage_key: key }).execute();
    assert.deepEqual(await checkStore(database.db, store), {
      objects: 2,
      datasets: 2,
      damage: [],
      inFlight: [],
    });
    await database.db.updateTable('objects').set({ state: 'deleting' }).where('key', '=', key).execute();
    await expectDamage('owner_of_dead_key', key);
  });

  it('lists what is on its way, which is no damage', async () => {
    await using draft = await writeDraft(
      database.db,
      store,
      'cog/new.tif',
      Readable.from([Buffer.from('x')]),
    );
    await database.db
      .insertInto('objects')
      .values({ key: 'cog/old.tif', state: 'deleting', lease_until: null })
      .execute();
    const { datasetId, jobId } = await addDataset(database.db, store);
    const set = { dataset_id: datasetId, job_id: jobId, attempt: 1 };
    const { id } = await database.db
      .insertInto('observation_sets')
      .values(set)
      .returning('id')
      .executeTakeFirstOrThrow();
    const report = await checkStore(database.db, store);
    assert.deepEqual(report.damage, []);
    assert.deepEqual(report.inFlight, [
      { kind: 'unfinished_object', subject: draft.key },
      { kind: 'object_to_sweep', subject: 'cog/old.tif' },
      { kind: 'observations_to_sweep', subject: String(id) },
    ]);
  });

  it('says in words what it found', async () => {
    await store.put('stray/a.tif', Readable.from([Buffer.from('x')]));
    const text = describeReport(await checkStore(database.db, store));
    assert.match(
      text,
      /1 DAMAGED:\n {2}object_without_entry stray\/a\.tif: stored under a key that the ledger does not know\n$/,
    );
  });
});
