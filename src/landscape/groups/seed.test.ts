import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Category, DatasetGroupInput } from '../../catalogue/schema.ts';
import { getDatasetGroup, deleteDatasetGroup, updateDatasetGroup } from '../../catalogue/dataset-groups.ts';
import { startSeeding } from '../../runtime/prepare.ts';
import { underMigrationLock } from '../../database/migrate.ts';
import { getStyleKey, replaceStyle } from '../../maps/styles/styles.ts';
import { compileSld, compileStyle } from '../../../common/maps/style/sld-compile.ts';
import { nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import { legendSld } from './results.ts';
import { seedLandscape, seedOutputGroups } from './seed.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { createRecordingLog } from '../../../test/support/jobs.ts';
import { eventually } from '../../../test/support/processes.ts';
import { groupId } from '../../../test/support/geo/rasters.ts';
import { openTestStore } from '../../../test/support/store.ts';

const database = await closeAfterTests(openTestDatabase());
const objectStore = await closeAfterTests(openTestStore());
const { db } = database;

/** Empties the database and the store. */
async function reset(): Promise<void> {
  await sql`truncate categories, dataset_groups, objects, compiled_styles cascade`.execute(db);
  await objectStore.empty();
}

const inputs = leaves.map(({ group }) => group);
const outputs = nodes.map(({ output }) => output.group);

async function seed(): Promise<void> {
  await seedLandscape({ db, objectStore });
}

async function compiledKeys(): Promise<readonly string[]> {
  const rows = await db.selectFrom('compiled_styles').select('sld_storage_key').execute();
  return rows.map(({ sld_storage_key: key }) => key).toSorted();
}

/** Everything that seeding could change. */
async function state() {
  return {
    categories: await db.selectFrom('categories').selectAll().orderBy('code').execute(),
    groups: await db.selectFrom('dataset_groups').selectAll().orderBy('code').execute(),
    ledger: await db.selectFrom('objects').select(['key', 'state']).orderBy('key').execute(),
    stored: (await Array.fromAsync(objectStore.keys())).toSorted(),
  };
}

test('a fresh database gets the category, and a group for each slot and output, which people can make sense of', async () => {
  await seed();
  const { categories, groups } = await state();
  assert.deepEqual(
    categories.map(({ code, parent_id }) => [code, parent_id]),
    [['landscape', null]],
  );
  assert.deepEqual(
    groups.map(({ code }) => code),
    [...inputs, ...outputs].toSorted(),
  );
  assert.equal(groups.length, 13 + 19);
  for (const { code, name, description } of groups) {
    assert.ok(DatasetGroupInput.safeParse({ code, name, description }).success, code);
    assert.ok(description.length > 40, code);
  }
  assert.equal(new Set(groups.map(({ name }) => name)).size, groups.length);
  assert.ok(Category.shape.name.safeParse(categories[0]?.name).success);
});

test('an output group shares its legend as style; input groups have none', async () => {
  await seed();
  for (const node of nodes) {
    const id = await groupId(db, node.output.group);
    const key = await getStyleKey(db, { table: 'dataset_groups', id });
    const sld = await text(await objectStore.read(key));
    assert.equal(sld, legendSld(node));
    compileSld(sld);
    const { sld_filename, sld_content_type } = await getDatasetGroup(db, id);
    assert.deepEqual([sld_filename, sld_content_type], [`${node.output.group}.sld`, 'application/xml']);
  }
  const { groups, ledger, stored } = await state();
  assert.ok(
    groups.every(({ code, sld_storage_key }) => inputs.includes(code) === (sld_storage_key === null)),
  );
  assert.equal(stored.length, 19);
  assert.deepEqual(
    ledger,
    stored.map((key) => ({ key, state: 'live' })),
  );
});

test('seeding again changes nothing, whatever people have made of the groups', async () => {
  await seed();
  const slope = await groupId(db, 'landscape-01-slope');
  await updateDatasetGroup(db, slope, { code: 'landscape-01-slope', name: 'Наклон', description: '' });
  const sld = Buffer.from('<StyledLayerDescriptor/>');
  const file = { filename: 'own.sld', mediaType: undefined, bytes: sld };
  const styling = { db, objectStore, compileStyle: async (text: string) => compileStyle(text) };
  await replaceStyle(styling, { table: 'dataset_groups', id: slope }, { file, problems: {} });
  await db.updateTable('categories').set({ name: 'Ландшафт' }).where('code', '=', 'landscape').execute();
  const before = await state();
  await seed();
  assert.deepEqual(await state(), before);
  assert.equal((await getDatasetGroup(db, slope)).sld_filename, 'own.sld');
});

test('many instances that seed at once make everything once, and leave nothing else', async () => {
  await reset();
  await Promise.all(Array.from({ length: 4 }, seed));
  const { categories, groups, ledger, stored } = await state();
  assert.deepEqual([categories.length, groups.length, stored.length], [1, 32, 19]);
  assert.deepEqual(
    ledger,
    stored.map((key) => ({ key, state: 'live' })),
  );
  assert.deepEqual(groups.flatMap(({ sld_storage_key }) => sld_storage_key ?? []).toSorted(), stored);
  assert.deepEqual(await compiledKeys(), stored, 'each legend is compiled');
});

test('whatever was deleted is made again, and only that', async () => {
  await seed();
  const before = await state();
  const idsOf = ({ groups }: typeof before) => new Map(groups.map(({ code, id }) => [code, id]));
  for (const remainder of [0, 1]) {
    const ids = idsOf(await state());
    const gone = [...inputs, ...outputs].filter((_, index) => index % 2 === remainder);
    for (const code of gone) await deleteDatasetGroup(db, ids.get(code) ?? '');
    await seed();
    const kept = idsOf(await state());
    assert.deepEqual(
      [...ids].filter(([code, id]) => kept.get(code) !== id).map(([code]) => code),
      gone.toSorted(),
    );
  }
  await db.deleteFrom('categories').execute();
  await seed();
  const after = await state();
  const texts = ({ groups }: typeof before) =>
    groups.map(({ code, name, description, sld_filename }) => [code, name, description, sld_filename]);
  assert.deepEqual(texts(after), texts(before));
  assert.equal(after.categories.length, 1);
});

test('before a run publishes, output groups alone can be made again', async () => {
  await seed();
  await deleteDatasetGroup(db, await groupId(db, 'landscape-in-dem'));
  await deleteDatasetGroup(db, await groupId(db, 'landscape-34-functional-zoning'));
  await seedOutputGroups({ db, objectStore });
  const codes = (await state()).groups.map(({ code }) => code);
  assert.ok(codes.includes('landscape-34-functional-zoning'));
  assert.ok(!codes.includes('landscape-in-dem'));
});

test('when the store fails the input groups are there all the same, and nothing of the others', async () => {
  await reset();
  let puts = 0;
  const full: ObjectStore = {
    ...objectStore,
    async put(key, body) {
      if ((puts += 1) > 3) throw new Error('no space left');
      await objectStore.put(key, body);
    },
  };
  await assert.rejects(seedLandscape({ db, objectStore: full }), /no space left/);
  const { groups, ledger, stored } = await state();
  assert.deepEqual(
    groups.map(({ code }) => code),
    inputs.toSorted(),
  );
  assert.deepEqual([ledger, stored], [[], []]);
});

test('a store that hangs does not hold the lock of migrations', async () => {
  await reset();
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  let puts = 0;
  const hanging: ObjectStore = {
    ...objectStore,
    async put(key, body) {
      puts += 1;
      await freed;
      await objectStore.put(key, body);
    },
  };
  const seeding = seedLandscape({ db, objectStore: hanging });
  await eventually('it hangs', async () => puts > 0);
  assert.equal(await underMigrationLock(db, async () => 'locked'), 'locked');
  free();
  await seeding;
  assert.equal((await state()).groups.length, 32);
});

test('a service seeds again until it works, and says when it has', async () => {
  await reset();
  let isAway = true;
  const store: ObjectStore = {
    ...objectStore,
    async put(key, body) {
      if (isAway) throw new Error('the store is away');
      await objectStore.put(key, body);
    },
  };
  const shutdown = new AbortController();
  const { log, events } = createRecordingLog();
  const seeding = await startSeeding({ db, objectStore: store }, log, shutdown.signal);
  assert.equal(seeding.state(), 'database');
  assert.ok(events.length > 0 && events.every(({ message }) => /cannot be seeded yet/.test(message)));
  isAway = false;
  await eventually('seeded', async () => seeding.state() === 'done');
  assert.equal((await state()).groups.length, 32);
  shutdown.abort();
  await seeding.close();
});

test('a service that shuts down stops trying', async () => {
  await reset();
  let puts = 0;
  const store: ObjectStore = {
    ...objectStore,
    async put() {
      puts += 1;
      throw new Error('the store is away');
    },
  };
  const shutdown = new AbortController();
  const { log } = createRecordingLog();
  const seeding = await startSeeding({ db, objectStore: store }, log, shutdown.signal);
  shutdown.abort();
  await seeding.close();
  const before = puts;
  await sleep(1500);
  assert.equal(puts, before);
});
