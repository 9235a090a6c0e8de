import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { z } from 'zod';
import { createCurrentFiles } from '../../src/datasets/kato-map/current-files.ts';
import { deleteDataset } from '../../src/datasets/delete.ts';
import type { GeoJsonObjects } from '../../src/datasets/outputs.ts';
import { retireObjects } from '../../src/object-store/ledger.ts';
import { eventually } from '../support/processes.ts';
import { startProcessing } from '../support/processing.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const processing = await closeAfterTests(startProcessing());
const { db, objectStore } = processing;
/** Two processes share nothing but database and store. */
const [one, other] = [createCurrentFiles({ db, objectStore }), createCurrentFiles({ db, objectStore })];

const Collection = z.object({
  features: z.array(z.object({ properties: z.object({ kato: z.string(), name: z.string() }) })),
});

/** A mapped table of Abai region and of an unknown unit. */
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

/** The names on a map, which is the same in all its forms. */
async function namesOn({ key, encodedKeys: { gzip, br } }: GeoJsonObjects): Promise<string[]> {
  const [plain, zipped, brotli] = await Promise.all(
    [key, gzip ?? '', br ?? ''].map(async (each) => await buffer(await objectStore.read(each))),
  );
  assert.ok(plain !== undefined && zipped !== undefined && brotli !== undefined);
  assert.deepEqual([gunzipSync(zipped), brotliDecompressSync(brotli)], [plain, plain]);
  const { features } = Collection.parse(JSON.parse(plain.toString()));
  return features.map(({ properties }) => properties.name);
}

async function rename(name: string): Promise<void> {
  await db.updateTable('districts').set({ name }).where('kato_code', '=', '100000000').execute();
}

async function storedKeys(id: string): Promise<string[]> {
  const keys = await Array.fromAsync(objectStore.keys());
  return keys.filter((key) => key.startsWith(`geojson/${id}/`)).toSorted();
}

test('the GeoJSON by KATO stays the one it is while the districts do', async () => {
  const id = await mapTable();
  const map = await one.geoJsonKeysOf(id);
  assert.deepEqual(await namesOn(map), ['Абайская']);
  assert.deepEqual(await one.geoJsonKeysOf(id), map);
  assert.deepEqual(await other.geoJsonKeysOf(id), map);
});

test('after a change of the districts, whichever process made it, the next request gets a new map; all of the old one goes', async () => {
  const id = await mapTable();
  const before = await one.geoJsonKeysOf(id);
  await rename('Абай');
  const map = await one.geoJsonKeysOf(id);
  assert.notEqual(map.key, before.key);
  assert.deepEqual(await namesOn(map), ['Абай']);
  await eventually('the old map is gone', async () => (await storedKeys(id)).length === 3);
  assert.deepEqual(await storedKeys(id), [map.key, `${map.key}.br`, `${map.key}.gz`]);
  await rename('Абайская');
  assert.deepEqual(await namesOn(await one.geoJsonKeysOf(id)), ['Абайская']);
});

test('a code that had no unit shows as soon as there is one', async () => {
  const id = await mapTable();
  assert.deepEqual(await namesOn(await one.geoJsonKeysOf(id)), ['Абайская']);
  await sql`insert into districts (kato_code, level, name, geometry)
    select '999999999', 'district', 'Новый', geometry from districts where kato_code = '100000000'`.execute(
    db,
  );
  assert.deepEqual(await namesOn(await one.geoJsonKeysOf(id)), ['Абайская', 'Новый']);
  await sql`truncate districts`.execute(db);
  assert.deepEqual(await namesOn(await one.geoJsonKeysOf(id)), []);
  await sql`insert into districts (kato_code, level, name, geometry)
    values ('100000000', 'region', 'Абайская', '{"type":"Polygon","coordinates":[]}')`.execute(db);
  assert.deepEqual(await namesOn(await one.geoJsonKeysOf(id)), ['Абайская']);
});

test('many who ask two processes at once all get current maps, and one stays', async () => {
  const id = await mapTable();
  for (const round of [1, 2, 3]) {
    await rename(`имя ${round}`);
    const asked = Array.from(
      { length: 20 },
      async (_, index) => await (index % 2 ? one : other).geoJsonKeysOf(id),
    );
    const [map, ...others] = await Promise.all(asked);
    assert.ok(map !== undefined);
    for (const each of others)
      assert.deepEqual(each, map, 'the slower process takes what the faster one made');
    assert.deepEqual(await namesOn(map), [`имя ${round}`]);
  }
  await eventually('one map is left', async () => (await storedKeys(id)).length === 3);
  const drafts = await db.selectFrom('objects').select('key').where('state', '=', 'writing').execute();
  assert.deepEqual(drafts, []);
});

test('a map that was written before there were encoded forms gets them with the next change of the districts', async () => {
  const id = await mapTable();
  const { encodedKeys } = await one.geoJsonKeysOf(id);
  await db.transaction().execute(async (trx) => {
    const none = { geojson_gzip_storage_key: null, geojson_br_storage_key: null };
    await trx.updateTable('datasets').set(none).where('id', '=', id).execute();
    await retireObjects(trx, Object.values(encodedKeys));
  });
  assert.deepEqual((await one.geoJsonKeysOf(id)).encodedKeys, { gzip: null, br: null });
  await rename('снова');
  const map = await one.geoJsonKeysOf(id);
  assert.deepEqual(await namesOn(map), ['снова']);
  await eventually('its forms alone are left', async () => (await storedKeys(id)).length === 3);
});

test('a dataset that is deleted meanwhile is gone, and so are its objects', async () => {
  const id = await mapTable();
  await rename('прощай');
  const [asked] = await Promise.allSettled([one.geoJsonKeysOf(id), deleteDataset({ db, objectStore }, id)]);
  if (asked.status === 'rejected') assert.match(String(asked.reason), /no such dataset/);
  await eventually('no object is left', async () => (await storedKeys(id)).length === 0);
});

test('many who ask one process for an outdated map have it made once', async () => {
  const id = await mapTable();
  let puts = 0;
  const counting: typeof objectStore = {
    ...objectStore,
    async put(...sent) {
      puts += 1;
      await objectStore.put(...sent);
    },
  };
  const { geoJsonKeysOf } = createCurrentFiles({ db, objectStore: counting });
  await rename('once');
  await Promise.all(Array.from({ length: 20 }, async () => await geoJsonKeysOf(id)));
  assert.equal(puts, 3, 'as it is, in gzip and in br');
});
