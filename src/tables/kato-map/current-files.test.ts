import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createCurrentFiles } from './current-files.ts';
import { KatoSeries } from './kato-series.ts';
import { deleteDataset } from '../../datasets/deletion/delete.ts';
import type { GeoJsonObjects } from '../../datasets/outputs.ts';
import { retireObjects } from '../../object-store/ledger.ts';
import { namesOnMap } from '../../../test/support/units/districts.ts';
import { eventually } from '../../../test/support/processes.ts';
import { startTables } from '../../../test/support/tables/tables.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const tables = await closeAfterTests(startTables());
const { db, objectStore, readForms } = tables;
/** Two processes share only the database and the store. */
const [one, other] = [createCurrentFiles({ db, objectStore }), createCurrentFiles({ db, objectStore })];

/** Creates a mapped table of two regions and an unknown unit. */
async function mapTable(): Promise<string> {
  const codes = ['100000000', '110000000', '999999999'];
  const id = await tables.uploadTable(codes.map((kato, index) => ({ kato, a: index, b: `б${index}` })));
  await tables.mapColumns(id, 'kato', 'a');
  return id;
}

const namesOn = async (map: GeoJsonObjects) => namesOnMap(await readForms(map));
const mapsOf = async (id: string) => await tables.storedKeys(id, 'geojson/');
const seriesOf = async (id: string) => await tables.storedKeys(id, 'series/');
const readSeries = async (keys: GeoJsonObjects) => KatoSeries.parse(JSON.parse(await readForms(keys)));

async function valuesOf(id: string): Promise<Record<string, unknown>> {
  const { units } = await readSeries(await one.seriesKeysOf(id));
  return Object.fromEntries(units.map(({ kato_code: code, values }) => [code, values]));
}

async function rename(name: string): Promise<void> {
  await db.updateTable('districts').set({ name }).where('kato_code', '=', '100000000').execute();
}

async function assertNoDrafts(): Promise<void> {
  const drafts = await db.selectFrom('objects').select('key').where('state', '=', 'writing').execute();
  assert.deepEqual(drafts, []);
}

/** Sends twenty requests in parallel to two processes. */
async function askBoth(keysOf: 'geoJsonKeysOf' | 'seriesKeysOf', id: string): Promise<GeoJsonObjects> {
  const asked = Array.from({ length: 20 }, async (_, index) => await (index % 2 ? one : other)[keysOf](id));
  const [keys, ...others] = await Promise.all(asked);
  assert.ok(keys !== undefined);
  for (const each of others)
    assert.deepEqual(each, keys, 'the slower process takes what the faster one made');
  return keys;
}

test('the GeoJSON by KATO stays while the districts do; after a change the next request gets a new one, and all of the old one goes', async () => {
  const id = await mapTable();
  const before = await one.geoJsonKeysOf(id);
  assert.deepEqual(await namesOn(before), ['Абайская', 'Акмолинская']);
  assert.deepEqual(await one.geoJsonKeysOf(id), before);
  assert.deepEqual(await other.geoJsonKeysOf(id), before);
  await rename('Абай');
  const map = await one.geoJsonKeysOf(id);
  assert.notEqual(map.key, before.key);
  assert.deepEqual(await namesOn(map), ['Абай', 'Акмолинская']);
  await eventually('the old map is gone', async () => (await mapsOf(id)).length === 3);
  assert.deepEqual(await mapsOf(id), [map.key, `${map.key}.br`, `${map.key}.gz`]);
});

