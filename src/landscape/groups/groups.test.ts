import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { test } from 'node:test';
import { ensureLandscapeCategory } from './group-rows.ts';
import { seedLandscape } from './seed.ts';
import { findSlotGroup } from './slots.ts';
import { leaves } from '../model/leaves.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { send, sendForm, sendJson } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { fixture } from '../../../test/support/geo/engine.ts';

interface Group {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly sld_filename: string | null;
}

const app = await closeAfterTests(startTestApp({ landscape: true }));
const { db, objectStore } = app.services;
const dem = new File([await openAsBlob(fixture('landscape/golden/dem.tif'))], 'dem.tif');

const isSlot = ({ code }: { readonly code: string }) => code.startsWith('landscape-in-');
const listGroups = async () =>
  (await send<{ data: Group[] }>(app, '/dataset-groups?page_size=100')).body.data;
const remove = async (path: string) => (await send(app, path, { method: 'DELETE' })).status;
const upload = async (code: string) =>
  (await sendForm(app, `/landscape/slots/${code}`, [['file', dem]])).status;
const statuses = async () => [
  (await send(app, '/landscape/slots')).status,
  (await send(app, '/landscape/results')).status,
];
/** Fields of groups that stay equal when a group is made again. */
const facts = (groups: readonly Group[]) =>
  groups.map(({ code, name, description, sld_filename: sld }) => ({ code, name, description, sld }));

test('the right slot is named for a code in another spelling', async () => {
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

test('a run over groups that were deleted fails as over empty slots; seeding brings all back, with names and legends', async () => {
  const seeded = await listGroups();
  assert.equal(seeded.length, 32);
  assert.ok(seeded.every((group) => isSlot(group) === (group.sld_filename === null)));
  for (const { id } of seeded) assert.equal(await remove(`/dataset-groups/${id}`), 204);
  const { body } = await sendJson<{ nodes: { error: string | null }[] }>(
    app,
    'POST',
    '/landscape/runs?dry_run=true',
    {},
  );
  const slots = leaves.map(({ group }) => group).join(', ');
  assert.equal(body.nodes[0]?.error, `no ready raster for input groups: ${slots}`);
  assert.deepEqual(await statuses(), [404, 404]);
  await seedLandscape({ db, objectStore });
  assert.deepEqual(facts(await listGroups()), facts(seeded));
  assert.deepEqual(await statuses(), [200, 200]);
});

test('a missing group makes the list of slots or results 404 until there is one with its code', async () => {
  for (const { id, code, name } of await listGroups()) {
    assert.equal(await remove(`/dataset-groups/${id}`), 204, code);
    assert.deepEqual(await statuses(), isSlot({ code }) ? [404, 200] : [200, 404], code);
    assert.equal(await upload(code), 404, code);
    assert.equal((await sendJson(app, 'POST', '/dataset-groups', { code, name })).status, 201, code);
    assert.deepEqual(await statuses(), [200, 200], code);
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
