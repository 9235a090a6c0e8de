import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { z } from 'zod';
import { deleteDataset } from '../../src/datasets/delete.ts';
import { createCurrentFiles } from '../../src/datasets/kato-map/current-files.ts';
import { KatoSeries } from '../../src/datasets/kato-map/kato-series.ts';
import type { GeoJsonObjects } from '../../src/datasets/outputs.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { eventually } from '../support/processes.ts';
import { startProcessing } from '../support/processing.ts';

const processing = await closeAfterTests(startProcessing());
const { db, objectStore } = processing;
/** Two processes share nothing but database and store. */
const [one, other] = [createCurrentFiles({ db, objectStore }), createCurrentFiles({ db, objectStore })];

const mappingOf = (column: string) => ({
  kato_column: 'kato',
  year_columns: [{ column, start_date: '2020-12-31' }],
});

/** A mapped table of two regions and of an unknown unit. */
async function mapTable(): Promise<string> {
  const path = join(processing.folder, 'table.geojson');
  const features = ['100000000', '110000000', '999999999'].map((kato, index) => ({
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
  await processing.map(id, mappingOf(column));
  await processing.untilStatus(id, 'ready');
}

/** The series, which are the same in all their forms. */
async function read({ key, encodedKeys: { gzip, br } }: GeoJsonObjects): Promise<z.infer<typeof KatoSeries>> {
  const [plain, zipped, brotli] = await Promise.all(
    [key, gzip ?? '', br ?? ''].map(async (each) => await buffer(await objectStore.read(each))),
  );
  assert.ok(plain !== undefined && zipped !== undefined && brotli !== undefined);
  assert.deepEqual([gunzipSync(zipped), brotliDecompressSync(brotli)], [plain, plain]);
  return KatoSeries.parse(JSON.parse(plain.toString()));
}

async function valuesOf(id: string): Promise<Record<string, unknown>> {
  const { units } = await read(await one.seriesKeysOf(id));
  return Object.fromEntries(units.map(({ kato_code: code, values }) => [code, values]));
}

async function storedSeries(id: string): Promise<string[]> {
  const keys = await Array.fromAsync(objectStore.keys());
  return keys.filter((key) => key.startsWith(`series/${id}/`)).toSorted();
}

test('series are made on request, once, and stay', async () => {
  const id = await mapTable();
  assert.deepEqual(await storedSeries(id), []);
  const asked = Array.from(
    { length: 20 },
    async (_, index) => await (index % 2 ? one : other).seriesKeysOf(id),
  );
  const [keys, ...others] = await Promise.all(asked);
  assert.ok(keys !== undefined);
  for (const each of others) assert.deepEqual(each, keys);
  assert.deepEqual(await read(keys), {
    dates: [{ start_date: '2020-12-31', end_date: null }],
    units: [
      { kato_code: '100000000', values: [0] },
      { kato_code: '110000000', values: [1] },
    ],
    without_district: { codes: 1, rows: 1 },
  });
  await eventually('one is left', async () => (await storedSeries(id)).length === 3);
  assert.deepEqual(await storedSeries(id), [keys.key, `${keys.key}.br`, `${keys.key}.gz`]);
});

test('after a change of the districts the next request gets new series, and so it does after a mapping', async () => {
  const id = await mapTable();
  const before = await one.seriesKeysOf(id);
  const { rows: units } = await processing.pool.query('select * from districts where kato_code = $1', [
    '110000000',
  ]);
  await db.deleteFrom('districts').where('kato_code', '=', '110000000').execute();
  const fewer = await other.seriesKeysOf(id);
  assert.notEqual(fewer.key, before.key);
  assert.deepEqual((await read(fewer)).without_district, { codes: 2, rows: 2 });
  await db.insertInto('districts').values(units).execute();
  assert.deepEqual(await valuesOf(id), { '100000000': [0], '110000000': [1] });
  await remap(id, 'b');
  assert.deepEqual(await valuesOf(id), { '100000000': ['б0'], '110000000': ['б1'] });
  await eventually('all earlier ones are gone', async () => (await storedSeries(id)).length === 3);
  const drafts = await db.selectFrom('objects').select('key').where('state', '=', 'writing').execute();
  assert.deepEqual(drafts, []);
});

test('a mapping leaves nothing of the series before it, even without another request', async () => {
  const id = await mapTable();
  await one.seriesKeysOf(id);
  await remap(id, 'b');
  await eventually('they are gone', async () => (await storedSeries(id)).length === 0);
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

test('a dataset that is deleted meanwhile is gone, and so are its series', async () => {
  const id = await mapTable();
  const [asked] = await Promise.allSettled([one.seriesKeysOf(id), deleteDataset({ db, objectStore }, id)]);
  if (asked.status === 'rejected') assert.match(String(asked.reason), /no such dataset/);
  await eventually('no object is left', async () => (await storedSeries(id)).length === 0);
});
