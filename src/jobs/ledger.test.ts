import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { readJob } from '../../test/support/jobs.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { cancelJobs, enqueueJob } from '../database/enqueue.ts';
import { inTransaction } from '../database/transaction.ts';
import { LeaseLost } from '../processing/attempt.ts';
import { changeHeldJob, claimJob, ended, renewLeases, requeueDeadJobs, type ClaimedJob } from './ledger.ts';
import { voidLeases } from './void-leases.ts';

const kinds = ['process-dataset', 'extract-observations'];

describe('job ledger', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  after(async () => {
    await database.close();
  });
  beforeEach(async () => {
    await sql`truncate jobs`.execute(database.db);
  });

  const enqueue = async (refId: string = randomUUID()): Promise<string> =>
    await inTransaction(database.db, async (trx) => await enqueueJob(trx, 'process-dataset', refId));
  const claim = async (leaseSeconds = 30): Promise<ClaimedJob | undefined> =>
    await claimJob(database.db, { worker: 'test', kinds, leaseSeconds });
  const mustClaim = async (leaseSeconds?: number): Promise<ClaimedJob> => {
    const job = await claim(leaseSeconds);
    assert.ok(job !== undefined);
    return job;
  };
  const finish = async (job: ClaimedJob): Promise<void> => {
    await inTransaction(database.db, async (trx) => await changeHeldJob(trx, job, ended('done')));
  };

  it('gives each of 200 jobs to exactly one of 20 claimers', async () => {
    const ids = new Set<string>();
    for (let n = 0; n < 200; n += 1) ids.add(await enqueue());
    const claimed: string[] = [];
    const claimer = async (): Promise<void> => {
      for (let job = await claim(); job !== undefined; job = await claim()) claimed.push(job.jobId);
    };
    await Promise.all(Array.from({ length: 20 }, claimer));
    assert.equal(claimed.length, 200);
    assert.deepEqual(new Set(claimed), ids);
  });

  it('gives the longest waiting job first, and none before its time or of an unknown kind', async () => {
    const [first, second, later, strange] = [
      await enqueue(),
      await enqueue(),
      await enqueue(),
      await enqueue(),
    ];
    await sql`update jobs set run_after = now() + interval '1 hour' where id = ${later}`.execute(database.db);
    await sql`update jobs set kind = 'of-the-future' where id = ${strange}`.execute(database.db);
    assert.equal((await mustClaim()).jobId, first);
    assert.equal((await mustClaim()).jobId, second);
    assert.equal(await claim(), undefined);
  });

  it('raises the attempt with every claim, and only the last claim can end the job', async () => {
    const id = await enqueue();
    const zombie = await mustClaim(-1);
    assert.equal(zombie.attempt, 1);
    assert.equal(await claim(), undefined); // running until somebody notices
    assert.deepEqual(await requeueDeadJobs(database.db), [
      { jobId: id, kind: 'process-dataset', workerDeaths: 1, backOffSeconds: 0 },
    ]);
    const successor = await mustClaim();
    assert.equal(successor.attempt, 2);
    await assert.rejects(finish(zombie), LeaseLost);
    await finish(successor);
    await assert.rejects(finish(successor), LeaseLost);
    assert.equal((await readJob(database.db, id)).state, 'done');
  });

  it('rolls back what a transaction did before it met the fence', async () => {
    await enqueue();
    const zombie = await mustClaim(-1);
    await requeueDeadJobs(database.db);
    const publish = inTransaction(database.db, async (trx) => {
      await trx.insertInto('milestones').values({ name: 'zombie was here' }).execute();
      await changeHeldJob(trx, zombie, ended('done'));
    });
    await assert.rejects(publish, LeaseLost);
    assert.deepEqual(await database.db.selectFrom('milestones').select('name').execute(), []);
  });

  it('keeps a lease alive by renewing it, and names the attempts that lost theirs', async () => {
    const refId = randomUUID();
    await enqueue(refId);
    await enqueue();
    await enqueue();
    const cancelled = await mustClaim();
    const kept = await mustClaim(-1);
    const done = await mustClaim();
    await inTransaction(database.db, async (trx) => await cancelJobs(trx, refId));
    await finish(done);
    const stale = { ...kept, attempt: 0 };
    const lost = await renewLeases(database.db, [cancelled, kept, done, stale], 30);
    assert.deepEqual(lost, new Set([cancelled, done, stale]));
    assert.deepEqual(await requeueDeadJobs(database.db), []); // kept had run out before
  });

  it('requeues a dead job once, however many look', async () => {
    await enqueue();
    await mustClaim(-1);
    const found = await Promise.all(
      Array.from({ length: 8 }, async () => await requeueDeadJobs(database.db)),
    );
    assert.equal(found.flat().length, 1);
  });

  it('lets a job whose workers die wait longer from the third time on, and never gives it up', async () => {
    const id = await enqueue();
    const waits: number[] = [];
    for (let death = 1; death <= 11; death += 1) {
      await mustClaim(-1);
      const [dead] = await requeueDeadJobs(database.db);
      waits.push(dead?.backOffSeconds ?? -1);
      const { waits_seconds, worker_deaths, state } = await readJob(database.db, id);
      assert.ok(Math.abs(waits_seconds - (dead?.backOffSeconds ?? -1)) < 1);
      assert.deepEqual([worker_deaths, state], [death, 'queued']);
      await sql`update jobs set run_after = now()`.execute(database.db);
    }
    assert.deepEqual(waits, [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('makes every running job claimable when all leases are void', async () => {
    await enqueue();
    await enqueue();
    await mustClaim(3600);
    await finish(await mustClaim(3600));
    await voidLeases(database.db);
    assert.equal((await requeueDeadJobs(database.db)).length, 1);
    assert.equal((await mustClaim()).attempt, 2);
    assert.equal(await claim(), undefined);
  });
});
