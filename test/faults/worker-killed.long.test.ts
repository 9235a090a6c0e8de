import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { checkStore } from '../../src/object-store/fsck.ts';
import { voidLeases } from '../../src/jobs/ledger.ts';
import { sweepObjects } from '../../src/object-store/sweeper.ts';
import { openTestDatabase } from '../support/database.ts';
import { addDataset, readJob, until } from '../support/jobs.ts';
import { endLateTimes, openTestStore, type TestStore } from '../support/store.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const program = fileURLToPath(new URL('worker-program.ts', import.meta.url));

const database = await closeAfterTests(openTestDatabase());

describe('a worker that dies', () => {
  let store: TestStore;
  let scratchRoot: string;
  const processes: ChildProcess[] = [];
  beforeEach(async () => {
    store = await openTestStore();
    scratchRoot = await mkdtemp(join(tmpdir(), 'steppe-scratch-'));
  });
  afterEach(async () => {
    for (const each of processes.splice(0)) await kill(each);
    await sql`truncate jobs, datasets, objects, milestones cascade`.execute(database.db);
    await store.close();
    await rm(scratchRoot, { recursive: true });
  });

  const launch = (options: { workMs: number; leaseSeconds?: number; listens?: boolean }) => {
    const { target } = database;
    const orders = {
      target,
      storeRoot: store.root,
      scratchRoot,
      leaseSeconds: 1,
      concurrency: 3,
      listens: true,
      ...options,
    };
    const child = spawn(process.execPath, [program, JSON.stringify(orders)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    processes.push(child);
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    return { child, says: (text: string) => lines.some((line) => line.includes(text)) };
  };
  const publications = async (): Promise<string[]> => {
    const rows = await database.db.selectFrom('milestones').select('name').orderBy('name').execute();
    return rows.map(({ name }) => name);
  };
  const isDone = async (jobId: string): Promise<boolean> =>
    (await readJob(database.db, jobId)).state === 'done';

  it('leaves its job to another, which publishes once, and its scratch folder to be swept', async () => {
    const { jobId } = await addDataset(database.db, store);
    const killed = launch({ workMs: 3_600_000 });
    await until(() => killed.says('"started"'));
    assert.deepEqual(await readdir(scratchRoot), [`${jobId}-1`]);
    await kill(killed.child);
    assert.equal((await readJob(database.db, jobId)).state, 'running');
    const heir = launch({ workMs: 0 });
    await until(async () => await isDone(jobId));
    assert.deepEqual(await publications(), [`${jobId} 2`]);
    assert.equal((await readJob(database.db, jobId)).worker_deaths, 1);
    await until(() => heir.says('scratch folders of dead attempts removed'));
    await until(async () => (await readdir(scratchRoot)).length === 0);
  });

  it('is found at once when its leases are void', async () => {
    const { jobId } = await addDataset(database.db, store);
    const killed = launch({ workMs: 3_600_000, leaseSeconds: 3600 });
    await until(() => killed.says('"started"'));
    await kill(killed.child);
    await voidLeases(database.db);
    launch({ workMs: 0 });
    await until(async () => await isDone(jobId));
    assert.deepEqual(await publications(), [`${jobId} 2`]);
  });

  it('publishes nothing when it only slept, and wakes up after another did its job', async () => {
    const { jobId } = await addDataset(database.db, store);
    const zombie = launch({ workMs: 2000, listens: false });
    await until(() => zombie.says('"started"'));
    zombie.child.kill('SIGSTOP');
    launch({ workMs: 0 });
    await until(async () => await isDone(jobId));
    zombie.child.kill('SIGCONT');
    await until(() => zombie.says('stale attempt'));
    assert.deepEqual(await publications(), [`${jobId} 2`]);
    assert.equal((await Array.fromAsync(store.keys())).length, 2);
    assert.deepEqual((await checkStore(database.db, store)).damage, []);
  });

  it('hands its job back at SIGTERM and ends', async () => {
    const { jobId } = await addDataset(database.db, store);
    const stopped = launch({ workMs: 3_600_000, leaseSeconds: 3600 });
    await until(() => stopped.says('"started"'));
    const exited = once(stopped.child, 'exit');
    stopped.child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    const { state, worker_deaths } = await readJob(database.db, jobId);
    assert.deepEqual([state, worker_deaths], ['queued', 0]);
    assert.deepEqual(await readdir(scratchRoot), []);
  });

  it('loses no job and doubles none, killed at fifteen random moments', async () => {
    const jobs = [];
    for (let n = 0; n < 40; n += 1) jobs.push((await addDataset(database.db, store)).jobId);
    for (let round = 0; round < 15; round += 1) {
      const { child, says } = launch({ workMs: 100 });
      await until(() => says('"started"'));
      await delay(randomInt(120));
      await kill(child);
      await voidLeases(database.db);
      await sql`update jobs set run_after = now() where state = 'queued'`.execute(database.db);
    }
    assert.ok((await publications()).length < 40, 'the kills came too late to matter');
    launch({ workMs: 10 });
    for (const jobId of jobs) await until(async () => await isDone(jobId));
    const published = (await publications()).map((name) => name.split(' ')[0] ?? '');
    assert.equal(published.length, 40);
    assert.deepEqual(new Set(published), new Set(jobs));
    await until(async () => {
      await sweepObjects(database.db, store);
      await endLateTimes(database.db);
      return (await checkStore(database.db, store)).inFlight.length === 0;
    });
    const report = await checkStore(database.db, store);
    assert.deepEqual(report, { objects: 80, datasets: 40, damage: [], inFlight: [] });
  });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
