import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { readJob, until } from '../../test/support/jobs.ts';
import { emptyTables, openTestDatabase } from '../../test/support/database.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { cancelJobs, enqueueJob, hurryJob, type JobKind } from './enqueue.ts';
import type { Database } from '../database/tables/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { LeaseLost } from './handler.ts';
import {
  changeHeldJob,
  claimJob,
  ended,
  renewLeases,
  requeueDeadJobs,
  type ClaimedJob,
  voidLeases,
} from './ledger.ts';

const datasets = {
  kinds: ['process-dataset', 'extract-observations'],
  background: ['make-view', 'count-pixels'],
  serial: false,
};
const runs = { kinds: ['run-landscape'], background: [], serial: true };

const { db } = await closeAfterTests(openTestDatabase());

const enqueue = async (refId: string = randomUUID(), kind: JobKind = 'process-dataset'): Promise<string> =>
  await inTransaction(db, async (trx) => await enqueueJob(trx, kind, refId));
const enqueueRun = async (): Promise<string> => await enqueue(randomUUID(), 'run-landscape');
const claim = async (leaseSeconds = 30): Promise<ClaimedJob | undefined> =>
  await claimJob(db, 'test', datasets, leaseSeconds);
const claimRun = async (on: Database = db, leaseSeconds = 30): Promise<ClaimedJob | undefined> =>
  await claimJob(on, 'test', runs, leaseSeconds);
const mustClaim = async (leaseSeconds?: number): Promise<ClaimedJob> => {
  const job = await claim(leaseSeconds);
  assert.ok(job !== undefined);
  return job;
};
const finish = async (job: ClaimedJob): Promise<void> => {
  await inTransaction(db, async (trx) => await changeHeldJob(trx, job, ended('done')));
};
const waitAnHour = async (jobId: string): Promise<void> => {
  await sql`update jobs set run_after = now() + interval '1 hour' where id = ${jobId}`.execute(db);
};

