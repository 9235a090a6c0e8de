import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openTestDatabase } from '../../test/support/database.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { readPage } from './page.ts';

const { db } = await closeAfterTests(openTestDatabase());
const byCode = db.selectFrom('dataset_groups').selectAll().orderBy('code');

async function read(limit: number, offset: number) {
  return await readPage(byCode, { limit, offset }, ({ code }) => code);
}

async function add(code: string): Promise<void> {
  const group = { id: randomUUID(), code, name: code, description: '' };
  await db.insertInto('dataset_groups').values(group).execute();
}

test('a page has the rows from its offset, and the number of all', async () => {
  assert.deepEqual(await read(2, 0), { rows: [], total: 0 });
  for (const code of ['c', 'a', 'b']) await add(code);
  assert.deepEqual(await read(2, 0), { rows: ['a', 'b'], total: 3 });
  assert.deepEqual(await read(2, 2), { rows: ['c'], total: 3 });
  assert.deepEqual(await read(2, 4), { rows: [], total: 3 });
});

test('rows and their number agree while others are added', async () => {
  const adders = Array.from({ length: 4 }, async (_, adder) => {
    for (let index = 0; index < 25; index += 1) await add(`${adder}-${index}`);
  });
  for (let reads = 0; reads < 25; reads += 1) {
    const { rows, total } = await read(1_000, 0);
    assert.equal(rows.length, total);
  }
  await Promise.all(adders);
});
