import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database.ts';
import { until } from '../../test/support/jobs.ts';
import { openTestWorkers } from '../../test/support/workers.ts';
import { aborted } from '../lib/concurrency/promises.ts';
import { enqueueJob, type JobKind } from './enqueue.ts';
import { handlersOfRoles } from './lanes.ts';

const { db, start, stateOf, inState } = await openTestWorkers(await openTestDatabase());

const add = async (kind: JobKind): Promise<string> =>
  await db.transaction().execute(async (trx) => await enqueueJob(trx, kind, randomUUID()));
const addMany = async (count: number): Promise<string[]> =>
  await Promise.all(Array.from({ length: count }, async () => await add('process-dataset')));
const statesOf = async (jobIds: readonly string[]): Promise<string[]> =>
  await Promise.all(jobIds.map(stateOf));

describe('the lanes of a worker', () => {
  it('run a landscape beside datasets, each without waiting for the other', async () => {
    const [dataset, nextDataset] = [await add('process-dataset'), await add('extract-observations')];
    const [run, nextRun] = [await add('run-landscape'), await add('run-landscape')];
    const gates = new Map([dataset, nextDataset, run].map((id) => [id, Promise.withResolvers<void>()]));
    const open = (jobId: string): void => gates.get(jobId)?.resolve();
    start(async ({ jobId }) => await gates.get(jobId)?.promise, {
      kinds: ['process-dataset', 'extract-observations', 'run-landscape'],
    });
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

  it('let uploads begin beside work in the background, which waits for an idle slot', async () => {
    const [count, nextCount] = [await add('count-pixels'), await add('count-pixels')];
    const gates = new Map([count, nextCount].map((id) => [id, Promise.withResolvers<void>()]));
    const upload = Promise.withResolvers<void>();
    start(async ({ jobId }) => await (gates.get(jobId) ?? upload).promise, {
      kinds: ['process-dataset', 'count-pixels'],
      patienceMs: 20,
    });
    await inState(count, 'running');
    await delay(200); // ten times the patience of the worker
    const [first, second, third] = [
      await add('process-dataset'),
      await add('process-dataset'),
      await add('process-dataset'),
    ];
    await inState(first, 'running');
    assert.deepEqual(await statesOf([nextCount, second, third]), ['queued', 'queued', 'queued']);
    gates.get(count)?.resolve();
    await inState(count, 'done');
    await inState(second, 'running'); // runs beside the first job, which is slow
    assert.equal(await stateOf(nextCount), 'queued');
    upload.resolve();
    for (const each of [first, second, third]) await inState(each, 'done');
    gates.get(nextCount)?.resolve();
    await inState(nextCount, 'done');
  });

  it('go on to the next landscape run at once, not only at the next look', async () => {
    const runs = [await add('run-landscape'), await add('run-landscape'), await add('run-landscape')];
    const done: string[] = [];
    const options = { kinds: ['run-landscape'], pollEveryMs: 3_600_000 } as const;
    start(async ({ jobId }) => void done.push(jobId), options);
    for (const each of runs) await inState(each, 'done');
    assert.deepEqual(done, runs);
  });

  it('let a slow dataset give up its slot, but never a landscape run', async () => {
    const [dataset, nextDataset] = [await add('process-dataset'), await add('process-dataset')];
    const [run, nextRun] = [await add('run-landscape'), await add('run-landscape')];
    const gate = Promise.withResolvers<void>();
    start(async () => await gate.promise, { kinds: ['process-dataset', 'run-landscape'], patienceMs: 20 });
    for (const each of [dataset, nextDataset, run]) await inState(each, 'running');
    await delay(200); // ten times the patience of the worker
    assert.equal(await stateOf(nextRun), 'queued');
    gate.resolve();
    for (const each of [dataset, nextDataset, run, nextRun]) await inState(each, 'done');
  });

  it('let others run beside slow datasets at once, up to twice as many as there are slots', async () => {
    const jobs = await addMany(6);
    const gates = jobs.map(() => Promise.withResolvers<void>());
    const begun: string[] = [];
    start(async ({ jobId }) => await gates[begun.push(jobId) - 1]?.promise, {
      concurrency: 2,
      patienceMs: 20,
      pollEveryMs: 3_600_000,
    });
    await until(() => begun.length === 4);
    await delay(200); // ten times the patience of the worker
    assert.equal(begun.length, 4);
    gates[3]?.resolve();
    await until(() => begun.length === 5);
    await inState(begun[3] ?? '', 'done');
    assert.deepEqual((await statesOf(jobs)).toSorted(), ['done', 'queued', ...Array(4).fill('running')]);
    for (const gate of gates) gate.resolve();
    for (const each of jobs) await inState(each, 'done');
  });

  it('keep a slot for its job while the patience lasts', async () => {
    const jobs = await addMany(2);
    const gate = Promise.withResolvers<void>();
    start(async () => await gate.promise, { patienceMs: 3_600_000 });
    await until(async () => (await statesOf(jobs)).includes('running'));
    await delay(200); // four polls
    assert.deepEqual((await statesOf(jobs)).toSorted(), ['queued', 'running']);
    gate.resolve();
    for (const each of jobs) await inState(each, 'done');
  });

  it('have the leases of all attempts renewed, also of slow ones and of those beside them', async () => {
    const jobs = await addMany(2);
    const done: string[] = [];
    const gate = Promise.withResolvers<void>();
    start(async ({ jobId }) => await gate.promise.then(() => void done.push(jobId)), { patienceMs: 20 });
    for (const each of jobs) await inState(each, 'running');
    await sql`update jobs set lease_until = now() + interval '15 seconds'`.execute(db);
    const isOld = sql<boolean>`lease_until < now() + interval '20 seconds'`.as('isOld');
    const leases = db.selectFrom('jobs').select(isOld);
    await until(async () => (await leases.execute()).every((job) => !job.isOld));
    gate.resolve();
    for (const each of jobs) await inState(each, 'done');
    assert.deepEqual(done.toSorted(), jobs.toSorted());
  });

  it('are left by a worker that stops with all jobs handed back, also slow ones and those beside them', async () => {
    const jobs = await addMany(4);
    const listens = new Set(jobs.slice(0, 2));
    const { worker } = start(
      async ({ jobId, signal }) => {
        await (listens.has(jobId) ? aborted(signal) : new Promise(() => undefined));
      },
      { concurrency: 2, patienceMs: 20, stopWithinMs: 50 },
    );
    for (const each of jobs) await inState(each, 'running');
    await worker.stop();
    assert.deepEqual(await statesOf(jobs), Array(4).fill('queued'));
  });

  it('leave kinds without a handler to other workers', async () => {
    const [strange, known] = [await add('extract-observations'), await add('process-dataset')];
    start(async () => undefined);
    await inState(known, 'done');
    assert.equal(await stateOf(strange), 'queued');
  });
});

test('a worker that takes some roles has no handlers of others, and webhooks belong to those of datasets', () => {
  const handler = { run: async () => undefined, fail: async () => undefined };
  const ofDatasets = { 'process-dataset': handler, 'deliver-webhook': handler };
  const handlers = { ...ofDatasets, 'run-landscape': handler };
  assert.deepEqual(handlersOfRoles(handlers, ['datasets']), ofDatasets);
  assert.deepEqual(handlersOfRoles(handlers, ['runs', 'blocks']), { 'run-landscape': handler });
  assert.deepEqual(handlersOfRoles(handlers, ['blocks']), {});
});
