import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database.ts';
import { insertGroup } from '../../test/support/datasets.ts';
import { addDataset } from '../../test/support/jobs.ts';
import { adopt } from '../../test/support/landscape/stored-runs.ts';
import { openTestObjects } from '../../test/support/store.ts';
import { addFiles, replaceFiles } from '../datasets/files.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { checkStore, describeReport, type Finding } from './fsck.ts';
import { sweepObjects } from './sweeper.ts';

const { db, store, put, publish } = await openTestObjects(await openTestDatabase());

const damage = async (): Promise<readonly Finding[]> => (await checkStore(db, store)).damage;
const expectDamage = async (kind: Finding['kind'], subject: string): Promise<void> =>
  assert.deepEqual(await damage(), [{ kind, subject }]);
const expectDamageOf = async (expected: readonly Finding[]): Promise<void> => {
  const bySubject = (findings: readonly Finding[]) => findings.map(({ subject }) => subject).toSorted();
  assert.deepEqual(bySubject(await damage()), bySubject(expected));
};
const endJob = async (jobId: string): Promise<void> =>
  void (await db.updateTable('jobs').set({ state: 'done' }).where('id', '=', jobId).execute());
const retire = async (key: string): Promise<void> =>
  void (await db.updateTable('objects').set({ state: 'deleting' }).where('key', '=', key).execute());

