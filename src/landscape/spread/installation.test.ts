import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/database.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { installationOf } from './passes.ts';

const { db } = await closeAfterTests(openTestDatabase());

test('an installation has one name, whichever worker asks first, and a restored copy another', async () => {
  const [name = '', ...others] = await Promise.all(
    Array.from({ length: 4 }, async () => await installationOf(db)),
  );
  assert.deepEqual(others, [name, name, name]);
  assert.match(name, /^[0-9a-f]{16}$/);
  await sql`vacuum full installations`.execute(db);
  assert.equal(await installationOf(db), name);
  // Simulates the restore of a dump: the same values in other rows.
  await sql`create table copied as select * from installations`.execute(db);
  await sql`truncate installations`.execute(db);
  await sql`insert into installations select * from copied`.execute(db);
  const copy = await installationOf(db);
  assert.notEqual(copy, name);
  assert.equal(await installationOf(db), copy);
  await sql`drop table copied`.execute(db);
});
