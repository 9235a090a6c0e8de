import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database.ts';
import { addDataset, readJob, until } from '../../test/support/jobs.ts';
import { openTestWorkers } from '../../test/support/workers.ts';

const { db, store, scratchRoot, start, inState } = await openTestWorkers(await openTestDatabase());
const nothing = async (): Promise<void> => undefined;

describe('a worker that has run for a while', () => {
  it('sweeps the scratch of an attempt whose lease ran out only after it had started', async () => {
    const { jobId } = await addDataset(db, store);
    await sql`update jobs set state = 'running', attempt = 1, lease_until = now() + interval '1 second'`.execute(
      db,
    );
    const folder = `${jobId}-1`;
    await mkdir(join(scratchRoot, folder), { recursive: true });
    await writeFile(join(scratchRoot, folder, 'half.tif'), 'x');
    const { events } = start(nothing);
    await inState(jobId, 'done');
    await until(async () => !(await readdir(scratchRoot)).includes(folder));
    assert.ok(events.some(({ message }) => /scratch folders of dead attempts removed/.test(message)));
    assert.ok(events.some(({ message }) => /a worker died/.test(message)));
  });

  it('sweeps the scratch of a killed attempt whose job another worker takes', async () => {
    const { jobId } = await addDataset(db, store);
    await sql`update jobs set state = 'running', attempt = 1, lease_until = now() + interval '1 hour'`.execute(
      db,
    );
    const folder = `${jobId}-1`;
    await mkdir(join(scratchRoot, folder), { recursive: true });
    const { events } = start(nothing, { kinds: ['count-pixels'], leaseSeconds: 1 });
    // The worker sweeps before it takes its first job.
    const { jobId: first } = await addDataset(db, store, { kind: 'count-pixels' });
    await inState(first, 'done');
    assert.ok(
      (await readdir(scratchRoot)).includes(folder),
      'the precondition: its attempt seems to be alive',
    );
    // Another worker, with another scratch folder, has detected the death and holds the job.
    await sql`update jobs set attempt = 2 where id = ${jobId}`.execute(db);
    await until(async () => (await readdir(scratchRoot)).length === 0);
    assert.ok(events.every(({ message }) => !/a worker died/.test(message)));
  });

  it('forgets jobs that ended a month ago, and no others', async () => {
    const end = async (state: string, age: string): Promise<string> => {
      const id = randomUUID();
      await sql`insert into jobs (id, kind, ref_id, state, finished_at)
        values (${id}, 'process-dataset', ${randomUUID()}, ${state}, now() - ${age}::interval)`.execute(db);
      return id;
    };
    const old = [await end('done', '31 days'), await end('failed', '400 days')];
    const kept = [await end('done', '29 days'), await end('cancelled', '1 minute')];
    const { jobId } = await addDataset(db, store, { kind: 'extract-observations' });
    start(nothing, { tidyEveryMs: 50 });
    const known = async (): Promise<string[]> =>
      (await db.selectFrom('jobs').select('id').execute()).map(({ id }) => id);
    await until(async () => !(await known()).some((id) => old.includes(id)));
    assert.deepEqual(new Set(await known()), new Set([...kept, jobId]));
  });

  it('ends a job that fails for no known reason again and again, with its id in the reason and in the log', async () => {
    const { jobId } = await addDataset(db, store);
    await sql`update jobs set unexpected_errors = 4`.execute(db);
    const reasons: string[] = [];
    const broken = async (): Promise<void> => {
      throw new TypeError('x is not a function');
    };
    const { events } = start(broken, {
      fail: async (_trx, _id, { reason }) => void reasons.push(reason.english),
    });
    await until(async () => (await readJob(db, jobId)).last_error === 'x is not a function');
    await sql`update jobs set run_after = now() where state = 'queued'`.execute(db);
    await inState(jobId, 'failed');
    assert.equal((await readJob(db, jobId)).attempt, 2);
    assert.match(reasons.join(), new RegExp(jobId));
    const logged = events.filter(({ message }) => message === 'attempt failed');
    assert.equal(logged.length, 2);
    assert.ok(logged.every(({ fields }) => JSON.stringify(fields).includes(jobId)));
  });
});
