import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ensureLandscapeCategory } from '../../src/landscape/groups/group-rows.ts';
import { seedLandscape } from '../../src/landscape/groups/seed.ts';
import { findSlotGroup } from '../../src/landscape/groups/slots.ts';
import { openTestDatabase } from '../support/database.ts';
import { openTestStore } from '../support/store.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const { db } = await closeAfterTests(openTestDatabase());
const objectStore = await closeAfterTests(openTestStore());
await seedLandscape({ db, objectStore });

test('slots are named to who writes a code otherwise', async () => {
  for (const [code, meant] of [
    ['dem', 'landscape-in-dem'],
    ['DEM', 'landscape-in-dem'],
    ['landscape-dem', 'landscape-in-dem'],
    ['land_cover', 'landscape-in-land-cover'],
    ['Landscape in Land Cover', 'landscape-in-land-cover'],
  ] as const) {
    const message = `there is no such slot; did you mean ${meant}? GET /landscape/slots lists them all`;
    await assert.rejects(findSlotGroup(db, code), { name: 'Problem', code: 'not_found', message }, code);
  }
});

test('the category is made when it is needed, once, and otherwise left as it is', async () => {
  const id = await ensureLandscapeCategory(db);
  await db.updateTable('categories').set({ name: 'Ours' }).where('id', '=', id).execute();
  assert.equal(await ensureLandscapeCategory(db), id);
  const { name } = await db
    .selectFrom('categories')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  assert.equal(name, 'Ours');
  await db.deleteFrom('categories').where('id', '=', id).execute();
  const made = await Promise.all(Array.from({ length: 5 }, async () => await ensureLandscapeCategory(db)));
  assert.equal(new Set(made).size, 1);
  assert.notEqual(made[0], id);
});
