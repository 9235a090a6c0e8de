import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '../../test/support/database.ts';
import { createRecordingLog, until } from '../../test/support/jobs.ts';
import { startLeading } from './lease.ts';

const database = await openTestDatabase();
after(async () => await database.close());
const { db } = database;
/** Longer than any pause of a busy machine: no holder loses its lease. */
const firm = { everyMs: 20, pollEveryMs: 400, leaseMs: 600_000 };
/** Expires while its holder hangs. */
const short = { ...firm, leaseMs: 150 };

/** Starts a leader; `begun` counts its runs of `work`. */
function start(name: string, { timing = firm, work = async (): Promise<void> => undefined } = {}) {
  const { log } = createRecordingLog();
  const worker = {
    begun: 0,
    ...startLeading(db, log, {
      name,
      timing,
      work: async () => {
        worker.begun += 1;
        await work();
      },
    }),
    [Symbol.asyncDispose]: async (): Promise<void> => await worker.close(),
  };
  return worker;
}

test('one of several does the work, another when that one has ended', async () => {
  await using first = start('ended');
  await until(() => first.begun > 0);
  await using second = start('ended');
  await using third = start('ended');
  const others = [second, third];
  const begun = first.begun;
  await until(() => first.begun > begun + 10);
  assert.deepEqual(
    others.map((other) => other.begun),
    [0, 0],
  );
  await first.close();
  await until(() => others.some((other) => other.begun > 3));
  assert.equal(others.filter((other) => other.begun > 0).length, 1);
});

test('one that hangs in its work is replaced, and follows once it goes on', async () => {
  const goOn = Promise.withResolvers<void>();
  await using hanging = start('hanging', { timing: short, work: async () => await goOn.promise });
  await until(() => hanging.begun === 1);
  await using other = start('hanging');
  await until(() => other.begun > 3);
  goOn.resolve();
  const begun = other.begun;
  await until(() => other.begun > begun + 5);
  assert.equal(hanging.begun, 1);
  await hanging.close();
  const led = other.begun;
  await until(() => other.begun > led + 3); // its lease was not the one that was released
});
