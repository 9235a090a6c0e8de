import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedDistricts } from '../import.ts';
import { readVersions } from '../../database/districts-version.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const { db } = await closeAfterTests(openTestDatabase('migrated'));
const unit = { level: 'district', name: 'Аудан', geometry: '{"type":"Polygon","coordinates":[]}' } as const;
const sinceOf = async (code: string) => {
  const query = db.selectFrom('districts').select('valid_from').where('kato_code', '=', code);
  return (await query.executeTakeFirstOrThrow()).valid_from;
};

test('a database of an earlier release gets the history at its next start, and nothing is counted again for it', async () => {
  await db.insertInto('milestones').values({ name: 'districts-seeded' }).execute();
  // Existing units stay as they are.
  await db
    .insertInto('districts')
    .values([
      { ...unit, kato_code: '333200000' },
      { ...unit, kato_code: '9' },
    ])
    .execute();
  const before = await readVersions(db);
  await seedDistricts(db);
  const after = await readVersions(db);
  assert.equal(after.version, before.version, 'of maps and areas');
  assert.ok(after.history > before.history, 'of series');
  assert.deepEqual([await sinceOf('333200000'), await sinceOf('9')], ['2022-06-08', null]);
  const former = await db.selectFrom('former_districts').select('geometry').execute();
  assert.ok(former.length > 60 && former.every(({ geometry }) => geometry === null));
  await seedDistricts(db);
  assert.deepEqual(await readVersions(db), after, 'once');
});

test('a change of the land of a unit moves the version of the districts, a change of its days does not', async () => {
  const before = await readVersions(db);
  await db.updateTable('districts').set({ valid_from: '2024-01-01' }).where('kato_code', '=', '9').execute();
  const dated = await readVersions(db);
  assert.deepEqual([dated.version, dated.history], [before.version, before.history + 1]);
  await db.updateTable('districts').set({ name: 'Басқа' }).where('kato_code', '=', '9').execute();
  assert.equal((await readVersions(db)).version, before.version + 1);
  await assert.rejects(db.updateTable('districts').set({ valid_to: '2023-01-01' }).execute(), /days/);
});
