import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { deleteDataset } from '../datasets/deletion/delete.ts';
import { EngineDied } from '../geo/engine.ts';
import { cancelJobs } from './enqueue.ts';
import { voidJobLeases } from './ledger.ts';
import { pruneResults } from './results.ts';
import { Problem } from '../lib/errors.ts';
import { checkStore } from '../object-store/fsck.ts';
import { ObjectMissing } from '../object-store/object-store.ts';
import { sweepObjects } from '../object-store/sweeper.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { addDataset, until } from '../../test/support/jobs.ts';
import { isTimeUp, repetitions } from '../../test/support/tier.ts';
import { openTestWorkers } from '../../test/support/workers.ts';
import {
  createToyHandler,
  mostWaiting,
  steps,
  toys,
  toyWorkerName,
  wantToy,
} from './toy-result.for-tests.ts';

const kills = repetitions('STEPPE_RESULT_KILLS', steps.length, 50);
const program = fileURLToPath(new URL('toy-worker-program.for-tests.ts', import.meta.url));
const database = await openTestDatabase();
const workers = await openTestWorkers(database);
const { db, store, scratchRoot } = workers;

async function addSubject(): Promise<string> {
  const { datasetId } = await addDataset(db, store, { status: 'failed' });
  await db.transaction().execute(async (trx) => await cancelJobs(trx, datasetId));
  return datasetId;
}
const want = async (subject: string, key = 'key') => await wantToy(db, subject, key);
async function pendingRef(subject: string, key = 'key'): Promise<string> {
  const found = await want(subject, key);
  return found.isPending ? found.ref : assert.fail('it is made');
}
function start(at: Parameters<typeof createToyHandler>[1] = async () => undefined) {
  const { run, fail } = createToyHandler(db, at);
  return workers.start(run, { kinds: [toys.job], fail });
}
const untilMade = async (subject: string, key = 'key') => {
  await until(async () => !(await want(subject, key)).isPending);
  const made = await want(subject, key);
  return made.isPending ? assert.fail() : made;
};
const rows = async () => await db.selectFrom('results').selectAll().orderBy('key').execute();
const liveJobs = async () =>
  await db.selectFrom('jobs').select('ref_id').where('state', 'in', ['queued', 'running']).execute();
const change = async (columns: { readonly changed_at?: Date; readonly used_at?: Date }, key = 'key') =>
  await db.updateTable('results').set(columns).where('key', '=', key).execute();
const ago = (seconds: number) => new Date(Date.now() - 1000 * seconds);
const month = 31 * 24 * 60 * 60;
const toysStored = async () => (await Array.fromAsync(store.keys())).filter((key) => key.startsWith('toy/'));

