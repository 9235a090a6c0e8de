import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { openVectorEngineHere } from '../../../test/support/geo/engine-here.ts';
import { startTestApp } from '../../../test/support/app.ts';
import { insertCategory, send, setState, upload } from '../../../test/support/datasets.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const engine = await closeAfterTests(openVectorEngineHere());
const app = await closeAfterTests(startTestApp());
const { db } = app.services;
const category_id = await insertCategory(db);

const square = (west: number, south: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + 1, south],
      [west + 1, south + 1],
      [west, south + 1],
      [west, south],
    ],
  ],
});

for (const [code, level, west] of [
  ['110000000', 'region', 70],
  ['111000000', 'district', 70],
  ['112000000', 'district', 71.5],
] as const)
  await db
    .insertInto('districts')
    .values({
      kato_code: code,
      level,
      name: `Unit ${code}`,
      name_kk: null,
      name_en: null,
      geometry: JSON.stringify(square(west, 50)),
    })
    .execute();

/** Adds a vector of 120 points, each with a name, a number and a boolean. */
async function addVector(): Promise<string> {
  const features = Array.from({ length: 120 }, (_, i) => ({
    type: 'Feature',
    properties: {
      i,
      name: `№ ${i % 7}`,
      even: i % 2 === 0,
      part: i / 3,
      limit: 'taken',
      mixed: i % 2 ? i : 'x',
      code: `#${(i === 119 ? -(2n ** 63n) : 2n ** 53n + BigInt(i)).toString()}#`,
    },
    geometry: i === 5 ? null : { type: 'Point', coordinates: [60 + i / 10, 50.123456789] },
  }));
  const path = join(engine.folder, 'points.geojson');
  // Integers of 64 bits are written without quotes.
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }).replaceAll(/"#|#"/g, ''));
  const { features: made } = await engine.run((geo, task) => geo.writeFeatures(task), path);
  assert.ok(made);
  const { id } = await upload(app, { category_id, file_type: 'vector' });
  await setState(app.services, id, { status: 'ready' }, { fgb: await readFile(made.path) });
  const { count, box } = made;
  await sql`insert into vector_features values (${id}, 'made', ${count}, ${box}::float8[])`.execute(db);
  return id;
}

/** Adds a table of two units, an unknown code, and three years; the last year of one unit is empty. */
async function addTable(): Promise<string> {
  const { id } = await upload(app, { category_id, file_type: 'vector_with_kato' });
  const { rows } = await sql<{ id: number }>`insert into observation_sets (dataset_id, job_id, attempt)
    values (${id}, gen_random_uuid(), 1) returning id`.execute(db);
  const setId = rows[0]?.id ?? 0;
  await sql`insert into observations (set_id, id, kato_code, start_date, end_date, value, mapping_order, row_number)
    select ${setId}, gen_random_uuid(), code, make_date(year, 1, 1), make_date(year, 12, 31),
      case when code = '112000000' and year = 2022 then null else year - 2000 end, year - 2020, 0
    from unnest(array['111000000', '112000000', '999999999']) code, generate_series(2020, 2022) year`.execute(
    db,
  );
  const years = [2020, 2021, 2022].map((year) => ({
    column: String(year),
    start_date: `${year}-01-01`,
    end_date: `${year}-12-31`,
  }));
  const columns = { status: 'ready', kato_column: 'kato', year_columns: JSON.stringify(years) };
  await setState(app.services, id, { ...columns, observation_set_id: setId });
  return id;
}

const vector = await addVector();
const table = await addTable();

interface Page {
  readonly features: readonly {
    readonly id: string | number;
    readonly geometry: { readonly type: string; readonly coordinates: readonly number[] } | null;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly numberReturned: number;
  readonly numberMatched?: number;
}

async function ask<T>(path: string, status = 200): Promise<T> {
  const answer = await send(app, `/ogc${path}`);
  assert.equal(answer.status, status, answer.text);
  return JSON.parse(answer.text);
}

const itemsOf = async (id: string, query = '') => await ask<Page>(`/collections/${id}/items${query}`);

/** Follows the links to all pages. */
async function everyPage(id: string, query: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let path: string | undefined = `/collections/${id}/items${query}`; path !== undefined;) {
    const page: Page = await ask<Page>(path);
    pages.push(page);
    path = page.links.find(({ rel }) => rel === 'next')?.href.replace(/^.*\/ogc/, '');
    assert.ok(pages.length < 100);
  }
  return pages;
}

const idsOf = (pages: readonly Page[]) => pages.flatMap(({ features }) => features.map(({ id }) => id));

