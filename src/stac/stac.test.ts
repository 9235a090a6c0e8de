import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp } from '../../test/support/app.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import {
  fillStacCatalogue,
  type StacLink,
  type StacPage,
} from '../../test/support/standards/stac-catalogue.ts';

const app = await closeAfterTests(startTestApp());
const { ids, names, raster, get, post } = await fillStacCatalogue(app);

const namesOf = ({ features }: StacPage) => features.map(({ id }) => names.get(id) ?? '');
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
    // Its box intersects that of `west`, the triangle itself does not.
    [{ intersects: JSON.stringify(polygon([59, 56], [64.5, 56], [64.5, 53.9], [59, 56])) }, ['table']],
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
      [],
    ],
    [{ filter: `title = '''; drop table datasets; --'` }, []],
    [{ filter: `eo:cloud_cover < 10 or not mission like 'sentinel%'` }, []],
    [{ filter: `eo:cloud_cover is null and title = 'zones'` }, ['zones']],
    // Numbers whose products exceed the range of the database.
    [{ bbox: '-1e300,-1e300,1e300,1e300' }, ['across', 'table', 'west', 'zones']],
    [{ filter: 's_intersects(geometry, bbox(0,-1e308,90,1e308))' }, ['table', 'west', 'zones']],
    [
      {
        intersects: JSON.stringify(
          polygon([1e-200, 1e-200], [90, 1e-300], [90, 60], [1e-200, 60], [1e-200, 1e-200]),
        ),
      },
      ['table', 'west', 'zones'],
    ],
    [
      {
        query: JSON.stringify({ title: { in: ['zones', 'west'] }, 'properties.title': { startsWith: 'z' } }),
      },
      ['zones'],
    ],
    [{ query: JSON.stringify({ 'eo:cloud_cover': { lt: 10 } }) }, []],
    [{ query: '{}', filter: `title = 'west'` }, ['west']],
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
      intersects: null,
      'filter-crs': null,
      q: null,
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
        const page: StacPage = await get(next);
        seen.push(...namesOf(page));
        next = page.links.find(({ rel }) => rel === 'next')?.href;
      }
      assert.deepEqual(seen, expected, sortby);
    }
  });

  test('by a body leads on by a body', async () => {
    const first = await post({ limit: 3, sortby: [{ field: 'title', direction: 'asc' }] });
    const next: StacLink = first.links.find(({ rel }) => rel === 'next') ?? assert.fail();
    assert.equal(next.method, 'POST');
    const last = await post(next.body);
    assert.deepEqual(namesOf(last), ['west', 'zones']);
    assert.deepEqual([first.numberMatched, last.numberMatched], [5, 5]);
    const inBox = await post({ limit: 1, bbox: [61, 51, 67, 53], filter: null, datetime: null });
    assert.deepEqual([inBox.numberMatched, (await post({ bbox: [1, 1, 2, 2] })).numberMatched], [3, 0]);
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

  for (const [fields, members, properties] of [
    [{}, 9, ['datetime']],
    [{ include: null, exclude: ['geometry'] }, 8, ['datetime']],
    [{ include: ['properties.title'], exclude: ['properties'] }, 5, ['title']],
    [{ include: ['properties'], exclude: ['properties.created', 'properties'] }, 5, undefined],
  ] as const)
    test(`has members of an item by ${JSON.stringify(fields)}`, async () => {
      const [item] = (await post({ ids: [raster], fields })).features;
      assert.equal(Object.keys(item ?? {}).length, members);
      if (properties === undefined)
        assert.ok(item?.properties['created'] === undefined && item?.properties['title']);
      else assert.deepEqual(Object.keys(item?.properties ?? {}), properties);
    });

  const refused: readonly (readonly [query: string, fault: RegExp])[] = [
    ['colour=red', /^colour: is not a parameter/],
    ['bbox=1,2,3', /^bbox: /],
    ['datetime=2024-01-01', /^datetime: /],
    ['datetime=../..', /^datetime: /],
    ['limit=0', /^limit: /],
    ['sortby=weight', /^sortby: must be id, created/],
    ['token=abc', /^token: /],
    ...[
      'yesterday',
      '2024-13-01 00:00:00+00',
      '2024-02-30 00:00:00+00',
      '0000-01-01 00:00:00+00',
      '2024-01-01 25:00:00+00',
    ]
      .map((time) => JSON.stringify(['-created,+id', time, crypto.randomUUID()]))
      .map((token) => [`token=${Buffer.from(token).toString('base64url')}`, /^token: /] as const),
    ['intersects={"type":"LineString","coordinates":[[1e308,0],[0,-1e308]]}', /^intersects: .* in degrees/],
    [
      'filter=s_intersects(geometry,POLYGON((-1e200 -1e200,1e200 -1e200,1e200 1e200,-1e200 -1e200)))',
      /^filter: .* in degrees/,
    ],
    ['query=7', /^query: must be an object/],
    ['query={"title":{"matches":"x"}}', /^query: .*: eq, neq/],
    ['intersects=7', /^intersects: must be a GeoJSON geometry/],
    [
      'intersects={"type":"Point","coordinates":[1,2]}&bbox=1,2,3,4',
      /^intersects: must not be sent together/,
    ],
    ['filter=title=%271%27&filter-crs=EPSG:4326', /^filter-crs: /],
    [`filter=${'('.repeat(3000)}title`, /^filter: must have at most 16 nested operations/],
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

  test('of a collection may name it once more, and other collections besides', async () => {
    const path = '/stac/collections/zoning/items';
    assert.deepEqual(namesOf(await get(`${path}?collections=zoning`)).toSorted(), ['west', 'zones']);
    assert.deepEqual(namesOf(await get(`${path}?collections=category.soils`)), []);
    assert.deepEqual(namesOf(await get(`${path}?collections=zoning&ids=${raster}`)), ['zones']);
  });

  test('refuses bodies as it does queries', async () => {
    for (const body of [
      { bbox: [1, 2, 3] },
      { limit: -1 },
      { intersects: {} },
      { datetime: '2024' },
      { sortby: [{ field: 'x' }] },
      { filter: { op: 'x', args: [] } },
      { colections: ['zoning'] },
      { page: 2, query: null },
      { query: ['title'] },
      [],
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
