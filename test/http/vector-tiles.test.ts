import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seedDistricts } from '../../src/catalogue/districts/import.ts';
import { startTestApp } from '../support/app.ts';
import { geoJsonForms, getRaw, insertCategory, send, setState, upload } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { decodeTile, tilesOf } from '../support/vector-tiles.ts';

const app = await closeAfterTests(startTestApp({ tileRate: 5000 }));
const { db } = app.services;
await seedDistricts(db);
const category = await insertCategory(db);

async function createDataset(fileType: string, columns: object, geojson?: unknown): Promise<string> {
  const { id } = await upload(app, { category_id: category, file_type: fileType });
  const objects = geojson === undefined ? {} : geoJsonForms(JSON.stringify(geojson));
  await setState(app.services, id, { ...columns }, objects);
  return id;
}

const square = {
  type: 'Polygon',
  coordinates: [
    [
      [60, 50],
      [70, 50],
      [70, 55],
      [60, 55],
      [60, 50],
    ],
  ],
};
const feature = { type: 'Feature', properties: { name: 'Алматы', area: 7.5, rows: null }, geometry: square };
const vector = await createDataset(
  'vector',
  { status: 'ready' },
  { type: 'FeatureCollection', features: [feature] },
);

async function tile(path: string) {
  const answer = await getRaw(app, path, { 'accept-encoding': 'identity' });
  const z = Number(/tiles\/(\d+)/.exec(path)?.[1]);
  const isTile = answer.status === 200;
  return { ...answer, features: isTile ? decodeTile(answer.bytes, z) : [] };
}

describe('A tile of a vector', () => {
  test('has one layer with the id of the dataset, and its attributes', async () => {
    const { status, headers, features } = await tile(`/datasets/${vector}/tiles/0/0/0.mvt`);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/vnd.mapbox-vector-tile');
    assert.deepEqual(
      features.map(({ layer, id, properties }) => [layer, id, { ...properties }]),
      [[vector, 0, { name: 'Алматы', area: 7.5 }]],
    );
  });

  test('of too much is thinned, and says so', async () => {
    const coordinates = Array.from({ length: 300_000 }, (_, i) => [
      (i % 1000) * 0.36 - 180,
      Math.floor(i / 1000) * 0.5 - 75,
    ]);
    const points = { type: 'Feature', properties: {}, geometry: { type: 'MultiPoint', coordinates } };
    const id = await createDataset(
      'vector',
      { status: 'ready' },
      { type: 'FeatureCollection', features: [points] },
    );
    const whole = await tile(`/datasets/${id}/tiles/0/0/0.mvt`);
    assert.equal(whole.headers.get('x-tile-thinned'), 'true');
    assert.ok(whole.bytes.length <= 500_000);
    assert.equal((await tile(`/datasets/${id}/tiles/8/128/128.mvt`)).headers.get('x-tile-thinned'), null);
  });
});

describe('A tile of a table by KATO', () => {
  test('has the values of all dates, or of one', async () => {
    const properties = { kato: '710000000', name: 'Астана', data: { '2020-01-01': 4, '2021-01-01': 'н/д' } };
    const collection = { type: 'FeatureCollection', features: [{ ...feature, properties }] };
    const id = await createDataset('vector_with_kato', { status: 'ready' }, collection);
    const path = `/datasets/${id}/tiles/0/0/0.mvt`;
    const named = { kato: '710000000', name: 'Астана' };
    const all = await tile(path);
    assert.deepEqual(
      all.features.map(({ id, properties }) => [id, { ...properties }]),
      [[710_000_000, { ...named, value: 'н/д', '2020-01-01': 4, '2021-01-01': 'н/д' }]],
    );
    const one = await tile(`${path}?datetime=2020-01-01`);
    assert.deepEqual(
      one.features.map(({ properties }) => ({ ...properties })),
      [{ ...named, value: 4 }],
    );
    assert.notEqual(one.headers.get('etag'), all.headers.get('etag'));
  });
});

describe('A tile of the administrative units', () => {
  test('has all of them, by code, in a layer for each level', async () => {
    const found = new Map<string, Set<number | undefined>>();
    for (const [z, x, y] of tilesOf([46, 40, 88, 56], 5)) {
      for (const { layer, id, properties } of (await tile(`/districts/tiles/${z}/${x}/${y}.mvt`)).features) {
        assert.equal(properties['kato'], String(id));
        assert.equal(properties['level'], layer === 'regions' ? 'region' : 'district');
        found.set(layer, (found.get(layer) ?? new Set()).add(id));
      }
    }
    assert.deepEqual(Object.fromEntries([...found].map(([layer, ids]) => [layer, ids.size])), {
      districts: 224,
      regions: 20,
    });
  });

  test('changes with them, and is described under an address that may be kept', async () => {
    const describe = async () =>
      (await send<{ tiles: string[]; vector_layers: { id: string }[] }>(app, '/districts/tilejson.json'))
        .body;
    const {
      tiles: [address = ''],
      vector_layers: layers,
    } = await describe();
    assert.deepEqual(
      layers.map(({ id }) => id),
      ['regions', 'districts'],
    );
    assert.ok(address.startsWith(`${app.baseUrl}/districts/tiles/{z}/{x}/{y}.mvt?v=`));
    const path = address
      .slice(app.baseUrl.length)
      .replace('{z}', '4')
      .replace('{x}', '11')
      .replace('{y}', '5');
    const before = await tile(path);
    assert.equal(before.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    await db.updateTable('districts').set({ name: 'Новая' }).where('kato_code', '=', '100000000').execute();
    assert.notEqual((await describe()).tiles[0], address);
    const after = await tile(path);
    assert.notEqual(after.headers.get('etag'), before.headers.get('etag'));
    assert.equal(after.headers.get('cache-control'), 'no-cache');
    const namesOf = (features: typeof after.features) =>
      features.filter(({ properties }) => properties['name'] === 'Новая').length;
    assert.deepEqual([namesOf(before.features), namesOf(after.features)], [0, 1]);
  });
});