describe('the collections', () => {
  test('are the units, and what has features; pages of them meet each once', async () => {
    const ids: string[] = [];
    interface Collections {
      readonly collections: readonly { readonly id: string; readonly extent?: unknown }[];
      readonly links: Page['links'];
    }
    for (let path: string | undefined = '/collections?limit=1'; path !== undefined;) {
      const page: Collections = await ask<Collections>(path);
      ids.push(...page.collections.map(({ id }) => id));
      path = page.links.find(({ rel }) => rel === 'next')?.href.replace(/^.*\/ogc/, '');
    }
    assert.deepEqual(ids, ['districts', 'regions', table, vector]);
    const facts = await ask<{ extent: { temporal: unknown; spatial: { bbox: number[][] } } }>(
      `/collections/${table}`,
    );
    assert.deepEqual(facts.extent.temporal, { interval: [['2020-01-01T00:00:00Z', '2022-12-31T23:59:59Z']] });
    assert.deepEqual(facts.extent.spatial.bbox, [[70, 50, 72.5, 51]]);
  });

  test('say what may be filtered; a column of mixed types may not', async () => {
    const { properties } = await ask<{ properties: object }>(`/collections/${vector}/queryables`);
    assert.deepEqual(properties, {
      i: { type: 'integer' },
      name: { type: 'string' },
      even: { type: 'boolean' },
      part: { type: 'number' },
      limit: { type: 'string' },
      code: { type: 'integer' },
    });
    const ofTable = await ask<{ properties: Readonly<Record<string, unknown>> }>(
      `/collections/${table}/queryables`,
    );
    assert.deepEqual(ofTable.properties['date'], { type: 'string', format: 'date' });
  });
});

