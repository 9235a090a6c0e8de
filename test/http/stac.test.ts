import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { extentColumns } from '../../src/datasets/extent/extents.ts';
import type { Extent } from '../../src/datasets/extent/geojson-extent.ts';
import { reportOf, writeReport } from '../../src/datasets/report.ts';
import { startTestApp } from '../support/app.ts';
import { insertCategory, insertGroup, setState, upload } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { StacItem } from '../support/stac-schemas.ts';

const app = await closeAfterTests(startTestApp());
const { db } = app.services;

interface Page {
  readonly features: readonly {
    readonly id: string;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
  readonly links: readonly {
    readonly rel: string;
    readonly href: string;
    readonly method?: string;
    readonly body?: unknown;
  }[];
}
type Link = Page['links'][number];

const category = await insertCategory(db, 'soils');
const group = await insertGroup(db, 'zoning');
const ids = new Map<string, string>();

/** Adds a ready dataset under a name. */
async function add(
  name: string,
  extent: Extent | undefined,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { file_type: fileType = 'vector', ...others } = columns;
  const { id } = await upload(app, { category_id: category, file_type: String(fileType), name });
  await setState(
    app.services,
    id,
    { status: 'ready', ...extentColumns(extent), ...others },
    { geojson: '{}' },
  );
  ids.set(name, id);
  return id;
}

const raster = await add('zones', [66, 50, 68, 52], {
  file_type: 'raster',
  dg_id: group,
  start_date: '2024-01-01',
  end_date: '2024-12-31',
  unit: 'class',
  view_state: 'made',
});
await db.transaction().execute(async (trx) => {
  const findings = {
    source: null,
    raster: {
      width: 4,
      height: 2,
      bands: 1,
      data_type: 'Byte',
      nodata: 0,
      scale: null,
      offset: null,
      crs: 'EPSG:32642',
      proj: null,
      extent: [400_000, 5_600_000, 400_040, 5_600_020] as [number, number, number, number],
      resolution: [10, 10] as [number, number],
      cog: null,
    },
    timings: {},
    warnings: [],
  };
  await writeReport(trx, reportOf(raster, { engine: 'GDAL 3.6.2', findings, rows: null }));
  const band = {
    index: 1,
    valid: 6,
    nodata: 2,
    min: 1,
    max: 9,
    mean: 4.5,
    p2: 1,
    p98: 9,
    histogram: null,
    classes: null,
    no_data_ha: 0,
  };
  const counts = JSON.stringify({ pixels: 8, area_ha: 1, bands: [band] });
  await trx
    .insertInto('raster_statistics')
    .values({ dataset_id: raster, state: 'counted', counts })
    .execute();
});
await add('across', [170, 50, -170, 60], { start_date: '2020-05-01' });
await add('west', [60, 50, 64, 54], { dg_id: group });
await add('nowhere', undefined, { file_type: 'raster', end_date: '2021-03-04' });
await add('table', [46, 40, 87, 55], {
  file_type: 'vector_with_kato',
  start_date: '2019-01-01',
  end_date: '2023-12-31',
});
const names = new Map([...ids].map(([name, id]) => [id, name]));
await upload(app, { category_id: category, file_type: 'vector', name: 'not ready' });

const get = async <T = Page>(path: string): Promise<T> => {
  const response = await fetch(path.startsWith('http') ? path : app.baseUrl + path);
  const text = await response.text();
  assert.equal(response.status, 200, `${path}: ${text}`);
  return JSON.parse(text);
};
const post = async (body: unknown): Promise<Page> => {
  const response = await fetch(`${app.baseUrl}/stac/search`, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
};
const namesOf = ({ features }: Page) => features.map(({ id }) => names.get(id));
const found = async (query: Readonly<Record<string, string>>) =>
  namesOf(await get(`/stac/search?${new URLSearchParams(query).toString()}`)).toSorted();

const polygon = (...ring: readonly (readonly [number, number])[]) => ({
  type: 'Polygon',
  coordinates: [ring],
});

describe('a search', () => {
  const everything = ['across', 'nowhere', 'table', 'west', 'zones'];
  const searches: readonly (readonly [
    query: Readonly<Record<string, string>>,
    expected: readonly string[],
  ])[] = [
    [{}, everything],
    [{ bbox: '61,51,63,53' }, ['table', 'west']],
    [{ bbox: '61,51,0,67,53,9' }, ['table', 'west', 'zones']],
    [{ bbox: '175,55,-175,56' }, ['across']],
    [{ bbox: '-175,55,-171,56' }, ['across']],
    [{ bbox: '-150,50,-100,60' }, []],
    [{ bbox: '160,50,165,60' }, []],
    [{ intersects: JSON.stringify({ type: 'Point', coordinates: [67, 51] }) }, ['table', 'zones']],
    [
      {
        intersects: JSON.stringify({
          type: 'LineString',
          coordinates: [
            [175, 40],
            [175, 70],
          ],
        }),
      },
      ['across'],
    ],
    // Its box meets that of `west`, the triangle itself does not.
    [{ intersects: JSON.stringify(polygon([59, 56], [64.5, 56], [64.5, 53.9], [59, 56])) }, []],
    [{ intersects: JSON.stringify(polygon([59, 56], [64.5, 56], [64.5, 53], [59, 56])) }, ['table', 'west']],
    [
      {
        intersects: JSON.stringify({
          type: 'Polygon',
          coordinates: [
            [
              [55, 45],
              [70, 45],
              [70, 56],
              [55, 56],
              [55, 45],
            ],
            [
              [59, 49],
              [65, 49],
              [65, 54.9],
              [59, 54.9],
              [59, 49],
            ],
          ],
        }),
      },
      ['table', 'zones'],
    ],
    [{ datetime: '2024-06-01T00:00:00Z' }, ['zones']],
    [{ datetime: '2020-05-01T23:59:59.999Z' }, ['across', 'table']],
    [{ datetime: '2020-05-02T00:00:00Z' }, ['table']],
    [{ datetime: '2021-03-04T12:00:00Z/2021-03-05T00:00:00Z' }, ['nowhere', 'table']],
    [{ datetime: '../2019-06-01T00:00:00Z' }, ['table']],
    [{ datetime: '2024-12-31T00:00:00Z/..', bbox: '0,0,90,90' }, ['west', 'zones']],
    [{ ids: `${ids.get('west')},${crypto.randomUUID()},not-an-id` }, ['west']],
    [{ ids: 'not-an-id' }, []],
    [{ collections: 'zoning' }, ['west', 'zones']],
    [{ collections: 'category.soils' }, ['across', 'nowhere', 'table']],
    [{ collections: 'zoning,category.soils,nothing,category.nothing' }, everything],
    [{ collections: 'nothing' }, []],
    [{ filter: `title = 'zones' or "steppe:file_type" = 'vector_with_kato'` }, ['table', 'zones']],
    [{ filter: `proj:code = 'EPSG:32642'` }, ['zones']],
    [{ filter: `NOT (proj:code = 'EPSG:32642')` }, []],
    [{ filter: `proj:code is null and title like '%e%'` }, ['nowhere', 'table', 'west']],
    [
      { filter: `collection = 'category.soils' and not s_intersects(geometry, bbox(175,50,180,60))` },
      ['table'],
    ],
    [{ filter: `s_intersects(geometry, POLYGON((59 56, 64.5 56, 64.5 53, 59 56)))` }, ['table', 'west']],
    [
      { filter: `t_intersects(datetime, interval('2024-01-01','..')) and geometry is not null` },
      ['west', 'zones'],
    ],
    [{ filter: `end_datetime < timestamp('2021-01-01T00:00:00Z')` }, ['across']],
    [
      { filter: `title in ('zones','west') and datetime between date('2023-01-01') and date('2024-12-31')` },
      ['zones'],
    ],
    [
      {
        filter: JSON.stringify({ op: 'like', args: [{ property: 'title' }, 'w\\'] }),
        'filter-lang': 'cql2-json',
      },
      ['table'],
    ],
    [{ filter: `title = '''; drop table datasets; --'` }, []],
  ];
  for (const [query, expected] of searches)
    test(`by ${JSON.stringify(query)} finds ${expected.length}`, async () =>
      assert.deepEqual(await found(query), expected));

  test('by a body finds the same', async () => {
    const asked = {
      bbox: [61, 51, 67, 53],
      datetime: '2024-06-01T00:00:00Z',
      limit: 100_000,
      collections: ['zoning'],
      ids: null,
    };
    assert.deepEqual(namesOf(await post(asked)), ['zones']);
    const filter = {
      op: 's_intersects',
      args: [{ property: 'geometry' }, { type: 'Point', coordinates: [61, 51] }],
    };
    assert.deepEqual(
      namesOf(await post({ filter, sortby: [{ field: 'properties.title', direction: 'desc' }] })),
      ['west', 'table'],
    );
  });

  test('leads from page to page in any order, and each item is there once', async () => {
    const orders: readonly (readonly [sortby: string | undefined, expected: readonly string[]])[] = [
      [undefined, ['table', 'nowhere', 'west', 'across', 'zones']],
      ['+created', ['zones', 'across', 'west', 'nowhere', 'table']],
      ['title', ['across', 'nowhere', 'table', 'west', 'zones']],
      ['-properties.title', ['zones', 'west', 'table', 'nowhere', 'across']],
      ['-datetime,id', ['west', 'zones', 'nowhere', 'across', 'table']],
    ];
    for (const [sortby, expected] of orders) {
      const seen: (string | undefined)[] = [];
      let next: string | undefined =
        `/stac/search?limit=2${sortby === undefined ? '' : `&sortby=${encodeURIComponent(sortby)}`}`;
      for (let pages = 0; next !== undefined; pages += 1) {
        assert.ok(pages < 3, 'there are more pages than items');
        const page: Page = await get(next);
        seen.push(...namesOf(page));
        next = page.links.find(({ rel }) => rel === 'next')?.href;
      }
      assert.deepEqual(seen, expected, sortby);
    }
  });

  test('by a body leads on by a body', async () => {
    const first = await post({ limit: 3, sortby: [{ field: 'title', direction: 'asc' }] });
    const next: Link = first.links.find(({ rel }) => rel === 'next') ?? assert.fail();
    assert.equal(next.method, 'POST');
    assert.deepEqual(namesOf(await post(next.body)), ['west', 'zones']);
  });

  test('sends the members that are asked for', async () => {
    const [only] = (await get('/stac/search?ids=' + raster + '&fields=properties.title,-collection'))
      .features;
    assert.deepEqual(only, {
      type: 'Feature',
      stac_version: '1.1.0',
      id: raster,
      properties: { title: 'zones' },
    });
    const [less] = (await post({ ids: [raster], fields: { exclude: ['assets', 'links', 'properties'] } }))
      .features;
    assert.deepEqual(Object.keys(less ?? {}).toSorted(), [
      'bbox',
      'collection',
      'geometry',
      'id',
      'stac_extensions',
      'stac_version',
      'type',
    ]);
  });

  const refused: readonly (readonly [query: string, fault: RegExp])[] = [
    ['colour=red', /^colour: is not a parameter/],
    ['bbox=1,2,3', /^bbox: /],
    ['datetime=2024-01-01', /^datetime: /],
    ['datetime=../..', /^datetime: /],
    ['limit=0', /^limit: /],
    ['sortby=weight', /^sortby: must be id, created/],
    ['token=abc', /^token: /],
    [`token=${Buffer.from('["-created,+id","yesterday","x"]').toString('base64url')}`, /^token: /],
    ['intersects=7', /^intersects: must be a GeoJSON geometry/],
    [
      'intersects={"type":"Point","coordinates":[1,2]}&bbox=1,2,3,4',
      /^intersects: must not be sent together/,
    ],
    ['filter=weight=1', /^filter: has the property weight/],
    ['filter=title=%271%27&filter-crs=EPSG:4326', /^filter-crs: /],
    [`filter=${'('.repeat(3000)}title`, /^filter: must have at most 16 operations/],
    [
      `filter=${encodeURIComponent(Array.from({ length: 150 }, () => 'steppe:unit is null').join(' or '))}`,
      /^filter: must have at most 200/,
    ],
  ];
  for (const [query, fault] of refused)
    test(`refuses ${query.slice(0, 60)}`, async () => {
      const response = await fetch(`${app.baseUrl}/stac/search?${query}`);
      const { error, code, description }: Record<string, string> = JSON.parse(await response.text());
      assert.equal(response.status, 400, error);
      assert.match(error ?? '', fault);
      assert.deepEqual([code, description], ['InvalidParameterValue', error]);
    });

  test('refuses bodies as it does queries', async () => {
    for (const body of [
      { bbox: [1, 2, 3] },
      { limit: -1 },
      { intersects: {} },
      { datetime: '2024' },
      { sortby: [{ field: 'x' }] },
      { filter: { op: 'x', args: [] } },
      { collections: 'zoning' },
    ]) {
      const response = await fetch(`${app.baseUrl}/stac/search`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 400, JSON.stringify(body));
      assert.match(await response.text(), /^\{"error":"\w+.*"code":"InvalidParameterValue"/);
    }
  });
});

describe('an item', () => {
  test('keeps to STAC 1.1 and to the extensions that it names', async () => {
    const { features } = await get('/stac/search');
    assert.equal(features.length, 5);
    for (const item of features) StacItem.parse(item);
  });

  test('has what is known of a raster', async () => {
    const item = StacItem.parse(await get(`/stac/collections/zoning/items/${raster}`));
    assert.deepEqual(item.bbox, [66, 50, 68, 52]);
    assert.deepEqual(
      [item.properties.datetime, item.properties.start_datetime, item.properties.end_datetime],
      [null, '2024-01-01T00:00:00Z', '2024-12-31T23:59:59.999Z'],
    );
    assert.equal(item.properties['proj:code'], 'EPSG:32642');
    assert.deepEqual(item.properties['proj:transform'], [10, 0, 400_000, 0, -10, 5_600_020]);
    assert.deepEqual(item.properties['processing:software'], { GDAL: '3.6.2' });
    assert.deepEqual(item.assets['data']?.bands?.[0]?.statistics, {
      minimum: 1,
      maximum: 9,
      mean: 4.5,
      count: 6,
      valid_percent: 75,
    });
  });

  test('across 180° has two boxes, one that lies nowhere has none', async () => {
    const across = StacItem.parse(await get(`/stac/collections/category.soils/items/${ids.get('across')}`));
    assert.deepEqual([across.geometry?.type, across.bbox], ['MultiPolygon', [170, 50, -170, 60]]);
    const nowhere = StacItem.parse(await get(`/stac/collections/category.soils/items/${ids.get('nowhere')}`));
    assert.deepEqual([nowhere.geometry, nowhere.bbox], [null, undefined]);
  });

  test('is in its own collection alone', async () => {
    for (const path of [
      `category.soils/items/${raster}`,
      `zoning/items/${crypto.randomUUID()}`,
      'zoning/items/x',
      'nothing/items',
      'nothing',
    ])
      assert.equal((await fetch(`${app.baseUrl}/stac/collections/${path}`)).status, 404, path);
  });

  test('has an asset for its FlatGeobuf where it has one', async () => {
    const path = `/stac/collections/zoning/items/${ids.get('west')}`;
    assert.equal(StacItem.parse(await get(path)).assets['fgb'], undefined);
    await setState(app.services, ids.get('west') ?? '', {}, { fgb: 'fgb' });
    assert.equal(StacItem.parse(await get(path)).assets['fgb']?.type, 'application/vnd.flatgeobuf');
    await sql`delete from dataset_files where kind = 'fgb'`.execute(db);
  });
});

describe('the catalogue', () => {
  test('pages through collections, each with the extents of its datasets', async () => {
    const codes: string[] = [];
    let next: string | undefined = '/stac/collections?limit=1';
    while (next !== undefined) {
      const page: {
        readonly collections: readonly { readonly id: string; readonly extent: unknown }[];
      } & Pick<Page, 'links'> = await get(next);
      codes.push(...page.collections.map(({ id }) => id));
      next = page.links.find(({ rel }) => rel === 'next')?.href;
    }
    assert.deepEqual(codes, ['zoning', 'category.soils']);
    const { extent } = await get<{ readonly extent: unknown }>('/stac/collections/category.soils');
    assert.deepEqual(extent, {
      spatial: { bbox: [[-180, 40, 180, 60]] },
      temporal: { interval: [['2019-01-01T00:00:00.000Z', '2023-12-31T23:59:59.999Z']] },
    });
  });

  test('leads nowhere in vain: each link of each page of it is answered', async () => {
    const seen = new Set<string>();
    const visit = async (address: string): Promise<void> => {
      if (seen.has(address)) return;
      seen.add(address);
      const body = await get<{
        links?: readonly Link[];
        features?: readonly { links: readonly Link[] }[];
        collections?: readonly { links: readonly Link[] }[];
      }>(address);
      const links = [body, ...(body.features ?? []), ...(body.collections ?? [])].flatMap(
        (each) => each.links ?? [],
      );
      for (const { href, method } of links)
        if (href.includes('/stac') && method !== 'POST') await visit(href);
    };
    await visit(`${app.baseUrl}/stac`);
    assert.ok(seen.size > 15, [...seen].join('\n'));
  });

  test('is described in OpenAPI 3.0', async () => {
    const { openapi, paths } = await get<{ openapi: string; paths: object }>('/stac/api');
    assert.equal(openapi, '3.0.3');
    assert.deepEqual(Object.keys(paths).toSorted(), [
      '/',
      '/api',
      '/collections',
      '/collections/{collectionId}',
      '/collections/{collectionId}/items',
      '/collections/{collectionId}/items/{itemId}',
      '/collections/{collectionId}/queryables',
      '/conformance',
      '/queryables',
      '/search',
    ]);
  });
});