test('many who ask two processes at once all get current maps, and one stays', async () => {
  const id = await mapTable();
  for (const round of [1, 2, 3]) {
    await rename(`имя ${round}`);
    const map = await askBoth('geoJsonKeysOf', id);
    assert.deepEqual(await namesOn(map), [`имя ${round}`, 'Акмолинская']);
  }
  await eventually('one map is left', async () => (await mapsOf(id)).length === 3);
  await assertNoDrafts();
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

test('a map that was written before there were encoded forms gets them with the next change of the districts', async () => {
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
  assert.deepEqual(await namesOn(map), ['снова', 'Акмолинская']);
  await eventually('its forms alone are left', async () => (await mapsOf(id)).length === 3);
});

test('series are made on request, once, and stay', async () => {
  const id = await mapTable();
  assert.deepEqual(await seriesOf(id), []);
  const keys = await askBoth('seriesKeysOf', id);
  const { history, ...series } = await readSeries(keys);
  assert.deepEqual(series, {
    dates: [{ start_date: '2020-01-01', end_date: null }],
    units: [
      { kato_code: '100000000', values: [0] },
      { kato_code: '110000000', values: [1] },
    ],
    without_district: { codes: 1, rows: 1 },
  });
  const young = ['100000000', '330000000', '620000000'];
  assert.deepEqual(history, {
    units: [],
    breaks: [],
    absent: young.map((code) => ({ kato_code: code, until: '2022-06-08' })),
    left: [],
  });
  await eventually('one is left', async () => (await seriesOf(id)).length === 3);
  assert.deepEqual(await seriesOf(id), [keys.key, `${keys.key}.br`, `${keys.key}.gz`]);
});

test('after a change of the districts the next request gets new series, and so it does after a mapping', async () => {
  const id = await mapTable();
  const before = await one.seriesKeysOf(id);
  const { rows: units } = await tables.pool.query('select * from districts where kato_code = $1', [
    '110000000',
  ]);
  await db.deleteFrom('districts').where('kato_code', '=', '110000000').execute();
  const fewer = await other.seriesKeysOf(id);
  assert.notEqual(fewer.key, before.key);
  assert.deepEqual((await readSeries(fewer)).without_district, { codes: 2, rows: 2 });
  await db.insertInto('districts').values(units).execute();
  assert.deepEqual(await valuesOf(id), { '100000000': [0], '110000000': [1] });
  await tables.mapColumns(id, 'kato', 'b');
  await eventually('the series of before are gone', async () => (await seriesOf(id)).length === 0);
  assert.deepEqual(await valuesOf(id), { '100000000': ['б0'], '110000000': ['б1'] });
  await assertNoDrafts();
});

test('after a change of the history of units the next request gets new series, and the map stays', async () => {
  const id = await mapTable();
  const [series, map] = [await one.seriesKeysOf(id), await one.geoJsonKeysOf(id)];
  await db.updateTable('district_changes').set({ share_area: null }).where('position', '=', 0).execute();
  assert.notEqual((await other.seriesKeysOf(id)).key, series.key);
  assert.equal((await other.geoJsonKeysOf(id)).key, map.key);
});

test('while a table is mapped again, and when that has failed, there are no series', async () => {
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

test('a dataset that is deleted meanwhile is gone, and so are its map and its series', async () => {
  const id = await mapTable();
  await rename('прощай');
  const asked = await Promise.allSettled([
    one.geoJsonKeysOf(id),
    one.seriesKeysOf(id),
    deleteDataset({ db, objectStore }, id),
  ]);
  for (const each of asked)
    if (each.status === 'rejected') assert.match(String(each.reason), /no such dataset/);
  await eventually('no object is left', async () => (await tables.storedKeys(id)).length === 0);
});

test('a code that had no unit shows as soon as there is one', async () => {
  const id = await mapTable();
  await sql`insert into districts (kato_code, level, name, geometry)
    select '999999999', 'district', 'Новый', geometry from districts where kato_code = '100000000'`.execute(
    db,
  );
  await rename('Абай');
  assert.deepEqual(await namesOn(await one.geoJsonKeysOf(id)), ['Абай', 'Акмолинская', 'Новый']);
  await sql`truncate districts`.execute(db);
  assert.deepEqual(await namesOn(await one.geoJsonKeysOf(id)), []);
  await sql`insert into districts (kato_code, level, name, geometry)
    values ('100000000', 'region', 'Абайская', '{"type":"Polygon","coordinates":[]}')`.execute(db);
  assert.deepEqual(await namesOn(await one.geoJsonKeysOf(id)), ['Абайская']);
});