describe('the features of a vector', () => {
  test('come page by page, each once, with all their values', async () => {
    const pages = await everyPage(vector, '?limit=50');
    assert.deepEqual(
      pages.map(({ numberReturned, numberMatched }) => [numberReturned, numberMatched]),
      [
        [50, 120],
        [50, 120],
        [20, 120],
      ],
    );
    assert.deepEqual(
      idsOf(pages),
      Array.from({ length: 120 }, (_, i) => i),
    );
    const features = pages.flatMap((page) => page.features);
    assert.equal(new Set(features.map(({ properties }) => properties['i'])).size, 120);
    const one = features.find(({ properties }) => properties['i'] === 3);
    const { code, ...others } = one?.properties ?? {};
    assert.deepEqual(others, { i: 3, name: '№ 3', even: false, part: 1, limit: 'taken', mixed: 3 });
    assert.equal(code, 2 ** 53 + 4, 'the nearest number that a client of doubles has');
    assert.deepEqual(one?.geometry, { type: 'Point', coordinates: [60.3, 50.1234568] });
    assert.deepEqual(
      { ...(await ask<object>(`/collections/${vector}/items/${one.id}`)), links: undefined },
      { type: 'Feature', ...one, links: undefined },
    );
    for (const id of ['120', '-1', '1.0', 'x']) await ask(`/collections/${vector}/items/${id}`, 404);
  });

  test('are those of a box, also across 180° and in Web Mercator', async () => {
    const inBox = async (query: string) =>
      (await itemsOf(vector, `?limit=200&${query}`)).features
        .map(({ properties }) => Number(properties['i']))
        .toSorted((one, other) => one - other);
    assert.deepEqual(await inBox('bbox=61.95,50,62.25,51'), [20, 21, 22]);
    assert.deepEqual(await inBox('bbox=71.75,50,-170,51'), [118, 119]);
    assert.deepEqual(await inBox('bbox=0,51,90,60'), []);
    // The latitude is 50.123456789, and is returned with seven decimals.
    assert.deepEqual(await inBox('bbox=60.3,50.1234568,60.3,50.1234568'), [3]);
    assert.deepEqual(await inBox('bbox=60.3,50.1234569,60.3,50.1234569'), []);
    const metres = 'bbox=6896242,6400000,6929637,6600000&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/3857';
    assert.deepEqual(await inBox(metres), [20, 21, 22]);
    const answered = 'bbox=6679169.45,6467683.9,6679169.45,6467683.9';
    assert.deepEqual(await inBox(`${answered}&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/3857`), [0]);
    const crs = 'crs=http://www.opengis.net/def/crs/EPSG/0/3857';
    const answer = await send(app, `/ogc/collections/${vector}/items?bbox=60,50,60,51&${crs}`);
    assert.equal(answer.headers.get('content-crs'), '<http://www.opengis.net/def/crs/EPSG/0/3857>');
    assert.deepEqual(JSON.parse(answer.text).features[0].geometry.coordinates, [6679169.45, 6467683.9]);
  });

  test('are those with a value, by its name or by a filter', async () => {
    const found = async (query: string) =>
      (await everyPage(vector, `?limit=3&${query}`)).flatMap(({ features }) =>
        features.map(({ properties }) => properties['i']),
      );
    const named = await found('name=' + encodeURIComponent('№ 3'));
    assert.equal(named.length, 17);
    assert.deepEqual((await found('i=17&even=false')).toString(), '17');
    assert.deepEqual(await found('i=17&even=true'), []);
    const filter = encodeURIComponent(`even = true and (i < 6 or i in (100, 101)) and not name = '№ 2'`);
    assert.deepEqual(new Set(await found(`filter=${filter}`)), new Set([0, 4]));
    const json = encodeURIComponent('{"op":"=","args":[{"property":"part"},5]}');
    assert.deepEqual(await found(`filter=${json}&filter-lang=cql2-json`), [15]);
  });

  test('with whole numbers of 64 bits are found by every digit', async () => {
    const found = async (query: string) =>
      (await itemsOf(vector, `?limit=200&${query}`)).features.map(({ properties }) => properties['i']);
    const numbered = (more: bigint) => (2n ** 53n + more).toString();
    assert.deepEqual(await found(`code=${numbered(3n)}`), [3]);
    assert.deepEqual(await found(`filter=code=${numbered(5n)}`), [5]);
    assert.deepEqual(await found(`filter=code%20in%20(${numbered(7n)},1)`), [7]);
    assert.equal((await found(`filter=code%3E${numbered(100n)}`)).length, 18);
    const json = `{"op":"<=","args":[{"property":"code"},${numbered(1n)}]}`;
    const ids = await found(`filter-lang=cql2-json&filter=${encodeURIComponent(json)}`);
    assert.deepEqual(new Set(ids), new Set([0, 1, 119]));
    assert.deepEqual(await found(`code=${(-(2n ** 63n)).toString()}`), [119]);
  });

  test('can be skipped by number, with the same rest as when links are followed', async () => {
    const idsBy = async (query: string) => idsOf(await everyPage(vector, `?${query}`));
    const even = await idsBy('limit=200&even=true');
    assert.deepEqual(await idsBy('limit=7&offset=0'), await idsBy('limit=200'));
    assert.deepEqual(await idsBy('limit=7&offset=110'), (await idsBy('limit=200')).slice(110));
    assert.deepEqual(await idsBy('limit=7&offset=13&even=true'), even.slice(13));
    assert.deepEqual(await idsBy('offset=120'), []);
    const all = idsOf(await everyPage(table, '?datetime=../..'));
    assert.deepEqual(idsOf(await everyPage(table, '?datetime=../..&offset=2&limit=1')), all.slice(2));
    const large = '?datetime=../..&filter=value%3E20';
    assert.deepEqual(
      idsOf(await everyPage(table, `${large}&offset=1&limit=1`)),
      idsOf(await everyPage(table, large)).slice(1),
    );
    assert.deepEqual(idsOf(await everyPage('districts', '?offset=1')), ['112000000']);
  });

  test('say on each page how many there are, also in a box and by a filter', async () => {
    const matched = async (id: string, query: string) =>
      (await everyPage(id, `?limit=2&${query}`)).map(({ numberMatched }) => numberMatched);
    assert.deepEqual(await matched(vector, 'bbox=61.95,50,62.25,51'), [3, 3]);
    assert.deepEqual(await matched(vector, 'i=7&bbox=0,0,90,60'), [1]);
    assert.deepEqual(await matched(table, 'datetime=../..&bbox=71.2,50.5,72,50.6'), [3, 3]);
    assert.deepEqual(await matched(table, 'datetime=../..&filter=value%3E20'), [3, 3]);
    assert.deepEqual(await matched('districts', 'bbox=0,0,90,90'), [2]);
  });

  test('are refused where a parameter makes no sense, in both dialects', async () => {
    for (const query of [
      'other=1',
      'mixed=x',
      'i=text',
      'even=1',
      'limit=0',
      'bbox=1,2,3',
      'bbox=1,9,2,3',
      'crs=http://www.opengis.net/def/crs/EPSG/0/4326',
      'datetime=2024',
      'token=120',
      'token=x',
      'offset=-1',
      'offset=1e3',
      'filter=other%20%3D%201',
      'filter=%28%28',
      'f=html',
      'limit=1&limit=2',
    ]) {
      const { error, code, description } = await ask<Record<string, string>>(
        `/collections/${vector}/items?${query}`,
        400,
      );
      assert.deepEqual([code, description], ['InvalidParameterValue', error], query);
    }
    assert.equal((await itemsOf(vector, '?limit=1000000')).numberReturned, 120);
  });
});

