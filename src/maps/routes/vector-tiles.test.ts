import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askAgainWhileBusy } from '../../../test/support/http/ask-again.ts';
import { seedDistricts } from '../../units/import.ts';
import { startTestApp } from '../../../test/support/app.ts';
import {
  geoJsonForms,
  getRaw,
  insertCategory,
  send,
  setState,
  upload,
} from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { decodeTile } from '../../../test/support/maps/vector-tiles.ts';

const app = await closeAfterTests(startTestApp());
const { db } = app.services;
await seedDistricts(db);
const category = await insertCategory(db);

/** A ready vector with this geometry. */
async function createVector(geometry: object): Promise<string> {
  const { id } = await upload(app, { category_id: category, file_type: 'vector' });
  const collection = { type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry }] };
  await setState(app.services, id, { status: 'ready' }, geoJsonForms(JSON.stringify(collection)));
  return id;
}

async function tile(path: string) {
  const answer = await askAgainWhileBusy(
    async () => await getRaw(app, path, { 'accept-encoding': 'identity' }),
  );
  const z = Number(/tiles\/(\d+)/.exec(path)?.[1]);
  const isTile = answer.status === 200;
  return { ...answer, features: isTile ? decodeTile(answer.bytes, z) : [] };
}

describe('A tile of a vector', () => {
  test('of too much is thinned, and says so', async () => {
    const coordinates = Array.from({ length: 300_000 }, (_, i) => [
      (i % 1000) * 0.36 - 180,
      Math.floor(i / 1000) * 0.5 - 75,
    ]);
    const id = await createVector({ type: 'MultiPoint', coordinates });
    const whole = await tile(`/datasets/${id}/tiles/0/0/0.mvt`);
    assert.equal(whole.status, 200, whole.bytes.toString());
    assert.equal(whole.headers.get('x-tile-thinned'), 'true');
    assert.ok(whole.bytes.length <= 500_000);
    assert.equal((await tile(`/datasets/${id}/tiles/8/128/128.mvt`)).headers.get('x-tile-thinned'), null);
  });
});

describe('A tile of the administrative units', () => {
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
