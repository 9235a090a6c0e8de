import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Insertable, sql } from 'kysely';
import { createDistrictFiles } from './district-files.ts';
import { createNameMatcher } from './match-names.ts';
import type { Tables } from '../database/tables/tables.ts';
import { startTestApp } from '../../test/support/app.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { fetchRaw } from '../../test/support/http/raw-http.ts';

const app = await closeAfterTests(startTestApp());
const { db } = app.services;

interface Feature {
  readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
  readonly properties: Readonly<Record<string, unknown>>;
}
interface Collection {
  readonly features: readonly Feature[];
}

/** A ring around a square of 0.1° that every rounding changes. */
function ringAt(west: number, south: number): number[][] {
  const [east, north] = [west + 0.1, south + 0.1];
  return [
    [west + 0.000_04, south],
    [east, south - 0.000_04],
    [east + 0.000_04, south],
    [east, north],
    [west, north],
    [west + 0.000_04, south],
  ];
}

async function addUnit(
  unit: Partial<Insertable<Tables['districts']>> & { readonly kato_code: string },
): Promise<void> {
  const geometry = JSON.stringify({ type: 'Polygon', coordinates: [ringAt(70, 50)] });
  const usual = { level: 'district', name: 'Дала', name_kk: null, name_en: null, geometry } as const;
  await db
    .insertInto('districts')
    .values({ ...usual, ...unit })
    .execute();
}

async function read(query = '', headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetchRaw(`${app.baseUrl}/districts.geojson${query}`, { headers });
  const text = () => answer.bytes.toString();
  const collection = (): Collection => JSON.parse(text());
  const codes = () => collection().features.map(({ properties }) => properties['kato']);
  return { ...answer, etag: answer.headers.get('etag') ?? '', text, collection, codes };
}

await addUnit({
  kato_code: '100000000',
  level: 'region',
  name: 'Аймақ',
  name_kk: 'Аймақ',
  name_en: 'Region',
});
const islands = [[ringAt(71, 51)], [ringAt(72, 52)]];
await addUnit({
  kato_code: '101200000',
  geometry: JSON.stringify({ type: 'MultiPolygon', coordinates: islands }),
});
await addUnit({ kato_code: '101100000', geometry: '{"type":"Polygon","coordinates":[]}' });

describe('the GeoJSON of the districts', () => {
  test('has the units of a level by code, with their names and rounded borders', async () => {
    const square = [
      [70, 50],
      [70.1, 50],
      [70.1, 50.1],
      [70, 50.1],
      [70, 50],
    ];
    const { status, headers, collection } = await read('?level=region&detail=fine');
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/geo+json']);
    const region = { kato: '100000000', name: 'Аймақ', name_kk: 'Аймақ', name_en: 'Region', level: 'region' };
    assert.deepEqual(collection(), {
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', geometry: { type: 'Polygon', coordinates: [square] }, properties: region },
      ],
    });
    const { features } = (await read()).collection();
    assert.deepEqual(
      features.map(({ geometry }) => geometry?.type),
      [undefined, 'MultiPolygon'],
    );
    assert.deepEqual(features[0]?.properties, {
      kato: '101100000',
      name: 'Дала',
      name_kk: null,
      name_en: null,
      level: 'district',
    });
    assert.deepEqual((await read('?level=district&detail=coarse')).text(), (await read()).text());
  });

  test('changes with the units, at once and under another ETag; what is the same keeps its own', async () => {
    const [before, regions] = [await read(), await read('?level=region')];
    await addUnit({ kato_code: '101300000', name: 'Жаңа' });
    const after = await read('', { 'if-none-match': before.etag });
    assert.deepEqual([after.status, after.codes()], [200, ['101100000', '101200000', '101300000']]);
    assert.equal((await read('?level=region', { 'if-none-match': regions.etag })).status, 304);
    await db.deleteFrom('districts').where('kato_code', '=', '101300000').execute();
    assert.deepEqual((await read('', { 'if-none-match': before.etag })).status, 304);
  });

  test('lists more units than are read at a time', async () => {
    const codes = Array.from({ length: 33 }, (_, index) => `2${String(index).padStart(2, '0')}000000`);
    for (const code of codes) await addUnit({ kato_code: code, level: 'region' });
    assert.deepEqual((await read('?level=region')).codes(), ['100000000', ...codes]);
    await db.deleteFrom('districts').where('kato_code', 'in', codes).execute();
    assert.deepEqual((await read('?level=region')).codes(), ['100000000']);
  });
});

test('names are matched by the units as they are at the moment', async () => {
  const match = createNameMatcher(db);
  const ask = async (name: string) => (await match({ rows: [{ name }] })).matches[0]?.kato;
  assert.deepEqual([await ask('Аймақ облысы'), await ask('Жаңа ауданы')], ['100000000', null]);
  await addUnit({ kato_code: '101500000', name: 'Жаңа' });
  assert.equal(await ask('Жаңа ауданы'), null); // its code is that of a city
  assert.equal(await ask('Жаңа қаласы'), '101500000');
  await db.updateTable('districts').set({ name: 'Ескі' }).where('kato_code', '=', '101500000').execute();
  assert.deepEqual([await ask('Жаңа қ.'), await ask('Ескі қ.')], [null, '101500000']);
  await db.deleteFrom('districts').where('kato_code', '=', '101500000').execute();
  const { matches, units } = await match({ rows: [{ name: 'Ескі қ.' }, { name: '101500000' }] });
  assert.deepEqual(
    matches.map(({ status }) => status),
    ['none', 'none'],
  );
  assert.ok(!units.some(({ kato }) => kato === '101500000'));
});

test('the file of the districts is made once for all who ask, and again when that failed', async () => {
  const files = createDistrictFiles(db);
  const asked = await Promise.all(
    Array.from({ length: 20 }, async () => await files.keysOf('district', 'fine')),
  );
  for (const each of asked) assert.equal(each, asked[0]);
  await db.updateTable('districts').set({ geometry: '{}' }).where('kato_code', '=', '101200000').execute();
  await assert.rejects(files.keysOf('district', 'fine'));
  // A transient failure, such as an outage, does not change the version.
  await sql`alter table districts disable trigger user`.execute(db);
  await db.deleteFrom('districts').where('kato_code', '=', '101200000').execute();
  await sql`alter table districts enable trigger user`.execute(db);
  const { key, encodedKeys } = await files.keysOf('district', 'fine');
  assert.notEqual(key, asked[0]?.key);
  for (const each of [key, encodedKeys.gzip, encodedKeys.br]) {
    assert.ok(Number(await files.objects.size(each ?? '')) > 0);
  }
  const old = asked[0]?.encodedKeys.br ?? assert.fail();
  const isLeft = (await files.objects.size(old)) !== undefined;
  assert.ok(!isLeft, 'nobody needs the old one');
});
