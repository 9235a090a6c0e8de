import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { pino } from 'pino';
import { openTestDatabase } from '../../../test/support/database.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { eventually } from '../../../test/support/processes.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { startTidying } from './tidying.ts';

const { db } = await closeAfterTests(openTestDatabase());
const objectStore = await closeAfterTests(openTestStore());
const long = new Date(0);

test('old keys of requests and expired uploads go by themselves', async () => {
  const key = { id: randomBytes(32), claim: randomUUID(), fingerprint: Buffer.alloc(32), created_at: long };
  const answer = { status: 201, location: '/datasets/1', body: '{}', lease_until: null };
  await db
    .insertInto('idempotency_keys')
    .values({ ...key, ...answer })
    .execute();
  const upload = { id: randomUUID(), metadata: '', length: 9, expires_at: long };
  await db.insertInto('uploads').values(upload).execute();
  const parts = { db, objectStore, resultMakers: [], uploadLimits: { expirySeconds: 60 } };
  await using _tidying = { [Symbol.asyncDispose]: startTidying(parts, pino({ level: 'silent' }), 20).close };
  await eventually('nothing old is left', async () => {
    const keys = await db.selectFrom('idempotency_keys').select('id').execute();
    const open = await db.selectFrom('uploads').select('id').where('ended_at', 'is', null).execute();
    return keys.length + open.length === 0;
  });
});
