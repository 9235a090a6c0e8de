import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openTestDatabase } from '../support/database.ts';
import { until } from '../support/jobs.ts';

const database = await openTestDatabase();
const program = fileURLToPath(new URL('./leading-program.ts', import.meta.url));
const running = new Set<ChildProcess>();
/** The process that did the work last, and the number of times for each process. */
const worked = new Map<ChildProcess, number>();
let leader: ChildProcess | undefined;
after(async () => {
  for (const child of running) child.kill('SIGKILL');
  await database.close();
});

async function start(): Promise<ChildProcess> {
  const child = fork(program, [JSON.stringify(database.target)]);
  running.add(child);
  child.on('message', () => {
    leader = child;
    worked.set(child, (worked.get(child) ?? 0) + 1);
  });
  await once(child, 'spawn');
  return child;
}

async function findLeader(except?: ChildProcess): Promise<ChildProcess> {
  leader = undefined;
  await until(() => leader !== undefined && leader !== except);
  assert.ok(leader !== undefined);
  return leader;
}

test('a leader that is killed or frozen is replaced, and one that is thawed follows', async () => {
  for (let count = 0; count < 3; count += 1) await start();
  for (let round = 0; round < 10; round += 1) {
    const first = await findLeader();
    if (round % 2 === 0) {
      first.kill('SIGKILL');
      running.delete(first);
      await start();
      await findLeader(first);
      continue;
    }
    first.kill('SIGSTOP');
    await delay(100);
    await findLeader(first);
    first.kill('SIGCONT');
    await delay(500); // for the work that it may have begun before
    worked.clear();
    await delay(1500);
    assert.equal(worked.size, 1, 'one alone does the work');
    assert.ok(!worked.has(first));
  }
});