describe('the values of a table by KATO', () => {
  test('are one of each unit, its latest, unless a time is named', async () => {
    const { features, numberMatched } = await itemsOf(table);
    assert.equal(numberMatched, 2);
    assert.deepEqual(
      features.map(({ id, properties }) => [id, properties['value']]),
      [
        ['111000000.2022-01-01', 22],
        ['112000000.2021-01-01', 21],
      ],
    );
    assert.deepEqual(features[0]?.properties, {
      kato: '111000000',
      name: 'Unit 111000000',
      date: '2022-01-01',
      end_date: '2022-12-31',
      value: 22,
      value_text: null,
    });
    const all = await everyPage(table, '?datetime=../..&limit=2');
    assert.equal(idsOf(all).length, 6);
    assert.equal(new Set(idsOf(all)).size, 6);
    const inTime = async (time: string) => idsOf([await itemsOf(table, `?datetime=${time}&kato=111000000`)]);
    assert.deepEqual(await inTime('2021-07-01T00:00:00Z'), ['111000000.2021-01-01']);
    assert.deepEqual(await inTime('2021-07-01T00:00:00Z/..'), [
      '111000000.2021-01-01',
      '111000000.2022-01-01',
    ]);
    assert.deepEqual(await inTime('2019-01-01T00:00:00Z'), []);
  });

  test('are those of a day, in datetime and in filters, whatever is the latest', async () => {
    const found = async (query: string) => idsOf([await itemsOf(table, `?kato=111000000&${query}`)]);
    const first = ['111000000.2020-01-01'];
    assert.deepEqual(await found('datetime=2020-07-01'), first);
    assert.deepEqual(await found('datetime=2019-01-01/2020-12-31'), first);
    assert.deepEqual(await found('datetime=2020-01-01T'), first, 'as GDAL asks for a day');
    assert.deepEqual(await found('date=2020-01-01'), first);
    for (const filter of [
      "date = '2020-01-01'",
      "date = DATE('2020-01-01')",
      "date <= TIMESTAMP('2020-12-31T23:59:59Z')",
      "date = TIMESTAMP('2020-01-01T00:00:00Z')",
      "end_date < DATE('2021-01-01') and date > DATE('2019-12-31')",
      "date like '2020%'",
      "date in (DATE('2020-01-01'), DATE('2019-01-01'))",
    ])
      assert.deepEqual(await found(`filter=${encodeURIComponent(filter)}`), first, filter);
    assert.deepEqual(
      await found(`datetime=2022-01-01/..&filter=${encodeURIComponent("date = '2020-01-01'")}`),
      [],
    );
    await ask(`/collections/${table}/items?filter=date%20%3D%20%27soon%27`, 400);
  });

  test('are those of units in a box, or with a value', async () => {
    assert.deepEqual(idsOf([await itemsOf(table, '?bbox=71.2,50.5,72,50.6')]), ['112000000.2021-01-01']);
    const filter = encodeURIComponent('value > 20');
    assert.equal((await itemsOf(table, `?datetime=../..&filter=${filter}`)).numberReturned, 3);
    const one = await ask<Page['features'][number]>(`/collections/${table}/items/112000000.2020-01-01`);
    assert.deepEqual([one.properties['value'], one.geometry?.type], [20, 'MultiPolygon']);
    for (const id of ['112000000.2019-01-01', '999999999.2020-01-01', '112000000', '1.2020-13-01'])
      await ask(`/collections/${table}/items/${id}`, 404);
  });
});

test('districts and regions are collections, and a unit is found by its code', async () => {
  assert.deepEqual(idsOf(await everyPage('districts', '?limit=1')), ['111000000', '112000000']);
  assert.deepEqual(idsOf([await itemsOf('regions')]), ['110000000']);
  assert.deepEqual(idsOf([await itemsOf('districts', '?bbox=70.5,50.5,70.6,50.6')]), ['111000000']);
  await ask('/collections/districts/items/110000000', 404);
  for (const id of ['none', '00000000-0000-4000-8000-000000000000'])
    await ask(`/collections/${id}/items`, 404);
});

test('a page that is known is not sent again', async () => {
  const { headers } = await send(app, `/ogc/collections/${vector}/items`);
  const init = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
  assert.equal((await send(app, `/ogc/collections/${vector}/items`, init)).status, 304);
});

test('a vector that is deleted while a page of it is made is not found', async () => {
  const gone = await addVector();
  assert.equal((await itemsOf(gone)).numberReturned, 10);
  // Its header is cached; its object is removed, as may happen during a request.
  const { rows } = await sql<{ key: string }>`select object_key as key from dataset_files
    where dataset_id = ${gone} and kind = 'fgb'`.execute(db);
  for (const { key } of rows) await app.services.objectStore.remove(key);
  await ask(`/collections/${gone}/items`, 404);
  await ask(`/collections/${gone}/items/3`, 404);
});
