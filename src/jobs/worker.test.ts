import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database.ts';
import { addDataset, readJob, until, type RecordedEvent } from '../../test/support/jobs.ts';
import { openTestWorkers } from '../../test/support/workers.ts';
import { cancelJobs } from './enqueue.ts';
import { Problem } from '../lib/errors.ts';
import { EngineDied } from '../geo/engine.ts';
import { aborted } from '../lib/concurrency/promises.ts';
import { addFiles, replaceFiles } from '../datasets/files.ts';
import { sweepObjects } from '../object-store/sweeper.ts';
import { checkStore } from '../object-store/fsck.ts';
import { StoreUnavailable } from '../object-store/object-store.ts';
import { LeaseLost, type Attempt, type JobHandler } from './handler.ts';
import { requeueDeadJobs } from './ledger.ts';
import type { Transaction } from '../database/tables/tables.ts';

const workers = await openTestWorkers(await openTestDatabase());
const { db, queue, store, scratchRoot, start, stateOf, inState } = workers;

const add = async () => await addDataset(db, store);
const addMany = async (count: number) => await Array.fromAsync({ length: count }, add);
const storeCog = async (attempt: Attempt): Promise<string> =>
  await attempt.store('cog', '.tif', Readable.from([Buffer.from('cog')]));
const addMark = async (trx: Transaction, name: string): Promise<void> =>
  void (await trx.insertInto('milestones').values({ name }).execute());
const mark = async (attempt: Attempt): Promise<void> =>
  await attempt.publish(async (trx) => await addMark(trx, `${attempt.jobId} ${attempt.number}`));
const marks = async (): Promise<string[]> =>
  (await db.selectFrom('milestones').select('name').execute()).map(({ name }) => name);
const untilEnded = async (events: readonly RecordedEvent[], count = 1): Promise<void> =>
  await until(() => events.filter(({ message }) => message === 'attempt ended').length >= count);

