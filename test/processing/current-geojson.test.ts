import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';
import { createCurrentGeoJson } from '../../src/datasets/kato-map/current-geojson.ts';
import { deleteDataset } from '../../src/datasets/delete.ts';
import { eventually } from '../support/processes.ts';
import { startProcessing } from '../support/processing.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const processing = await closeAfterTests(startProcessing());
const { db, objectStore } = processing;
/** Two processes share nothing but database and store. */
const [one, other] = [createCurrentGeoJson({ db, objectStore }), createCurrentGeoJson({ db, objectStore })];

const Collection = z.object({
  features: z.array(z.object({ properties: z.object({ kato: z.string(), name: z.string() }) })),
});

/** A mapped table of Abai region and of a unit that nobody knows. */
async function mapTable(): Promise<string> {
  const path = join(processing.folder, 'table.geojson');
  const rows = ['100000000', '999999999'].map((kato) => ({
    type: 'Feature',
    geometry: null,
    properties: { kato, y2020: 1 },
  }));
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features: rows }));
  const id = await processing.upload(path, 'vector_with_kato');
  await processing.untilStatus(id, 'awaiting_mapping');
  const years = [{ column: 'y2020', start_date: '2020-12-31' }];
  await processing.map(id, { kato_column: 'kato', year_columns: years });
  await processing.untilStatus(id, 'ready');
  return id;
}

async function namesAt(key: string): Promise<string[]> {
  const { features } = Collection.parse(JSON.parse(await text(await objectStore.read(key))));
  return features.map(({ properties }) => properties.name);
}

async function rename(name: string): Promise<void> {
  await db.updateTable('districts').set({ name }).where('kato_code', '=', '100000000').execute();
}

async function keysOf(id: string): Promise<string[]> {
  const keys = await Array.fromAsync(objectStore.keys());
  return keys.filter((key) => key.startsWith(`geojson/${id}/`));
}

test('the GeoJSON by KATO stays the object it is while the districts do', async () => {
  const id = await mapTable();
  const key = await one.keyOf(id);
  assert.deepEqual(await namesAt(key), ['Абайская']);
  assert.equal(await one.keyOf(id), key);
  assert.equal(await other.keyOf(id), key);
});

test('after a change of the districts, whoever made it, the next request gets a new object; the old one goes', async () => {
  const id = await mapTable();
  const before = await one.keyOf(id);
  await rename('Абай');
  const key = await one.keyOf(id);
  assert.notEqual(key, before);
  assert.deepEqual(await namesAt(key), ['Абай']);
  await eventually('the old object is gone', async () => (await keysOf(id)).length === 1);
  assert.deepEqual(await keysOf(id), [key]);
  await rename('Абайская');
  assert.deepEqual(await namesAt(await one.keyOf(id)), ['Абайская']);
});

test('a code that had no unit shows as soon as there is one', async () => {
  const id = await mapTable();
  assert.deepEqual(await namesAt(await one.keyOf(id)), ['Абайская']);
  await sql`insert into districts (kato_code, level, name, geometry)
    select '999999999', 'district', 'Новый', geometry from districts where kato_code = '100000000'`.execute(
    db,
  );
  assert.deepEqual(await namesAt(await one.keyOf(id)), ['Абайская', 'Новый']);
  await sql`truncate districts`.execute(db);
  assert.deepEqual(await namesAt(await one.keyOf(id)), []);
  await sql`insert into districts (kato_code, level, name, geometry)
    values ('100000000', 'region', 'Абайская', '{"type":"Polygon","coordinates":[]}')`.execute(db);
  assert.deepEqual(await namesAt(await one.keyOf(id)), ['Абайская']);
});

test('many who ask two processes at once all get current maps, and one object stays', async () => {
  const id = await mapTable();
  for (const round of [1, 2, 3]) {
    await rename(`имя ${round}`);
    const asked = Array.from({ length: 20 }, async (_, index) => await (index % 2 ? one : other).keyOf(id));
    const keys = new Set(await Promise.all(asked));
    assert.equal(keys.size, 1, 'the slower process takes what the faster one made');
    for (const key of keys) assert.deepEqual(await namesAt(key), [`имя ${round}`]);
  }
  await eventually('one object is left', async () => (await keysOf(id)).length === 1);
  const drafts = await db.selectFrom('objects').select('key').where('state', '=', 'writing').execute();
  assert.deepEqual(drafts, []);
});

test('a dataset that is deleted meanwhile is gone, and so are its objects', async () => {
  const id = await mapTable();
  await rename('прощай');
  const [asked] = await Promise.allSettled([one.keyOf(id), deleteDataset({ db, objectStore }, id)]);
  if (asked.status === 'rejected') assert.match(String(asked.reason), /no such dataset/);
  await eventually('no object is left', async () => (await keysOf(id)).length === 0);
});
