import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { createRecordingLog, readJob, until } from '../../test/support/jobs.ts';
import { openTestStore, type TestStore } from '../../test/support/store.ts';
import { enqueueJob, type JobKind } from '../database/enqueue.ts';
import { openListener, type Listener } from '../database/listener.ts';
import { createPostgresMessageQueue } from '../message-queue/postgres.ts';
import type { Attempt, JobHandler } from '../processing/attempt.ts';
import { startWorker, type Worker } from './worker.ts';

describe('the lanes of a worker', () => {
  let database: TestDatabase;
  let listener: Listener;
  let store: TestStore;
  let scratchRoot: string;
  const workers: Worker[] = [];
  const done: string[] = [];

  before(async () => {
    database = await openTestDatabase();
    listener = await openListener(database.target, { onError: () => undefined });
  });
  after(async () => {
    await listener.close();
    await database.close();
  });
  beforeEach(async () => {
    store = await openTestStore();
    scratchRoot = await mkdtemp(join(tmpdir(), 'steppe-lanes-'));
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.stop();
    done.splice(0);
    await sql`truncate jobs`.execute(database.db);
    await store.close();
    await rm(scratchRoot, { recursive: true });
  });

  const add = async (kind: JobKind): Promise<string> =>
    await database.db.transaction().execute(async (trx) => await enqueueJob(trx, kind, randomUUID()));
  const start = (
    kinds: readonly JobKind[],
    work: (attempt: Attempt) => Promise<void>,
    { lookEveryMs = 50 } = {},
  ): void => {
    const { db } = database;
    const run = async (attempt: Attempt): Promise<void> => {
      await work(attempt);
      done.push(attempt.jobId);
    };
    const handler: JobHandler = { run, fail: async () => undefined };
    const worker = startWorker({
      db,
      objectStore: store,
      messageQueue: createPostgresMessageQueue({ db, listener, onError: () => undefined }),
      handlers: Object.fromEntries(kinds.map((kind) => [kind, handler])),
      concurrency: 1,
      scratchRoot,
      log: createRecordingLog().log,
      timing: { lookEveryMs, stopWithinMs: 1000 },
    });
    workers.push(worker);
  };
  const stateOf = async (jobId: string): Promise<string> => (await readJob(database.db, jobId)).state;
  const inState = async (jobId: string, state: string): Promise<void> =>
    await until(async () => (await stateOf(jobId)) === state);

  it('run a landscape beside datasets, each without waiting for the other', async () => {
    const [dataset, nextDataset] = [await add('process-dataset'), await add('extract-observations')];
    const [run, nextRun] = [await add('run-landscape'), await add('run-landscape')];
    const gates = new Map([dataset, nextDataset, run].map((id) => [id, Promise.withResolvers<void>()]));
    const open = (jobId: string): void => gates.get(jobId)?.resolve();
    start(
      ['process-dataset', 'extract-observations', 'run-landscape'],
      async ({ jobId }) => await gates.get(jobId)?.promise,
    );
    for (const each of [dataset, run]) await inState(each, 'running');
    assert.deepEqual([await stateOf(nextDataset), await stateOf(nextRun)], ['queued', 'queued']);
    open(dataset);
    await inState(nextDataset, 'running');
    assert.deepEqual([await stateOf(run), await stateOf(nextRun)], ['running', 'queued']);
    open(run);
    await inState(nextRun, 'done');
    assert.equal(await stateOf(nextDataset), 'running');
    open(nextDataset);
    await inState(nextDataset, 'done');
  });

  it('let one landscape run at a time, oldest first, over all workers', async () => {
    const runs: string[] = [];
    for (let n = 0; n < 8; n += 1) runs.push(await add('run-landscape'));
    let [now, most] = [0, 0];
    for (let n = 0; n < 3; n += 1) {
      start(['run-landscape'], async () => {
        now += 1;
        most = Math.max(most, now);
        await database.db.selectNoFrom(sql`pg_sleep(0.02)`.as('slept')).execute();
        now -= 1;
      });
    }
    for (const each of runs) await inState(each, 'done');
    assert.deepEqual(done, runs);
    assert.equal(most, 1);
  });

  it('go on to the next landscape run at once, not only at the next look', async () => {
    const runs = [await add('run-landscape'), await add('run-landscape'), await add('run-landscape')];
    start(['run-landscape'], async () => undefined, { lookEveryMs: 3_600_000 });
    for (const each of runs) await inState(each, 'done');
    assert.deepEqual(done, runs);
  });

  it('leave kinds without a handler to other workers', async () => {
    const [strange, known] = [await add('extract-observations'), await add('process-dataset')];
    start(['process-dataset'], async () => undefined);
    await inState(known, 'done');
    assert.equal(await stateOf(strange), 'queued');
  });
});