describe('worker', () => {
  it('runs a job and publishes its object, from a private scratch folder that is gone afterwards', async () => {
    const { datasetId, jobId } = await add();
    let key = '';
    start(async (attempt) => {
      assert.equal(attempt.refId, datasetId);
      assert.equal((await stat(attempt.scratch)).mode & 0o777, 0o700);
      await writeFile(join(attempt.scratch, 'result'), 'x');
      key = await storeCog(attempt);
      await attempt.publish(async (trx) => {
        await addFiles(trx, datasetId, [{ kind: 'cog', key }]);
      });
    });
    await inState(jobId, 'done');
    assert.equal(key, `cog/${datasetId}/${jobId}-1.tif`);
    await until(async () => (await readdir(scratchRoot)).length === 0);
    assert.equal(await store.size(key), 3);
    const entry = await db.selectFrom('objects').selectAll().where('key', '=', key).executeTakeFirst();
    assert.equal(entry?.state, 'live');
  });

  it('comes at a notification long before it would have looked', async () => {
    const ready = await add();
    start(mark, { pollEveryMs: 3_600_000 });
    await inState(ready.jobId, 'done');
    const { jobId } = await add();
    await queue.notify(jobId, 'datasets');
    await inState(jobId, 'done');
  });

  it('leaves nothing of what was stored but not published', async () => {
    const { key } = await add();
    const { events } = start(async (attempt) => {
      await storeCog(attempt);
      await attempt.store('geojson', '.geojson', Readable.from([Buffer.from('{}')]));
      await mark(attempt);
    });
    await untilEnded(events);
    assert.deepEqual(await Array.fromAsync(store.keys()), [key]);
    assert.deepEqual(await db.selectFrom('objects').select('key').execute(), [{ key }]);
  });

  it('fails a job for good at a Problem, in the transaction in which the handler records it', async () => {
    const { jobId, datasetId } = await add();
    let tries = 0;
    const failed: string[] = [];
    start(
      async () => {
        tries += 1;
        throw new Problem('invalid', 'The raster has no bands.');
      },
      {
        async fail(trx, refId, { reason, error }) {
          await addMark(trx, `try ${tries}`);
          assert.ok(error instanceof Problem);
          failed.push(`${refId} ${reason.english}`);
          if (failed.length === 1) throw new Error('the first record breaks half-way');
        },
        leaseSeconds: 1,
      },
    );
    await inState(jobId, 'failed');
    assert.deepEqual(failed, Array(2).fill(`${datasetId} The raster has no bands.`));
    assert.deepEqual(await marks(), ['try 2']);
    assert.equal((await readJob(db, jobId)).last_error, 'The raster has no bands.');
  });

  for (const [name, progressAt, tries] of [
    ['gives up after three deaths of the engine', undefined, 3],
    ['counts deaths of the engine from zero when an attempt made progress', 2, 4],
  ] as const) {
    it(name, async () => {
      const { jobId } = await add();
      const reasons: string[] = [];
      const fail: JobHandler['fail'] = async (_trx, _refId, { reason }) => void reasons.push(reason.english);
      const run = async (attempt: Attempt): Promise<void> => {
        const options = attempt.number === progressAt ? { madeProgress: true } : undefined;
        await attempt.fenced(async () => undefined, options);
        throw new EngineDied('SIGKILL');
      };
      start(run, { fail });
      await inState(jobId, 'failed');
      assert.equal((await readJob(db, jobId)).attempt, tries);
      assert.equal(reasons.length, 1);
      assert.match(reasons[0] ?? '', /three times/);
    });
  }

  it('tries again when something is away, and says so in the log', async () => {
    const { jobId } = await add();
    const { events } = start(async (attempt) => {
      if (attempt.number < 4) throw new StoreUnavailable({ cause: new Error('away') });
      await mark(attempt);
    });
    await inState(jobId, 'done');
    const { attempt, worker_deaths } = await readJob(db, jobId);
    assert.deepEqual([attempt, worker_deaths], [4, 3]);
    assert.equal(events.filter(({ message }) => message === 'attempt failed').length, 3);
  });

  it('ends the job of a handler that returns without publishing: there was nothing to do', async () => {
    const { jobId } = await add();
    start(async () => undefined);
    await inState(jobId, 'done');
  });

  it('aborts the attempt whose job is cancelled, and it ends without effect', async () => {
    const { jobId, datasetId } = await add();
    const reasons: unknown[] = [];
    const stored = Promise.withResolvers<void>();
    const { events } = start(async (attempt) => {
      await storeCog(attempt);
      stored.resolve();
      await aborted(attempt.signal);
      reasons.push(attempt.signal.reason);
      await mark(attempt);
    });
    await stored.promise;
    await db.transaction().execute(async (trx) => await cancelJobs(trx, datasetId));
    await untilEnded(events);
    assert.ok(reasons[0] instanceof LeaseLost);
    assert.equal(await stateOf(jobId), 'cancelled');
    assert.deepEqual(await marks(), []);
    assert.equal((await Array.fromAsync(store.keys())).length, 1);
    assert.deepEqual(await readdir(scratchRoot), []);
  });

  it('lets a zombie publish nothing after its successor has', async () => {
    const { jobId } = await add();
    const successorDone = Promise.withResolvers<void>();
    const expire = sql`update jobs set lease_until = 'epoch' where state = 'running' and attempt = 1`;
    const refused: unknown[] = [];
    const run = async (attempt: Attempt): Promise<void> => {
      if (attempt.number === 1) {
        await attempt.store('cog', '.tif', Readable.from([Buffer.from('late')]));
        await until(async () => {
          await expire.execute(db);
          await requeueDeadJobs(db); // finds none if the worker has just renewed the lease
          return (await readJob(db, jobId)).worker_deaths > 0;
        });
        await successorDone.promise;
        const clearing = attempt.fenced(async (trx) => await trx.deleteFrom('milestones').execute());
        await clearing.catch((error) => refused.push(error));
      }
      await mark(attempt);
      successorDone.resolve();
    };
    const { events } = start(run, { concurrency: 2 });
    await untilEnded(events, 2);
    assert.ok(refused[0] instanceof LeaseLost);
    assert.deepEqual(await marks(), [`${jobId} 2`]);
    assert.equal((await Array.fromAsync(store.keys())).length, 1);
    assert.equal((await readJob(db, jobId)).worker_deaths, 1);
  });

  it('hands its jobs back when it stops, and they do not count as failed', async () => {
    const { jobId } = await add();
    const first = start(async (attempt) => {
      await aborted(attempt.signal);
      throw new EngineDied('killed because of the abort');
    });
    await inState(jobId, 'running');
    await first.worker.stop();
    const { state, leased, engine_deaths, worker_deaths, waits_seconds } = await readJob(db, jobId);
    assert.deepEqual([state, leased, engine_deaths, worker_deaths], ['queued', false, 0, 0]);
    assert.ok(waits_seconds <= 0);
    await until(async () => (await readdir(scratchRoot)).length === 0); // on a busy disk this may end after `stop`
    start(mark);
    await inState(jobId, 'done');
    assert.deepEqual(await marks(), [`${jobId} 2`]);
  });

  it('stops in the middle of an object, and leaves nothing of it', async () => {
    const { jobId, key } = await add();
    const body = new Readable({ read: () => undefined });
    body.push('the first half');
    const { worker, events } = start(async (attempt) => void (await attempt.store('cog', '.tif', body)));
    await until(async () => (await Array.fromAsync(store.keys())).length === 2);
    await worker.stop();
    await untilEnded(events);
    assert.equal(await stateOf(jobId), 'queued');
    assert.deepEqual(await Array.fromAsync(store.keys()), [key]);
    assert.ok(body.destroyed);
  });

  it('hands back the job of a handler that returns quietly because it was aborted', async () => {
    const { jobId } = await add();
    const { worker } = start(async (attempt) => await aborted(attempt.signal));
    await inState(jobId, 'running');
    await worker.stop();
    assert.equal(await stateOf(jobId), 'queued');
  });

  it('stops in time although a handler does not listen, which then can publish nothing', async () => {
    const { jobId } = await add();
    const goOn = Promise.withResolvers<void>();
    const { worker, events } = start(
      async (attempt) => {
        await goOn.promise;
        await mark(attempt);
      },
      { stopWithinMs: 50 },
    );
    await inState(jobId, 'running');
    await worker.stop();
    assert.equal(await stateOf(jobId), 'queued');
    goOn.resolve();
    await untilEnded(events);
    assert.deepEqual(await marks(), []);
    assert.equal(await stateOf(jobId), 'queued');
  });

  it('runs as many jobs at once as it has slots, and no more', async () => {
    const jobs = await addMany(7);
    let [now, most] = [0, 0];
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
    const all = await addMany(20);
    const run = async (attempt: Attempt): Promise<void> => {
      const key = await storeCog(attempt);
      await attempt.publish(async (trx) => {
        const dataset = trx.updateTable('datasets').set({ status: 'ready' }).where('id', '=', attempt.refId);
        if ((await dataset.executeTakeFirst()).numUpdatedRows === 1n)
          await addFiles(trx, attempt.refId, [{ kind: 'cog', key }]);
      });
    };
    const deleteOne = async ({ datasetId }: { datasetId: string }, n: number): Promise<void> => {
      await delay(n * 5);
      await db.transaction().execute(async (trx) => {
        const dataset = trx.selectFrom('datasets').select('id').where('id', '=', datasetId).forUpdate();
        await dataset.executeTakeFirstOrThrow();
        await replaceFiles(trx, datasetId, [], ['original', 'cog']);
        await trx.deleteFrom('datasets').where('id', '=', datasetId).execute();
        await cancelJobs(trx, datasetId);
      });
    };
    const { worker, events } = start(run, { concurrency: 4 });
    await Promise.all(all.map(deleteOne));
    for (const { jobId } of all)
      await until(async () => ['done', 'cancelled'].includes(await stateOf(jobId)));
    await untilEnded(events);
    assert.ok(events.every(({ message }) => message !== 'attempt failed'));
    await worker.stop();
    await sweepObjects(db, store);
    const report = await checkStore(db, store);
    assert.deepEqual(report, { objects: 0, datasets: 0, damage: [], inFlight: [] });
  });

  it('removes the scratch of dead attempts when it starts, and leaves that of living ones', async () => {
    const { jobId } = await add();
    await sql`update jobs set state = 'running', attempt = 2, lease_until = 'infinity'`.execute(db);
    for (const name of [`${randomUUID()}-3`, `${jobId}-1`, `${jobId}-2`]) {
      await mkdir(join(scratchRoot, name), { recursive: true });
      await writeFile(join(scratchRoot, name, 'half.tif'), 'x');
    }
    start(mark);
    await until(async () => (await readdir(scratchRoot)).length === 1);
    assert.deepEqual(await readdir(scratchRoot), [`${jobId}-2`]);
  });
});
