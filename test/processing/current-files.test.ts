import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { z } from 'zod';
import { deleteDataset } from '../../src/datasets/delete.ts';
import { createCurrentFiles } from '../../src/datasets/kato-map/current-files.ts';
import { KatoSeries } from '../../src/datasets/kato-map/kato-series.ts';
import type { GeoJsonObjects } from '../../src/datasets/outputs.ts';
import { retireObjects } from '../../src/object-store/ledger.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';
import { startProcessing } from '../support/processing.ts';

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
  const features = ['100000000', '999999999'].map((kato, index) => ({
    type: 'Feature',
    geometry: null,
    properties: { kato, a: index, b: `б${index}` },
  }));
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
  const id = await processing.upload(path, 'vector_with_kato');
  await processing.untilStatus(id, 'awaiting_mapping');
  await remap(id, 'a');
  return id;
}

async function remap(id: string, column: string): Promise<void> {
  const years = [{ column, start_date: '2020-12-31' }];
  await processing.map(id, { kato_column: 'kato', year_columns: years });
  await processing.untilStatus(id, 'ready');
}

/** The content of a file, which is the same in all its forms. */
async function read({ key, encodedKeys: { gzip, br } }: GeoJsonObjects): Promise<unknown> {
  const [plain, zipped, brotli] = await Promise.all(
    [key, gzip ?? '', br ?? ''].map(async (each) => await buffer(await objectStore.read(each))),
  );
  assert.ok(plain !== undefined && zipped !== undefined && brotli !== undefined);
  assert.deepEqual([gunzipSync(zipped), brotliDecompressSync(brotli)], [plain, plain]);
  return JSON.parse(plain.toString());
}

async function namesOn(map: GeoJsonObjects): Promise<string[]> {
  const { features } = Collection.parse(await read(map));
  return features.map(({ properties }) => properties.name);
}

async function valuesIn(series: GeoJsonObjects): Promise<Record<string, unknown>> {
  const { units } = KatoSeries.parse(await read(series));
  return Object.fromEntries(units.map(({ kato_code: code, values }) => [code, values]));
}

async function rename(name: string): Promise<void> {
  await db.updateTable('districts').set({ name }).where('kato_code', '=', '100000000').execute();
}

async function storedKeys(id: string, folder: 'geojson' | 'series'): Promise<string[]> {
  const keys = await Array.fromAsync(objectStore.keys());
  return keys.filter((key) => key.startsWith(`${folder}/${id}/`)).toSorted();
}

async function assertOneIsLeft(id: string, folder: 'geojson' | 'series', { key }: GeoJsonObjects) {
  await eventually('the earlier ones are gone', async () => (await storedKeys(id, folder)).length === 3);
  assert.deepEqual(await storedKeys(id, folder), [key, `${key}.br`, `${key}.gz`]);
  const drafts = await db.selectFrom('objects').select('key').where('state', '=', 'writing').execute();
  assert.deepEqual(drafts, []);
}

/** Twenty requests, of each process the half. */
async function askBoth(ask: (files: typeof one) => Promise<GeoJsonObjects>): Promise<GeoJsonObjects> {
  const asked = Array.from({ length: 20 }, async (_, index) => await ask(index % 2 ? one : other));
  const [first, ...others] = await Promise.all(asked);
  assert.ok(first !== undefined);
  for (const each of others) assert.deepEqual(each, first, 'the slower process takes what the faster made');
  return first;
}

describe('the GeoJSON by KATO', () => {
  test('stays the one it is while the districts do', async () => {
    const id = await mapTable();
    const map = await one.geoJsonKeysOf(id);
    assert.deepEqual(await namesOn(map), ['Абайская']);
    assert.deepEqual(await one.geoJsonKeysOf(id), map);
    assert.deepEqual(await other.geoJsonKeysOf(id), map);
  });

  test('is another one after each change of the districts, for all who ask two processes at once; all of the old one goes', async () => {
    const id = await mapTable();
    let before = await one.geoJsonKeysOf(id);
    for (const name of ['имя', 'Абайская']) {
      await rename(name);
      const map = await askBoth(async (files) => await files.geoJsonKeysOf(id));
      assert.notEqual(map.key, before.key);
      assert.deepEqual(await namesOn(map), [name]);
      await assertOneIsLeft(id, 'geojson', map);
      before = map;
    }
  });

  test('shows a code that had no unit as soon as there is one', async () => {
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

  test('that was written before there were encoded forms gets them with the next change of the districts', async () => {
    const id = await mapTable();
    const { encodedKeys } = await one.geoJsonKeysOf(id);
    await db.transaction().execute(async (trx) => {
      const encoded = Object.values(encodedKeys);
      await trx.deleteFrom('dataset_files').where('object_key', 'in', encoded).execute();
      await retireObjects(trx, encoded);
    });
    assert.deepEqual((await one.geoJsonKeysOf(id)).encodedKeys, { gzip: null, br: null });
    await rename('снова');
    const map = await one.geoJsonKeysOf(id);
    assert.deepEqual(await namesOn(map), ['снова']);
    await assertOneIsLeft(id, 'geojson', map);
  });

  test('is made once for many who ask one process', async () => {
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
});

describe('series', () => {
  test('are made on request, and again after a change of the districts and after a mapping', async () => {
    const id = await mapTable();
    assert.deepEqual(await storedKeys(id, 'series'), []);
    const before = await askBoth(async (files) => await files.seriesKeysOf(id));
    assert.deepEqual(await read(before), {
      dates: [{ start_date: '2020-12-31', end_date: null }],
      units: [{ kato_code: '100000000', values: [0] }],
      without_district: { codes: 1, rows: 1 },
    });
    await assertOneIsLeft(id, 'series', before);
    const units = await db.deleteFrom('districts').returningAll().execute();
    const fewer = KatoSeries.parse(await read(await other.seriesKeysOf(id)));
    assert.deepEqual([fewer.units, fewer.without_district], [[], { codes: 2, rows: 2 }]);
    await db.insertInto('districts').values(units).execute();
    assert.deepEqual(await valuesIn(await one.seriesKeysOf(id)), { '100000000': [0] });
    await remap(id, 'b');
    await eventually('the earlier ones are gone', async () => (await storedKeys(id, 'series')).length === 0);
    const after = await one.seriesKeysOf(id);
    assert.deepEqual(await valuesIn(after), { '100000000': ['б0'] });
    await assertOneIsLeft(id, 'series', after);
  });

  test('are none while a table is mapped again, and when that has failed', async () => {
    const id = await mapTable();
    await one.seriesKeysOf(id);
    for (const status of ['extracting', 'failed'] as const) {
      await db.updateTable('datasets').set({ status }).where('id', '=', id).execute();
      await assert.rejects(one.seriesKeysOf(id), {
        code: 'conflict',
        message: new RegExp(`^the dataset is ${status}`),
      });
    }
  });
});

test('a dataset that is deleted meanwhile is gone, and so are its objects', async () => {
  const id = await mapTable();
  await rename('прощай');
  const asked = await Promise.allSettled([
    one.geoJsonKeysOf(id),
    one.seriesKeysOf(id),
    deleteDataset({ db, objectStore }, id),
  ]);
  for (const each of asked)
    if (each.status === 'rejected') assert.match(String(each.reason), /no such dataset/);
  for (const folder of ['geojson', 'series'] as const)
    await eventually('no object is left', async () => (await storedKeys(id, folder)).length === 0);
});
