import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/support/database.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { voidLeases } from '../../jobs/ledger.ts';
import { forgetKeys, takeKey } from './keys.ts';

const { db } = await closeAfterTests(openTestDatabase());

const answer = { status: 201, location: '/datasets/1', body: '{"id":"1"}' };
const fingerprint = Buffer.alloc(32, 1);
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

/** Claims a new key and stores its answer, `hours` ago. */
async function answered(hours = 0): Promise<Buffer> {
  const id = randomBytes(32);
  await db
    .insertInto('idempotency_keys')
    .values({
      id,
      claim: '0190c8f0-0000-7000-8000-00000000000a',
      lease_until: null,
      fingerprint,
      ...answer,
      created_at: hoursAgo(hours),
    })
    .execute();
  return id;
}

const isKept = async (id: Buffer): Promise<boolean> =>
  (await db.selectFrom('idempotency_keys').select('id').where('id', '=', id).execute()).length === 1;

test('a day-old answer is forgotten, and is none before the sweep either', async () => {
  const [old, recent] = [await answered(25), await answered(23)];
  assert.equal((await takeKey(db, old)).state, 'claimed');
  const stale = await answered(25);
  assert.equal(await forgetKeys(db), 1);
  assert.deepEqual([await isKept(stale), await isKept(recent), await isKept(old)], [false, true, true]);
});

test('of more answers than are kept, the oldest are forgotten', async () => {
  const ids = [await answered(3), await answered(2), await answered(1)];
  assert.equal(await forgetKeys(db, 2), 2);
  assert.deepEqual(await Promise.all(ids.map(isKept)), [false, true, true]);
});

test('a key under way is not forgotten, and can be taken when the leases of a dead service are void', async () => {
  const id = randomBytes(32);
  const first = await takeKey(db, id);
  assert.ok(first.state === 'claimed');
  await db
    .updateTable('idempotency_keys')
    .set({ created_at: hoursAgo(48) })
    .where('id', '=', id)
    .execute();
  await forgetKeys(db, 0);
  await assert.rejects(takeKey(db, id), /is under way/);
  await voidLeases(db);
  assert.equal((await takeKey(db, id)).state, 'claimed');
  const keep = db.transaction().execute(async (trx) => await first.keep(trx, answer, fingerprint));
  await assert.rejects(keep, /is under way/);
});

test('an answer is kept with what was made, or not at all', async () => {
  const id = randomBytes(32);
  const taken = await takeKey(db, id);
  assert.ok(taken.state === 'claimed');
  const failing = db.transaction().execute(async (trx) => {
    await taken.keep(trx, answer, fingerprint);
    throw new Error('the commit fails');
  });
  await assert.rejects(failing, /the commit fails/);
  await assert.rejects(takeKey(db, id), /is under way/);
  await db.transaction().execute(async (trx) => await taken.keep(trx, answer, fingerprint));
  await taken[Symbol.asyncDispose]();
  assert.deepEqual(await takeKey(db, id), { state: 'answered', answer, fingerprint });
});