describe('job ledger', () => {
  beforeEach(async () => {
    await emptyTables(db);
  });

  it('gives a job that is asked for before all of its kind, and not before other kinds', async () => {
    const counted = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    for (const each of counted) await enqueue(each, 'count-pixels');
    const view = await enqueue(randomUUID(), 'make-view');
    const [first = '', second = '', third = '', last = ''] = counted;
    for (const each of [third, last, last, randomUUID()]) await hurryJob(db, 'count-pixels', each);
    assert.equal((await mustClaim()).jobId, view);
    const claimed = await Array.fromAsync(counted, async () => (await mustClaim()).refId);
    assert.deepEqual(claimed, [last, third, first, second]);
  });

  it('leaves a job in its back-off that is asked for', async () => {
    const refId = randomUUID();
    await waitAnHour(await enqueue(refId, 'count-pixels'));
    await enqueue(randomUUID(), 'count-pixels');
    await sql`update jobs set attempt = 1 where ref_id = ${refId}`.execute(db);
    await hurryJob(db, 'count-pixels', refId);
    assert.notEqual((await mustClaim()).refId, refId);
    assert.equal(await claim(), undefined);
  });

  it('gives each of 60 jobs to exactly one of 8 claimers', async () => {
    const ids = await Array.fromAsync({ length: 60 }, async () => await enqueue());
    const claimed: string[] = [];
    const claimer = async (): Promise<void> => {
      for (let job = await claim(); job !== undefined; job = await claim()) claimed.push(job.jobId);
    };
    await Promise.all(Array.from({ length: 8 }, claimer));
    assert.deepEqual(claimed.toSorted(), ids.toSorted());
  });

  it('gives the longest waiting job first, and none before its time or of an unknown kind', async () => {
    const [first, second, later, strange] = await Array.fromAsync({ length: 4 }, async () => await enqueue());
    await waitAnHour(later ?? '');
    await sql`update jobs set kind = 'of-the-future' where id = ${strange}`.execute(db);
    assert.equal((await mustClaim()).jobId, first);
    assert.equal((await mustClaim()).jobId, second);
    assert.equal(await claim(), undefined);
  });

  it('gives work in the background where nothing else waits, or in its turn once it has waited for long', async () => {
    const counts = await Array.fromAsync(
      { length: 3 },
      async () => await enqueue(randomUUID(), 'count-pixels'),
    );
    const [upload, nextUpload] = [await enqueue(), await enqueue()];
    assert.equal((await mustClaim()).jobId, upload);
    await sql`update jobs set run_after = now() - interval '11 minutes' where id = ${counts[2]}`.execute(db);
    assert.equal((await mustClaim()).jobId, counts[2]);
    assert.equal((await mustClaim()).jobId, nextUpload);
    assert.equal(await claimJob(db, 'test', { ...datasets, background: [] }, 30), undefined);
    assert.equal((await mustClaim()).jobId, counts[0]);
  });

  it('gives the more urgent work in the background first, however long the other has waited', async () => {
    const count = await enqueue(randomUUID(), 'count-pixels');
    const views = [await enqueue(randomUUID(), 'make-view'), await enqueue(randomUUID(), 'make-view')];
    for (const id of [...views, count]) assert.equal((await mustClaim()).jobId, id);
  });

  it('raises the attempt with every claim, and only the last claim can end the job', async () => {
    const id = await enqueue();
    const zombie = await mustClaim(-1);
    assert.equal(zombie.attempt, 1);
    assert.equal(await claim(), undefined); // running until its death is detected
    assert.deepEqual(await requeueDeadJobs(db), [
      { jobId: id, kind: 'process-dataset', workerDeaths: 1, backOffSeconds: 0 },
    ]);
    const successor = await mustClaim();
    assert.equal(successor.attempt, 2);
    await assert.rejects(finish(zombie), LeaseLost);
    await finish(successor);
    await assert.rejects(finish(successor), LeaseLost);
    assert.equal((await readJob(db, id)).state, 'done');
  });

  it('rolls back what a transaction did before it met the fence', async () => {
    await enqueue();
    const zombie = await mustClaim(-1);
    await requeueDeadJobs(db);
    const publish = inTransaction(db, async (trx) => {
      await trx.insertInto('milestones').values({ name: 'zombie was here' }).execute();
      await changeHeldJob(trx, zombie, ended('done'));
    });
    await assert.rejects(publish, LeaseLost);
    assert.deepEqual(await db.selectFrom('milestones').select('name').execute(), []);
  });

  it('keeps a lease alive by renewing it, and names the attempts that lost theirs', async () => {
    const refId = randomUUID();
    for (const each of [refId, randomUUID(), randomUUID()]) await enqueue(each);
    const [cancelled, kept, done] = [await mustClaim(), await mustClaim(-1), await mustClaim()];
    await inTransaction(db, async (trx) => await cancelJobs(trx, refId));
    await finish(done);
    const stale = { ...kept, attempt: 0 };
    const lost = await renewLeases(db, [cancelled, kept, done, stale], 30);
    assert.deepEqual(lost, new Set([cancelled, done, stale]));
    assert.deepEqual(await requeueDeadJobs(db), []); // the other lease had expired before
  });

  it('requeues a dead job once, however many look', async () => {
    await enqueue();
    await mustClaim(-1);
    const found = await Promise.all(Array.from({ length: 8 }, async () => await requeueDeadJobs(db)));
    assert.equal(found.flat().length, 1);
  });

  it('lets a job whose workers die wait longer from the third time on, and never gives it up', async () => {
    const id = await enqueue();
    const waits: number[] = [];
    for (let death = 1; death <= 4; death += 1) {
      await mustClaim(-1);
      const [dead] = await requeueDeadJobs(db);
      waits.push(dead?.backOffSeconds ?? -1);
      const { waits_seconds, worker_deaths, state } = await readJob(db, id);
      assert.ok(Math.abs(waits_seconds - (dead?.backOffSeconds ?? -1)) < 1);
      assert.deepEqual([worker_deaths, state], [death, 'queued']);
      await sql`update jobs set run_after = now()`.execute(db);
    }
    assert.deepEqual(waits, [0, 0, 1, 2]);
  });

  it('gives the jobs of a serial lane one after the other and in order, however many claim', async () => {
    const ids = await Array.fromAsync({ length: 10 }, enqueueRun);
    const claimed: string[] = [];
    let [now, most] = [0, 0];
    const claimer = async (): Promise<void> => {
      while (claimed.length < ids.length) {
        const run = await claimRun();
        if (run === undefined) continue;
        now += 1;
        most = Math.max(most, now);
        claimed.push(run.jobId);
        await setImmediate();
        now -= 1;
        await finish(run);
      }
    };
    await Promise.all(Array.from({ length: 4 }, claimer));
    assert.deepEqual(claimed, ids);
    assert.equal(most, 1);
  });

  it('keeps a serial lane to its order while the oldest job waits for its time or its worker is dead', async () => {
    const [first, second] = [await enqueueRun(), await enqueueRun()];
    await waitAnHour(first);
    assert.equal(await claimRun(), undefined);
    await sql`update jobs set run_after = now() where id = ${first}`.execute(db);
    const dying = await claimRun(db, -1);
    assert.equal(dying?.jobId, first);
    assert.equal(await claimRun(), undefined);
    await requeueDeadJobs(db);
    const successor = await claimRun();
    assert.deepEqual([successor?.jobId, successor?.attempt], [first, 2]);
    assert.ok(successor !== undefined);
    await finish(successor);
    assert.equal((await claimRun())?.jobId, second);
  });

  it('gives an older job of a serial lane that comes to light late only after the one that is running', async () => {
    const younger = await enqueueRun();
    const claimed = Promise.withResolvers<ClaimedJob | undefined>();
    const commits = Promise.withResolvers<void>();
    const claiming = db.transaction().execute(async (trx) => {
      claimed.resolve(await claimRun(trx));
      await commits.promise;
    });
    const running = await claimed.promise;
    assert.equal(running?.jobId, younger);
    const older = await enqueueRun();
    await sql`update jobs set created_at = created_at - interval '1 hour' where id = ${older}`.execute(db);
    const unaware = claimRun(); // it cannot see yet that the younger job has been claimed
    await until(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length > 0;
    });
    commits.resolve();
    await claiming;
    assert.equal(await unaware, undefined);
    assert.equal(await claimRun(), undefined);
    await finish(running);
    assert.equal((await claimRun())?.jobId, older);
  });

  it('makes every running job claimable when all leases are void', async () => {
    await enqueue();
    await enqueue();
    await mustClaim(3600);
    await finish(await mustClaim(3600));
    await voidLeases(db);
    assert.equal((await requeueDeadJobs(db)).length, 1);
    assert.equal((await mustClaim()).attempt, 2);
    assert.equal(await claim(), undefined);
  });
});