/** Ends the database sessions of a killed worker: a statement in progress, such as one that renews a lease, would still commit. */
async function endSessions(): Promise<void> {
  await until(async () => {
    const { rows: left } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${toyWorkerName}`.execute(
      db,
    );
    return left.length === 0;
  });
}

/** Expires the leases of dead attempts, and removes what they have left. */
async function assertSound(): Promise<void> {
  await sql`update objects set lease_until = now() where state = 'writing'`.execute(db);
  await sweepObjects(db, store);
  const { damage, inFlight } = await checkStore(db, store);
  assert.deepEqual([damage, inFlight], [[], []]);
}

describe('a result', () => {
  test('has one job, however many ask at once', async () => {
    const subject = await addSubject();
    const refs = await Promise.all([1, 2, 3, 4, 5].map(async () => await pendingRef(subject)));
    assert.equal(new Set(refs).size, 1);
    assert.deepEqual([(await rows()).length, (await liveJobs()).length], [1, 1]);
    start();
    const { id, content } = await untilMade(subject);
    assert.equal(id, refs[0]);
    assert.deepEqual(await toysStored(), [content.object_key]);
    await assertSound();
  });

  test(`is made again and whole after ${kills} kills -9 of its worker, at each of its steps`, async () => {
    for (let kill = 0; kill < kills && (kill < steps.length || !isTimeUp()); kill += 1) {
      const [subject, key] = [await addSubject(), `key ${kill}`];
      const ref = await pendingRef(subject, key);
      const step = steps[kill % steps.length];
      const { target } = database;
      const worker = spawn(
        process.execPath,
        [program, JSON.stringify({ target, root: store.root, scratchRoot, step })],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const [said] = await once(worker.stdout, 'data');
      assert.equal(String(said), step);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      await endSessions();
      const isMade = step === 'committed';
      const row = (await rows()).find(({ id }) => id === ref);
      assert.equal(row?.state, isMade ? 'made' : 'pending');
      assert.equal((await want(subject, key)).isPending, !isMade);
      await voidJobLeases(db);
      const { worker: next } = start();
      const { id, content } = await untilMade(subject, key);
      await next.stop();
      assert.equal(id, ref);
      assert.equal(content.object_key, row?.object_key ?? content.object_key);
      await assertSound();
      assert.equal((await toysStored()).filter((each) => each.includes(ref)).length, 1);
    }
  });

  test('that failed for no fault of its input is made a minute later', async () => {
    const faults = [
      new EngineDied('killed'),
      new Problem('invalid', 'the node died again and again', { cause: new EngineDied('killed') }),
      new Problem('not_found', 'the object is gone', { cause: new ObjectMissing('key') }),
    ];
    for (const [index, fault] of faults.entries()) {
      const [subject, key] = [await addSubject(), `key ${index}`];
      const ref = await pendingRef(subject, key);
      const { worker } = start(async () => await Promise.reject(fault));
      await until(async () => (await rows()).some(({ id, state }) => id === ref && state === 'failed'));
      await worker.stop();
      const refused = { code: 'conflict', message: 'no toy now' };
      await assert.rejects(want(subject, key), refused);
      await change({ changed_at: ago(58) }, key);
      await assert.rejects(want(subject, key), refused);
      await change({ changed_at: ago(61) }, key);
      assert.equal(await pendingRef(subject, key), ref);
      const { worker: next } = start();
      await untilMade(subject, key);
      await next.stop();
    }
    await assertSound();
  });

  test('whose input is to blame stays failed, with its own reason', async () => {
    const subject = await addSubject();
    await want(subject);
    start(async () => await Promise.reject(new Problem('invalid', 'the toy has no wheels')));
    await until(async () => (await rows())[0]?.state === 'failed');
    await change({ changed_at: ago(month) });
    await assert.rejects(want(subject), { code: 'invalid', message: 'the toy has no wheels' });
    assert.deepEqual(await liveJobs(), []);
  });

  test('with a problem that may pass says so for a minute', async () => {
    const subject = await addSubject();
    await want(subject);
    start(async () => await Promise.reject(new Problem('not_found', 'a wheel was deleted')));
    await until(async () => (await rows())[0]?.state === 'failed');
    await assert.rejects(want(subject), { code: 'conflict', message: 'a wheel was deleted' });
    await change({ changed_at: ago(61) });
    assert.ok((await want(subject)).isPending);
  });

  test('is refused while too many wait, and known ones are answered', async () => {
    const subject = await addSubject();
    for (let i = 0; i < mostWaiting; i += 1) await want(subject, `key ${i}`);
    await assert.rejects(want(subject), { code: 'too_many' });
    assert.ok((await want(subject, 'key 0')).isPending);
    start();
    await untilMade(subject, 'key 0');
    await untilMade(subject);
  });
});

describe('what is pruned', () => {
  test('is what was not used for long enough, with its object', async () => {
    const subject = await addSubject();
    const keys = ['old', 'recent', 'used again'];
    for (const key of keys) await want(subject, key);
    const { worker } = start();
    const made = new Map<string, string>();
    for (const key of keys) made.set(key, (await untilMade(subject, key)).content.object_key);
    await worker.stop();
    await want(subject, 'at work');
    await want(subject, 'left by its job');
    const left = (await rows()).find(({ key }) => key === 'left by its job')?.id ?? '';
    await db.transaction().execute(async (trx) => await cancelJobs(trx, left));
    for (const key of [...keys, 'at work', 'left by its job'])
      if (key !== 'recent') await change({ used_at: ago(month) }, key);
    await want(subject, 'used again');
    await pruneResults(db, toys);
    assert.deepEqual(
      (await rows()).map(({ key }) => key),
      ['at work', 'recent', 'used again'],
    );
    await assertSound();
    assert.deepEqual(
      (await toysStored()).toSorted(),
      [made.get('recent') ?? '', made.get('used again') ?? ''].toSorted(),
    );
    start();
    await untilMade(subject, 'at work');
  });

  test('is also what is beyond the number that is kept, the longest unused first', async () => {
    const subject = await addSubject();
    for (const key of ['a', 'b', 'c']) await want(subject, key);
    start();
    for (const [index, key] of ['a', 'b', 'c'].entries()) {
      await untilMade(subject, key);
      await change({ used_at: ago(60 * (index === 1 ? 9 : index)) }, key);
    }
    await pruneResults(db, { ...toys, lasting: sql`key = 'b'`, mostKept: 2 });
    assert.equal((await rows()).length, 3, 'what lasts is kept however old');
    await pruneResults(db, { ...toys, mostKept: 2 });
    assert.deepEqual(
      (await rows()).map(({ key }) => key),
      ['a', 'c'],
    );
    await assertSound();
  });

  test('goes when another one is started', async () => {
    const subject = await addSubject();
    await want(subject, 'old');
    start();
    await untilMade(subject, 'old');
    await change({ used_at: ago(month) }, 'old');
    await want(subject, 'new');
    assert.deepEqual(
      (await rows()).map(({ key }) => key),
      ['new'],
    );
  });
});

describe('a result whose job ends otherwise', () => {
  test('has another job when that is cancelled, and the attempt before publishes nothing', async () => {
    const subject = await addSubject();
    const ref = await pendingRef(subject);
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let attempts = 0;
    const { events } = start(async (step) => {
      if (step !== 'stored' || (attempts += 1) > 1) return;
      begun.resolve();
      await gate.promise;
    });
    await begun.promise;
    await db.transaction().execute(async (trx) => await cancelJobs(trx, ref));
    gate.resolve();
    await until(() => events.some(({ message }) => message === 'attempt ended'));
    assert.deepEqual(
      (await rows()).map(({ state }) => state),
      ['pending'],
    );
    assert.equal(await pendingRef(subject), ref);
    await untilMade(subject);
    await assertSound();
  });

  test('goes with its subject, at whatever step it is', async () => {
    for (const step of steps.slice(0, 2)) {
      const subject = await addSubject();
      await want(subject, step);
      const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { worker } = start(async (at) => {
        if (at !== step) return;
        begun.resolve();
        await gate.promise;
      });
      await begun.promise;
      await deleteDataset({ db, objectStore: store }, subject);
      gate.resolve();
      await worker.stop();
      assert.deepEqual([await rows(), await liveJobs(), await toysStored()], [[], [], []]);
      await assertSound();
    }
  });

  test('is what a process of the release before makes of it, and the reverse', async () => {
    const subject = await addSubject();
    // The statements of that process, which finds atlases in the view with the name of its table.
    const insert = async () => {
      const { rows: inserted } = await sql<{ id: string }>`
        insert into sheet_atlases (id, key, state, dataset_id, wanted)
          values (${randomUUID()}, 'key', 'pending', ${subject}, '{"text":"old"}')
        on conflict (key) do update set state = 'pending', failure = null, is_final = false, changed_at = now(),
            used_at = now(), dataset_id = excluded.dataset_id, wanted = excluded.wanted
          where sheet_atlases.state = 'failed'
        returning id`.execute(db);
      return inserted[0]?.id ?? assert.fail('it is live');
    };
    const id = await insert();
    await sql`select id, state from sheet_atlases where key = 'key' for update`.execute(db);
    await sql`update sheet_atlases set state = 'failed', changed_at = now() where id = ${id}`.execute(db);
    assert.equal(await insert(), id);
    await sql`update results set kind = 'toy' where id = ${id}`.execute(db);
    assert.equal(await pendingRef(subject), id);
    start();
    await untilMade(subject);
    await sql`update results set kind = 'atlas' where id = ${id}`.execute(db);
    const { rows: seen } = await sql`
      select state from sheet_atlases where key = 'key' and object_key is not null`.execute(db);
    assert.deepEqual(seen, [{ state: 'made' }]);
    await sql`delete from sheet_atlases where id in (select id from sheet_atlases for update skip locked)`.execute(
      db,
    );
    assert.deepEqual(await rows(), []);
  });

  test('is tried again by a worker that knows its kind', async () => {
    const subject = await addSubject();
    const ref = await pendingRef(subject);
    await sql`update results set kind = 'of another release' where id = ${ref}`.execute(db);
    const { worker } = start();
    await until(async () => {
      const { rows: jobs } =
        await sql`select from jobs where ref_id = ${ref} and unexpected_errors > 0`.execute(db);
      return jobs.length > 0;
    });
    await worker.stop();
    await sql`update results set kind = 'toy' where id = ${ref}`.execute(db);
    await sql`update jobs set run_after = now() where ref_id = ${ref}`.execute(db);
    start();
    assert.equal((await untilMade(subject)).id, ref);
  });
});
