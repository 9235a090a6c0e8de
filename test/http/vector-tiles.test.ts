import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { seedDistricts } from '../../src/catalogue/districts/import.ts';
import { startTestApp } from '../support/app.ts';
import { geoJsonForms, getRaw, insertCategory, send, setState, upload } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { decodeTile, tilesOf } from '../support/vector-tiles.ts';

const app = await closeAfterTests(startTestApp({ tileRate: 5000 }));
const { db } = app.services;
await seedDistricts(db);
const category = await insertCategory(db);
const plain = { 'accept-encoding': 'identity' };

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

async function tile(path: string, headers: Readonly<Record<string, string>> = plain) {
  const answer = await getRaw(app, path, headers);
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

  test('is zipped for those who accept it, with an ETag of its own', async () => {
    const path = `/datasets/${vector}/tiles/3/5/2.mvt`;
    const asIs = await tile(path);
    const zipped = await getRaw(app, path, { 'accept-encoding': 'br, gzip' });
    assert.deepEqual(
      [zipped.status, zipped.headers.get('content-encoding'), zipped.headers.get('vary')],
      [200, 'gzip', 'Accept-Encoding'],
    );
    assert.deepEqual(gunzipSync(zipped.bytes), asIs.bytes);
    assert.notEqual(zipped.headers.get('etag'), asIs.headers.get('etag'));
    assert.equal(asIs.headers.get('content-encoding'), null);
    assert.deepEqual(
      [asIs.headers.get('cache-control'), asIs.headers.get('x-tile-thinned')],
      ['no-cache', null],
    );
  });

  test('is 304 for those who have it, and HEAD says how long it is', async () => {
    const path = `/datasets/${vector}/tiles/3/5/2.mvt`;
    const { headers, bytes: body } = await tile(path);
    const etag = String(headers.get('etag'));
    assert.match(etag, /^"[0-9a-f]{32}"$/);
    assert.equal((await tile(path, { ...plain, 'if-none-match': etag })).status, 304);
    assert.equal((await tile(path, { ...plain, 'if-match': '"other"' })).status, 412);
    const head = await fetch(app.baseUrl + path, { method: 'HEAD', headers: plain });
    assert.deepEqual(
      [head.status, head.headers.get('content-length'), head.headers.get('etag')],
      [200, String(body.length), etag],
    );
    const others = await Promise.all(
      ['3/5/3', '4/10/5', '3/4/2'].map(async (place) =>
        (await tile(`/datasets/${vector}/tiles/${place}.mvt`)).headers.get('etag'),
      ),
    );
    assert.equal(new Set([etag, ...others]).size, 4);
  });

  test('has no bytes where nothing lies', async () => {
    const {
      status,
      bytes: body,
      headers,
    } = await tile(`/datasets/${vector}/tiles/3/0/0.mvt`, { 'accept-encoding': 'gzip' });
    assert.deepEqual([status, body.length, headers.get('content-encoding')], [200, 0, null]);
  });

  test('has a place in decimal digits within its zoom', async () => {
    const status = async (place: string) =>
      (await send(app, `/datasets/${vector}/tiles/${place}.mvt`)).status;
    for (const place of [
      '1e3/0/0',
      '+1/0/0',
      '01/0/0',
      '-1/0/0',
      '23/0/0',
      '0x1/0/0',
      '1/0/-0',
      '1/1.0/0',
      '1/ 1/0',
      '1/1/%31%30000000000',
      '/0/0',
      '١/0/0',
    ])
      assert.equal(await status(place), 400, place);
    for (const place of ['0/1/0', '0/0/1', '1/2/0', '21/0/2097152'])
      assert.equal(await status(place), 404, place);
    assert.equal(await status('22/4194303/4194303'), 200);
    const { body } = await send(app, `/datasets/${vector}/tiles/0/0/0.mvt?datetime=2020-13-01`);
    assert.deepEqual(body, { error: 'datetime: must be a calendar date written YYYY-MM-DD' });
  });

  test('of a dataset that has none is refused', async () => {
    const refusal = async (id: string) => {
      const { status, body } = await send(app, `/datasets/${id}/tiles/0/0/0.mvt`);
      return [status, body];
    };
    const raster = await createDataset('raster', { status: 'ready' });
    assert.deepEqual(await refusal(raster), [422, { error: 'a raster has no vector tiles' }]);
    const pending = await createDataset('vector', { status: 'parsing' });
    assert.deepEqual(await refusal(pending), [
      409,
      { error: 'the dataset is parsing; its map exists once it is ready' },
    ]);
    assert.deepEqual(await refusal(randomUUID()), [404, { error: 'no such dataset' }]);
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
