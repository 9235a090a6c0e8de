import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { addDataset, createRecordingLog, readJob, until } from '../../test/support/jobs.ts';
import { cancelJobs } from './enqueue.ts';
import { openListener, type Listener } from '../database/listener.ts';
import { Problem } from '../common/errors.ts';
import { EngineDied } from '../geo/engine.ts';
import { createPostgresMessageQueue } from '../message-queue/postgres.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { createDirectoryObjectStore } from '../object-store/directory.ts';
import { aborted } from '../process/shutdown.ts';
import { publishObject, retireObjects } from '../object-store/ledger.ts';
import { sweepObjects } from '../object-store/sweeper.ts';
import { checkStore } from '../object-store/fsck.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { LeaseLost, type Attempt, type JobHandler } from './handler.ts';
import { requeueDeadJobs } from './ledger.ts';
import { startWorker, type Worker, type WorkerTiming } from './worker.ts';

describe('worker', () => {
  let database: TestDatabase;
  let listener: Listener;
  let queue: MessageQueue;
  let folder: string;
  let store: ObjectStore;
  let scratchRoot: string;
  const workers: Worker[] = [];

  before(async () => {
    database = await openTestDatabase();
    listener = await openListener(database.target, { onError: () => undefined });
    queue = createPostgresMessageQueue(database.db, listener, () => undefined);
  });
  after(async () => {
    await listener.close();
    await database.close();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steppe-worker-'));
    store = createDirectoryObjectStore(join(folder, 'objects'));
    scratchRoot = join(folder, 'scratch');
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.stop();
    await sql`truncate jobs, datasets, objects, milestones cascade`.execute(database.db);
    await rm(folder, { recursive: true });
  });

  const start = (
    run: (attempt: Attempt) => Promise<void>,
    options: { fail?: JobHandler['fail']; concurrency?: number; timing?: Partial<WorkerTiming> } = {},
  ) => {
    const { log, events } = createRecordingLog();
    const handler: JobHandler = { run, fail: options.fail ?? (async () => undefined) };
    const worker = startWorker({
      db: database.db,
      objectStore: store,
      messageQueue: queue,
      handlers: { 'process-dataset': handler },
      concurrency: options.concurrency ?? 1,
      scratchRoot,
      log,
      timing: { lookEveryMs: 50, stopWithinMs: 1000, ...options.timing },
    });
    workers.push(worker);
    return { worker, events };
  };
  const job = async (jobId: string) => await readJob(database.db, jobId);
  const inState = async (jobId: string, state: string): Promise<void> =>
    await until(async () => (await job(jobId)).state === state);
  const mark = async (attempt: Attempt): Promise<void> =>
    await attempt.publish(async (trx) => {
      await trx
        .insertInto('milestones')
        .values({ name: `${attempt.jobId} ${attempt.number}` })
        .execute();
    });
  const marks = async (): Promise<string[]> =>
    (await database.db.selectFrom('milestones').select('name').execute()).map(({ name }) => name);

  it('runs a job and publishes its object, from a private scratch folder that is gone afterwards', async () => {
    const { datasetId, jobId } = await addDataset(database.db, store);
    let scratch = '';
    let key = '';
    start(async (attempt) => {
      assert.equal(attempt.refId, datasetId);
      scratch = attempt.scratch;
      assert.equal((await stat(scratch)).mode & 0o777, 0o700);
      await writeFile(join(scratch, 'result'), 'x');
      key = await attempt.store('cog', '.tif', Readable.from([Buffer.from('cog')]));
      await attempt.publish(async (trx) => {
        await publishObject(trx, key);
        await trx.updateTable('datasets').set({ cog_storage_key: key }).where('id', '=', datasetId).execute();
      });
    });
    await inState(jobId, 'done');
    assert.equal(key, `cog/${datasetId}/${jobId}-1.tif`);
    await until(async () => (await readdir(scratchRoot)).length === 0);
    assert.equal(await store.size(key), 3);
    const entry = await database.db
      .selectFrom('objects')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirst();
    assert.equal(entry?.state, 'live');
  });

  it('comes at a notification long before it would have looked', async () => {
    const ready = await addDataset(database.db, store);
    start(mark, { timing: { lookEveryMs: 3_600_000 } });
    await inState(ready.jobId, 'done');
    const { jobId } = await addDataset(database.db, store);
    await queue.notify(jobId);
    await inState(jobId, 'done');
  });

  it('leaves nothing of what was stored but not published', async () => {
    const { key } = await addDataset(database.db, store);
    const { events } = start(async (attempt) => {
      await attempt.store('cog', '.tif', Readable.from([Buffer.from('cog')]));
      await attempt.store('geojson', '.geojson', Readable.from([Buffer.from('{}')]));
      await mark(attempt);
    });
    await until(() => events.some(({ message }) => message === 'attempt ended'));
    assert.deepEqual(await Array.fromAsync(store.keys()), [key]);
    const entries = await database.db.selectFrom('objects').select('key').execute();
    assert.deepEqual(entries, [{ key }]);
  });

  it('fails a job for good at a Problem, in the transaction in which the handler records it', async () => {
    const { jobId, datasetId } = await addDataset(database.db, store);
    let tries = 0;
    const failed: string[] = [];
    start(
      async () => {
        tries += 1;
        throw new Problem('invalid', 'The raster has no bands.');
      },
      {
        async fail(trx, refId, { reason, error }) {
          await trx
            .insertInto('milestones')
            .values({ name: `try ${tries}` })
            .execute();
          assert.ok(error instanceof Problem);
          failed.push(`${refId} ${reason}`);
          if (failed.length === 1) throw new Error('the first record breaks half-way');
        },
        timing: { leaseSeconds: 0 },
      },
    );
    await inState(jobId, 'failed');
    assert.deepEqual(failed, Array(2).fill(`${datasetId} The raster has no bands.`));
    assert.deepEqual(await marks(), ['try 2']);
    assert.equal((await job(jobId)).last_error, 'The raster has no bands.');
  });

  it('gives up after three deaths of the engine', async () => {
    const { jobId } = await addDataset(database.db, store);
    let tries = 0;
    const reasons: string[] = [];
    start(
      async () => {
        tries += 1;
        throw new EngineDied('SIGKILL');
      },
      { fail: async (_trx, _refId, { reason }) => void reasons.push(reason) },
    );
    await inState(jobId, 'failed');
    assert.equal(tries, 3);
    assert.equal(reasons.length, 1);
    assert.match(reasons[0] ?? '', /three times/);
  });

  it('counts deaths of the engine anew when an attempt made progress', async () => {
    const { jobId } = await addDataset(database.db, store);
    let tries = 0;
    start(async (attempt) => {
      tries += 1;
      if (tries === 2) await attempt.fenced(async () => undefined, { madeProgress: true });
      else await attempt.fenced(async () => undefined);
      throw new EngineDied('SIGKILL');
    });
    await inState(jobId, 'failed');
    assert.equal(tries, 4);
  });

  it('tries again when anything else fails, and says so in the log', async () => {
    const { jobId } = await addDataset(database.db, store);
    const { events } = start(async (attempt) => {
      if (attempt.number < 4) throw new Error('the store is away');
      await mark(attempt);
    });
    await inState(jobId, 'done');
    const { attempt, worker_deaths } = await job(jobId);
    assert.deepEqual([attempt, worker_deaths], [4, 3]);
    assert.equal(events.filter(({ message }) => message === 'attempt failed').length, 3);
  });

  it('ends the job of a handler that returns without publishing: there was nothing to do', async () => {
    const { jobId } = await addDataset(database.db, store);
    start(async () => undefined);
    await inState(jobId, 'done');
  });

  it('aborts the attempt whose job is cancelled, and it ends without effect', async () => {
    const { jobId, datasetId } = await addDataset(database.db, store);
    const reasons: unknown[] = [];
    const { events } = start(async (attempt) => {
      await attempt.store('cog', '.tif', Readable.from([Buffer.from('cog')]));
      await aborted(attempt.signal);
      reasons.push(attempt.signal.reason);
      await mark(attempt);
    });
    await inState(jobId, 'running');
    await database.db.transaction().execute(async (trx) => await cancelJobs(trx, datasetId));
    await until(() => events.some(({ message }) => message === 'attempt ended'));
    assert.ok(reasons[0] instanceof LeaseLost);
    assert.equal((await job(jobId)).state, 'cancelled');
    assert.deepEqual(await marks(), []);
    assert.equal((await Array.fromAsync(store.keys())).length, 1);
    assert.deepEqual(await readdir(scratchRoot), []);
  });

  it('lets a zombie publish nothing after its successor has', async () => {
    const { jobId } = await addDataset(database.db, store);
    const successorDone = Promise.withResolvers<void>();
    const refused: unknown[] = [];
    const run = async (attempt: Attempt): Promise<void> => {
      if (attempt.number === 1) {
        await attempt.store('cog', '.tif', Readable.from([Buffer.from('late')]));
        await database.db
          .updateTable('jobs')
          .set({ lease_until: new Date(0) })
          .execute();
        await requeueDeadJobs(database.db);
        await successorDone.promise;
        await attempt
          .fenced(async (trx) => await trx.deleteFrom('milestones').execute())
          .catch((error) => refused.push(error));
      }
      await mark(attempt);
      successorDone.resolve();
    };
    const { events } = start(run, { concurrency: 2 });
    await until(() => events.filter(({ message }) => message === 'attempt ended').length === 2);
    assert.ok(refused[0] instanceof LeaseLost);
    assert.deepEqual(await marks(), [`${jobId} 2`]);
    assert.equal((await Array.fromAsync(store.keys())).length, 1);
    assert.equal((await job(jobId)).worker_deaths, 1);
  });

  it('hands its jobs back when it stops, and they do not count as failed', async () => {
    const { jobId } = await addDataset(database.db, store);
    const first = start(async (attempt) => {
      await aborted(attempt.signal);
      throw new EngineDied('killed because of the abort');
    });
    await inState(jobId, 'running');
    await first.worker.stop();
    const { state, leased, engine_deaths, worker_deaths, waits_seconds } = await job(jobId);
    assert.deepEqual([state, leased, engine_deaths, worker_deaths], ['queued', false, 0, 0]);
    assert.ok(waits_seconds <= 0);
    await until(async () => (await readdir(scratchRoot)).length === 0); // a busy disk may take longer than stop may
    start(mark);
    await inState(jobId, 'done');
    assert.deepEqual(await marks(), [`${jobId} 2`]);
  });

  it('hands back the job of a handler that returns quietly because it was aborted', async () => {
    const { jobId } = await addDataset(database.db, store);
    const { worker } = start(async (attempt) => await aborted(attempt.signal));
    await inState(jobId, 'running');
    await worker.stop();
    assert.equal((await job(jobId)).state, 'queued');
  });

  it('stops in time although a handler does not listen, which then can publish nothing', async () => {
    const { jobId } = await addDataset(database.db, store);
    const goOn = Promise.withResolvers<void>();
    const { worker, events } = start(
      async (attempt) => {
        await goOn.promise;
        await mark(attempt);
      },
      { timing: { stopWithinMs: 50 } },
    );
    await inState(jobId, 'running');
    await worker.stop();
    assert.equal((await job(jobId)).state, 'queued');
    goOn.resolve();
    await until(() => events.some(({ message }) => message === 'attempt ended'));
    assert.deepEqual(await marks(), []);
    assert.equal((await job(jobId)).state, 'queued');
  });

  it('runs as many jobs at once as it has slots, and no more', async () => {
    const jobs = [];
    for (let n = 0; n < 7; n += 1) jobs.push(await addDataset(database.db, store));
    let now = 0;
    let most = 0;
    const threeRun = Promise.withResolvers<void>();
    start(
      async (attempt) => {
        now += 1;
        most = Math.max(most, now);
        if (now === 3) threeRun.resolve();
        await threeRun.promise;
        await mark(attempt);
        now -= 1;
      },
      { concurrency: 3 },
    );
    for (const { jobId } of jobs) await inState(jobId, 'done');
    assert.equal(most, 3);
  });

  it('lets either a delete or a publication win, without a deadlock', async () => {
    const all = [];
    for (let n = 0; n < 60; n += 1) all.push(await addDataset(database.db, store));
    const run = async (attempt: Attempt): Promise<void> => {
      const key = await attempt.store('cog', '.tif', Readable.from([Buffer.from('cog')]));
      await attempt.publish(async (trx) => {
        const changes = { cog_storage_key: key, status: 'ready' } as const;
        const dataset = trx.updateTable('datasets').set(changes).where('id', '=', attempt.refId);
        if ((await dataset.executeTakeFirst()).numUpdatedRows === 1n) await publishObject(trx, key);
      });
    };
    const deleteOne = async (datasetId: string): Promise<void> => {
      await database.db.transaction().execute(async (trx) => {
        const dataset = trx.selectFrom('datasets').selectAll().where('id', '=', datasetId).forUpdate();
        const { storage_key, cog_storage_key } = await dataset.executeTakeFirstOrThrow();
        await trx.deleteFrom('datasets').where('id', '=', datasetId).execute();
        await retireObjects(trx, [storage_key, cog_storage_key]);
        await cancelJobs(trx, datasetId);
      });
    };
    const { events } = start(run, { concurrency: 4 });
    await Promise.all(
      all.map(async ({ datasetId }, n) => {
        await delay(n * 5);
        await deleteOne(datasetId);
      }),
    );
    for (const { jobId } of all)
      await until(async () => ['done', 'cancelled'].includes((await job(jobId)).state));
    await until(() => events.filter(({ message }) => message === 'attempt ended').length > 0);
    assert.deepEqual(
      events.filter(({ message }) => message === 'attempt failed'),
      [],
    );
    await workers.pop()?.stop();
    await sweepObjects(database.db, store);
    const report = await checkStore(database.db, store);
    assert.deepEqual(report, { objects: 0, datasets: 0, damage: [], inFlight: [] });
  });

  it('removes the scratch of dead attempts when it starts, and leaves that of living ones', async () => {
    const dead = `${randomUUID()}-3`;
    const { jobId } = await addDataset(database.db, store);
    await sql`update jobs set state = 'running', attempt = 2, lease_until = now() + interval '1 hour'`.execute(
      database.db,
    );
    for (const name of [dead, `${jobId}-1`, `${jobId}-2`]) {
      await mkdir(join(scratchRoot, name), { recursive: true });
      await writeFile(join(scratchRoot, name, 'half.tif'), 'x');
    }
    start(mark);
    await until(async () => (await readdir(scratchRoot)).length === 1);
    assert.deepEqual(await readdir(scratchRoot), [`${jobId}-2`]);
  });
});