describe('store check', () => {
  beforeEach(async () => {
    await addDataset(db, store); // intact objects must never be reported
  });

  it('finds nothing wrong with a sound store', async () => {
    const report = await checkStore(db, store);
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

  it('finds a stray object among more sound ones than are compared at once', async () => {
    const keys = Array.from({ length: 1100 }, (_, n) => `many/${n}`);
    await mkdir(join(store.root, 'many'));
    for (const key of keys) await writeFile(join(store.root, key), '');
    await writeFile(join(store.root, 'many/stray'), '');
    await sql`insert into objects (key, state) select key, 'deleting' from unnest(${keys}::text[]) key`.execute(
      db,
    );
    await expectDamage('object_without_entry', 'many/stray');
  });

  it('finds a live entry whose object is missing, and one of the wrong size', async () => {
    const missing = await addDataset(db, store);
    await store.remove(missing.key);
    await expectDamage('entry_without_object', missing.key);
    await mkdir(join(store.root, missing.key, '..'), { recursive: true });
    await writeFile(join(store.root, missing.key), 'byte');
    await expectDamage('wrong_size', missing.key);
  });

  it('proves the sizes of all objects, and the bytes when it is asked to', async () => {
    const { key } = await addDataset(db, store);
    const { datasetId } = await addDataset(db, store);
    await using draft = await put('cog/sized.tif', Readable.from([Buffer.from('four')]));
    await db.transaction().execute(async (trx) => {
      await addFiles(trx, datasetId, [{ kind: 'cog', key: draft.key }]);
    });
    await writeFile(join(store.root, draft.key), 'and more');
    await expectDamage('wrong_size', draft.key);
    await writeFile(join(store.root, draft.key), 'FOUR');
    await writeFile(join(store.root, key), 'BYTES');
    assert.deepEqual(await damage(), []);
    const { damage: found } = await checkStore(db, store, { digests: true });
    assert.deepEqual(
      found,
      [draft.key, key].map((subject) => ({ kind: 'wrong_digest', subject })),
    );
    await sql`update objects set sha256 = null`.execute(db); // the state before migration 0013
    assert.deepEqual((await checkStore(db, store, { digests: true })).damage, []);
  });

  it('finds a live object that no row owns', async () => {
    await using draft = await put('cog/lost.tif');
    await publish(draft.key);
    await expectDamage('live_without_owner', draft.key);
  });

  it('finds a row that owns an object which is to be deleted', async () => {
    const { key } = await addDataset(db, store);
    await retire(key);
    await expectDamage('owner_of_dead_key', key);
  });

  it('finds a dataset that has lost its original', async () => {
    const { datasetId, key } = await addDataset(db, store);
    await db.transaction().execute(async (trx) => await replaceFiles(trx, datasetId, [], ['original']));
    await sweepObjects(db, store, { keys: [key] });
    await expectDamage('dataset_without_original', datasetId);
  });

  it('finds a job whose dataset does not exist', async () => {
    const jobId = randomUUID();
    const job = { id: jobId, kind: 'process-dataset', ref_id: randomUUID() } as const;
    await db.insertInto('jobs').values(job).execute();
    await expectDamage('job_without_dataset', jobId);
    await endJob(jobId);
    assert.deepEqual(await damage(), []);
  });

  it('finds a dataset that waits without a job', async () => {
    const { datasetId, jobId } = await addDataset(db, store, { status: 'processing' });
    await endJob(jobId);
    await expectDamage('dataset_without_job', datasetId);
    const dataset = db.updateTable('datasets').where('id', '=', datasetId);
    await dataset.set({ status: 'awaiting_mapping' }).execute();
    assert.deepEqual(await damage(), []);
  });

  it('finds a raster whose view no job makes', async () => {
    const { datasetId } = await addDataset(db, store, { kind: 'make-view', status: 'ready' });
    const jobs = db.updateTable('jobs').where('ref_id', '=', datasetId);
    await db.updateTable('datasets').set({ view_state: 'pending' }).where('id', '=', datasetId).execute();
    assert.deepEqual(await damage(), []);
    await jobs.set({ state: 'done' }).execute();
    await expectDamage('view_without_job', datasetId);
    await db.updateTable('datasets').set({ view_state: 'failed' }).where('id', '=', datasetId).execute();
    assert.deepEqual(await damage(), []);
  });

  it('finds a raster whose pixels no job counts', async () => {
    const { datasetId } = await addDataset(db, store, { kind: 'count-pixels', status: 'ready' });
    await db.insertInto('raster_statistics').values({ dataset_id: datasetId, state: 'pending' }).execute();
    assert.deepEqual(await damage(), []);
    await db.updateTable('jobs').where('ref_id', '=', datasetId).set({ state: 'done' }).execute();
    await expectDamage('count_without_job', datasetId);
    await db.deleteFrom('raster_statistics').where('dataset_id', '=', datasetId).execute();
    assert.deepEqual(await damage(), []);
  });

  const addRun = async (): Promise<{ runId: string; jobId: string }> => {
    const runId = randomUUID();
    const jobId = await db.transaction().execute(async (trx) => {
      await trx.insertInto('landscape_runs').values({ id: runId, params: '{}', overrides: '{}' }).execute();
      return await enqueueJob(trx, 'run-landscape', runId);
    });
    return { runId, jobId };
  };

  it('finds a job whose landscape run does not exist', async () => {
    const { jobId, runId } = await addRun();
    assert.deepEqual(await damage(), []);
    await db.deleteFrom('landscape_runs').where('id', '=', runId).execute();
    await expectDamage('job_without_run', jobId);
    await endJob(jobId);
    assert.deepEqual(await damage(), []);
  });

  it('finds a landscape run that waits without a job, before and after it has started', async () => {
    const { jobId, runId } = await addRun();
    await endJob(jobId);
    const run = db.updateTable('landscape_runs').where('id', '=', runId);
    await expectDamage('run_without_job', runId);
    await run.set({ status: 'running', started_at: new Date() }).execute();
    await expectDamage('run_without_job', runId);
    await run.set({ status: 'failed', finished_at: new Date() }).execute();
    assert.deepEqual(await damage(), []);
  });

  it('finds a layer of a run that no job makes, and one whose object is dead', async () => {
    const { runId, jobId } = await addRun();
    await endJob(jobId);
    const ended = { status: 'succeeded', started_at: new Date(), finished_at: new Date() } as const;
    await db.updateTable('landscape_runs').set(ended).where('id', '=', runId).execute();
    const layer = { id: randomUUID(), key: 'k', layer: 'cells', run_id: runId, state: 'pending' } as const;
    const making = await db.transaction().execute(async (trx) => {
      await trx.insertInto('landscape_layers').values(layer).execute();
      return await enqueueJob(trx, 'make-layer', layer.id);
    });
    assert.deepEqual(await damage(), []);
    await endJob(making);
    await expectDamage('layer_without_job', layer.id);
    await using draft = await put('layer/a.tif');
    const { key } = draft;
    await publish(key);
    await expectDamageOf([
      { kind: 'live_without_owner', subject: key },
      { kind: 'layer_without_job', subject: layer.id },
    ]);
    const made = { state: 'made', cog_key: key } as const;
    await db.updateTable('landscape_layers').set(made).where('id', '=', layer.id).execute();
    assert.deepEqual(await damage(), []);
    await retire(key);
    await expectDamage('owner_of_dead_key', key);
  });

  it('finds a table that follows a group, and that no job makes again', async () => {
    const group = await insertGroup(db);
    const settings = { by_level: 'district', min_valid_share: 0, values_are: 'density' } as const;
    const table = { group_id: group, id: randomUUID(), stats: ['mean'], ...settings };
    await db.insertInto('zonal_tables').values(table).execute();
    await expectDamage('table_without_job', table.id);
    await sql`select want_zonal_tables(array[${group}]::uuid[])`.execute(db);
    assert.deepEqual(await damage(), []);
    const job = await db
      .selectFrom('jobs')
      .select('id')
      .where('ref_id', '=', table.id)
      .executeTakeFirstOrThrow();
    await endJob(job.id);
    await expectDamage('table_without_job', table.id);
    await db.deleteFrom('zonal_tables').execute();
    assert.deepEqual(await damage(), []);
  });

  it('finds a count of datasets that is wrong', async () => {
    const wrong = { grain: 'period', file_type: 'vector', status: 'ready', automated: true } as const;
    await db
      .insertInto('dataset_counts')
      .values({ ...wrong, start_date: '2024-01-01', datasets: 1 })
      .execute();
    await expectDamage('wrong_count', 'period 2024-01-01 vector ready automated');
    await sql`select recount_datasets()`.execute(db);
    assert.deepEqual(await damage(), []);
  });

  it('finds an adopted run that does not keep its datasets, and one that keeps them without being adopted', async () => {
    const { datasetId } = await addDataset(db, store);
    await adopt(db, datasetId);
    assert.deepEqual(await damage(), []);
    const kept = await db.deleteFrom('adopted_datasets').returningAll().executeTakeFirstOrThrow();
    await expectDamage('adoption_inconsistent', kept.run_id);
    await db.insertInto('adopted_datasets').values(kept).execute();
    assert.deepEqual(await damage(), []);
    const revision = { run_id: kept.run_id, revision: 2, state: 'draft' } as const;
    await db.insertInto('landscape_run_records').values(revision).execute();
    await expectDamage('adoption_inconsistent', kept.run_id);
  });

  it('takes a raster that is its own COG for sound', async () => {
    const { datasetId, key } = await addDataset(db, store);
    const cog = { dataset_id: datasetId, kind: 'cog', encoding: 'identity', object_key: key } as const;
    await db.insertInto('dataset_files').values(cog).execute();
    const report = await checkStore(db, store);
    assert.deepEqual(report, { objects: 2, datasets: 2, damage: [], inFlight: [] });
    await retire(key);
    await expectDamage('owner_of_dead_key', key);
  });

  it('lists what is on its way, which is not damage', async () => {
    await using draft = await put('cog/new.tif');
    const old = { key: 'cog/old.tif', state: 'deleting', lease_until: null } as const;
    await db.insertInto('objects').values(old).execute();
    const { datasetId, jobId } = await addDataset(db, store);
    const set = { dataset_id: datasetId, job_id: jobId, attempt: 1 };
    const { id } = await db
      .insertInto('observation_sets')
      .values(set)
      .returning('id')
      .executeTakeFirstOrThrow();
    const report = await checkStore(db, store);
    assert.deepEqual(report.damage, []);
    assert.deepEqual(report.inFlight, [
      { kind: 'unfinished_object', subject: draft.key },
      { kind: 'object_to_sweep', subject: 'cog/old.tif' },
      { kind: 'observations_to_sweep', subject: String(id) },
    ]);
  });

  it('says in words what it found', async () => {
    await store.put('stray/a.tif', Readable.from([Buffer.from('x')]));
    const text = describeReport(await checkStore(db, store));
    assert.match(
      text,
      /1 DAMAGED:\n {2}object_without_entry stray\/a\.tif: stored under a key that the ledger does not know\n$/,
    );
  });
});
