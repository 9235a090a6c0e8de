import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApp } from '../../test/support/app.ts';
import { setState } from '../../test/support/datasets.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { insertSucceededRun } from '../../test/support/landscape/gap-runs.ts';
import {
  fillStacCatalogue,
  type StacLink,
  type StacPage,
} from '../../test/support/standards/stac-catalogue.ts';
import { StacItem } from '../../test/support/standards/stac-schemas.ts';

const app = await closeAfterTests(startTestApp());
const { ids, raster, get } = await fillStacCatalogue(app);

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
      ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z', '2024-12-31T23:59:59.999Z'],
    );
    const { data, ...others } = item.assets;
    assert.deepEqual([data?.['proj:code'], data?.['proj:epsg']], ['EPSG:32642', 32_642]);
    assert.deepEqual(data?.['proj:transform'], [10, 0, 400_000, 0, -10, 5_600_020]);
    // odc-stac would treat a picture with a projection as a band.
    assert.doesNotMatch(JSON.stringify([item.properties, others]), /proj:/);
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

  test('of an output of a run leads to what it was made from, once each, and not to what is gone', async () => {
    const { db } = app.services;
    const run = await insertSucceededRun(db, raster);
    const west = ids.get('west') ?? '';
    const madeWith = { steppe: '1.0.0', gdal: 'GDAL 3.6.4', proj: null };
    const inputs = [west, west, crypto.randomUUID()].map((id) => ({
      group: 'landscape-in-dem',
      dataset_id: id,
    }));
    await db
      .updateTable('landscape_run_nodes')
      .set({ inputs: JSON.stringify(inputs), made_with: JSON.stringify(madeWith) })
      .where('run_id', '=', run)
      .execute();
    const { links, properties } = StacItem.parse(await get(`/stac/collections/zoning/items/${raster}`));
    const origins = links.filter(({ rel }) => rel === 'derived_from').map(({ href }) => href);
    assert.deepEqual(origins, [`${app.baseUrl}/stac/collections/zoning/items/${west}`]);
    assert.equal(properties['landscape:run_id'], run);
    assert.deepEqual(properties['processing:software'], { GDAL: '3.6.4', Steppe: '1.0.0' });
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

  test('has assets for its FlatGeobuf and its GeoPackage where it has one', async () => {
    const path = `/stac/collections/zoning/items/${ids.get('west')}`;
    assert.equal(StacItem.parse(await get(path)).assets['fgb'], undefined);
    await setState(app.services, ids.get('west') ?? '', {}, { fgb: 'fgb' });
    const { fgb, gpkg } = StacItem.parse(await get(path)).assets;
    assert.deepEqual([fgb?.type, gpkg?.type], ['application/flatgeobuf', 'application/geopackage+sqlite3']);
    await sql`delete from dataset_files where kind = 'fgb'`.execute(app.services.db);
  });
});

describe('the catalogue', () => {
  test('pages through collections, each with the extents of its datasets', async () => {
    const codes: string[] = [];
    let next: string | undefined = '/stac/collections?limit=1';
    while (next !== undefined) {
      const page: {
        readonly collections: readonly { readonly id: string; readonly extent: unknown }[];
      } & Pick<StacPage, 'links'> = await get(next);
      codes.push(...page.collections.map(({ id }) => id));
      next = page.links.find(({ rel }) => rel === 'next')?.href;
    }
    assert.deepEqual(codes, ['zoning', 'category.soils']);
    const found = async (q: string) =>
      (
        await get<{ collections: readonly { readonly id: string }[] }>(
          `/stac/collections?q=${encodeURIComponent(q)}`,
        )
      ).collections.map(({ id }) => id);
    assert.deepEqual(await found('SOIL,nothing'), ['category.soils']);
    assert.deepEqual(await found('nothing'), []);
    assert.deepEqual(await found(''), codes);
    const { extent } = await get<{ readonly extent: unknown }>('/stac/collections/category.soils');
    assert.deepEqual(extent, {
      spatial: { bbox: [[-180, 40, 180, 60]] },
      temporal: { interval: [['2019-01-01T00:00:00.000Z', '2023-12-31T23:59:59.999Z']] },
    });
  });

  test('has no dead link: each link of each of its pages is answered', async () => {
    const seen = new Set<string>();
    const visit = async (address: string): Promise<void> => {
      if (seen.has(address)) return;
      seen.add(address);
      const body = await get<{
        links?: readonly StacLink[];
        features?: readonly { links: readonly StacLink[] }[];
        collections?: readonly { links: readonly StacLink[] }[];
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

test('a name with the letters of macOS is found by the same letters as others write them', async () => {
  const { db } = app.services;
  const west = ids.get('west') ?? '';
  const [whole, apart] = ['Ши\u0439ели', 'Ши\u0438\u0306ели'];
  for (const [name, asked] of [
    [apart, whole],
    [whole, apart],
  ] as const) {
    await db.updateTable('datasets').set({ name }).where('id', '=', west).execute();
    for (const filter of [
      `title = '${asked}'`,
      `title like '%${asked.slice(2)}'`,
      `title in ('${asked}','x')`,
    ]) {
      const { features } = await get(`/stac/search?filter=${encodeURIComponent(filter)}`);
      assert.deepEqual(
        [features.length, features[0]?.id, features[0]?.properties['title']],
        [1, west, name],
        filter,
      );
    }
    const listed = await get<object>(`/datasets?q=${encodeURIComponent(asked)}`);
    assert.match(JSON.stringify(listed), new RegExp(west));
    assert.doesNotMatch(JSON.stringify(listed), new RegExp(raster));
  }
});
