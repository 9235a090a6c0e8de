import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '../../test/support/database.ts';
import { createRecordingLog, until } from '../../test/support/jobs.ts';
import { startLeading } from './lease.ts';

const database = await openTestDatabase();
after(async () => await database.close());
const { db } = database;
const timing = { everyMs: 20, lookEveryMs: 400, leaseMs: 150 };

interface Worker {
  /** Pieces of work that it has begun. */
  begun: number;
  close(): Promise<void>;
}

function start(name: string, work: () => Promise<void> = async () => undefined): Worker {
  const { log } = createRecordingLog();
  const worker: Worker = {
    begun: 0,
    ...startLeading(db, log, {
      name,
      timing,
      work: async () => {
        worker.begun += 1;
        await work();
      },
    }),
  };
  return worker;
}

test('one of several does the work, another when that one has ended', async () => {
  const first = start('ended');
  await until(() => first.begun > 0);
  const others = [start('ended'), start('ended')];
  const begun = first.begun;
  await until(() => first.begun > begun + 10);
  assert.deepEqual(
    others.map((other) => other.begun),
    [0, 0],
  );
  await first.close();
  await until(() => others.some((other) => other.begun > 3));
  assert.equal(others.filter((other) => other.begun > 0).length, 1);
  for (const other of others) await other.close();
});

test('one that hangs in its work is replaced, and follows once it goes on', async () => {
  const goOn = Promise.withResolvers<void>();
  const hanging = start('hanging', async () => await goOn.promise);
  await until(() => hanging.begun === 1);
  const other = start('hanging');
  await until(() => other.begun > 3);
  goOn.resolve();
  const begun = other.begun;
  await until(() => other.begun > begun + 5);
  assert.equal(hanging.begun, 1);
  await hanging.close();
  const led = other.begun;
  await until(() => other.begun > led + 3); // its lease was not the one that was given back
  await other.close();
});
