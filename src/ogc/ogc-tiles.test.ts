import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedDistricts } from '../units/import.ts';
import { startTestApp } from '../../test/support/app.ts';
import { geoJsonForms, getRaw, insertCategory, send, setState, upload } from '../../test/support/datasets.ts';
import { drawableRaster } from '../../test/support/geo/drawable-raster.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { decodeTile } from '../../test/support/maps/vector-tiles.ts';

const app = await closeAfterTests(startTestApp());
const { db } = app.services;
await seedDistricts(db);
const category_id = await insertCategory(db);

async function addRaster(columns: object = {}): Promise<string> {
  const { id } = await upload(app, { category_id, file_type: 'raster' });
  const { columns: drawable, objects } = await drawableRaster();
  await setState(app.services, id, { ...drawable, ...columns }, objects);
  return id;
}

async function addVector(): Promise<string> {
  const { id } = await upload(app, { category_id, file_type: 'vector' });
  const geometry = { type: 'Point', coordinates: [70, 50] };
  const text = JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry }],
  });
  await setState(app.services, id, { status: 'ready' }, { ...geoJsonForms(text), fgb: 'fgb' });
  await db
    .insertInto('vector_features')
    .values({ dataset_id: id, state: 'made', features: 1, box: [70, 50, 70, 50] })
    .execute();
  return id;
}

// In the north-eastern quarter of the world.
const raster = await addRaster();
const vector = await addVector();
const small = await addRaster({ bbox: [50, 30, 60, 40] });
await addRaster({ view_state: 'failed' });

/** `assert` would take minutes to print the difference of pictures. */
const areSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

interface Tileset {
  readonly links: readonly { readonly rel: string; readonly href: string; readonly type?: string }[];
  readonly tileMatrixSetLimits: readonly object[];
}

async function ask<T>(path: string, status = 200): Promise<T> {
  const answer = await send(app, path);
  assert.equal(answer.status, status, answer.text);
  return JSON.parse(answer.text);
}

const pathOf = (links: Tileset['links'], rel: string) =>
  links.find((link) => link.rel === rel)?.href.slice(app.baseUrl.length) ?? assert.fail(rel);

/** Path of a tile, from the links of its collection. */
async function addressOf(collection: string, kind: 'map' | 'vector') {
  const { links } = await ask<Tileset>(`/ogc/collections/${collection}`);
  const list = pathOf(links, `http://www.opengis.net/def/rel/ogc/1.0/tilesets-${kind}`);
  const { tilesets } = await ask<{ tilesets: readonly Tileset[] }>(list);
  assert.equal(tilesets.length, 1);
  const tileset = await ask<Tileset>(pathOf(tilesets[0]?.links ?? [], 'self'));
  const scheme = pathOf(tileset.links, 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme');
  assert.equal((await ask<{ id: string }>(scheme)).id, 'WebMercatorQuad');
  const template = pathOf(tileset.links, 'item');
  const address = (tileMatrix: number, tileRow: number, tileCol: number) =>
    Object.entries({ tileMatrix, tileRow, tileCol }).reduce(
      (path, [name, value]) => path.replace(`{${name}}`, String(value)),
      template,
    );
  return { tileset, address };
}

test('rasters come behind all features, whatever their age, and each once', async () => {
  const ids: string[] = [];
  for (let path: string | undefined = '/ogc/collections?limit=1'; path !== undefined;) {
    const page: { collections: readonly { id: string }[]; links: Tileset['links'] } = await ask(path);
    ids.push(...page.collections.map(({ id }) => id));
    path = page.links.find(({ rel }) => rel === 'next')?.href.replace(/^.*(?=\/ogc)/, '');
    assert.ok(ids.length < 10);
  }
  assert.deepEqual(ids, ['districts', 'regions', vector, small, raster]);
  const { itemType, links } = await ask<{ itemType: string; links: Tileset['links'] }>(
    `/ogc/collections/${raster}`,
  );
  assert.deepEqual(
    [itemType, links.map(({ rel }) => rel)],
    ['unknown', ['self', 'http://www.opengis.net/def/rel/ogc/1.0/tilesets-map']],
  );
  for (const path of ['items', 'items/0', 'queryables']) {
    const { error } = await ask<{ error: string }>(`/ogc/collections/${raster}/${path}`, 404);
    assert.match(error, /^the collection is a raster, which has no features: its tiles are at \/map\/tiles/);
  }
});

test('collections are on one page for clients that look at no other, and are found with a slash behind them', async () => {
  interface Parameter {
    readonly name: string;
    readonly schema: { readonly default?: number };
  }
  const { paths } = await ask<{
    paths: Readonly<Record<string, { get: { parameters: readonly Parameter[] } }>>;
  }>('/ogc/api?f=json');
  const limit = paths['/collections']?.get.parameters.find(({ name }) => name === 'limit');
  assert.equal(limit?.schema.default, 1000);
  for (const path of [
    '/',
    '/collections/',
    '/collections/districts/?f=json',
    '/collections/districts/items/?limit=1',
  ])
    assert.ok(await ask(`/ogc${path}`));
});

test('the tiles of a raster are those of its map, the row before the column', async () => {
  const { tileset, address } = await addressOf(raster, 'map');
  assert.deepEqual(tileset.tileMatrixSetLimits.slice(0, 2), [
    { tileMatrix: '0', minTileRow: 0, maxTileRow: 0, minTileCol: 0, maxTileCol: 0 },
    { tileMatrix: '1', minTileRow: 0, maxTileRow: 1, minTileCol: 0, maxTileCol: 1 },
  ]);
  const [zoom, row, column] = [1, 0, 1] as const;
  const tile = await getRaw(app, address(zoom, row, column));
  assert.equal(tile.status, 200);
  assert.equal(tile.headers.get('content-type'), 'image/png');
  assert.equal(tile.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  const own = await getRaw(app, `/datasets/${raster}/tiles/${zoom}/${column}/${row}.png`);
  assert.ok(areSame(tile.bytes, own.bytes));
  const mirrored = await getRaw(app, `/datasets/${raster}/tiles/${zoom}/${row}/${column}.png`);
  assert.ok(!areSame(tile.bytes, mirrored.bytes));
  const known = { 'if-none-match': tile.headers.get('etag') ?? '' };
  assert.equal((await getRaw(app, address(zoom, row, column), known)).status, 304);
  const head = await send(app, address(zoom, row, column), { method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal(head.headers.get('content-length'), String(tile.bytes.length));
});

test('a tile outside of the limits is not found, also where the map of the raster is empty', async () => {
  const { address } = await addressOf(small, 'map');
  const [path = ''] = address(1, 0, 0).split('?');
  assert.equal((await getRaw(app, `/datasets/${small}/tiles/1/0/0.png`)).status, 200);
  assert.equal((await getRaw(app, address(1, 0, 1))).status, 200);
  await ask(path, 404);
  await ask(path.replace('/1/0/0', '/2/1/2'), 404);
  for (const wrong of ['/3/00/0', '/3/+1/0', '/3/1e0/0', '/3/1.0/0', '/25/0/0', '/03/0/0', '/3/%31/4'])
    await ask(path.replace('/1/0/0', wrong), 400);
  const { code, error, description } = await ask<Record<string, string>>(`${path}?empty=204`, 400);
  assert.deepEqual([code, description], ['InvalidParameterValue', error]);
  await ask(`/ogc/collections/${raster}/tiles`, 422);
  await ask('/ogc/collections/districts/map/tiles', 404);
  await ask(`/ogc/collections/${raster}/map/tiles/WorldCRS84Quad`, 404);
});

test('a precondition that fails is said in both dialects', async () => {
  const { address } = await addressOf(raster, 'map');
  const { status, text } = await send(app, address(0, 0, 0), { headers: { 'if-match': '"other"' } });
  const { code, error, description } = JSON.parse(text);
  assert.deepEqual([status, code, description], [412, 'PreconditionFailed', error]);
});

test('vector tiles of units have their layer alone, those of a vector what its map has', async () => {
  for (const level of ['districts', 'regions']) {
    const { address } = await addressOf(level, 'vector');
    const { status, bytes } = await getRaw(app, address(2, 1, 2), { 'accept-encoding': 'identity' });
    assert.equal(status, 200);
    const layers = new Set(decodeTile(bytes, 2).map(({ layer }) => layer));
    assert.deepEqual([...layers], [level]);
  }
  const { tileset, address } = await addressOf(vector, 'vector');
  assert.equal(tileset.tileMatrixSetLimits.length, 15);
  const identity = { 'accept-encoding': 'identity' };
  const tile = await getRaw(app, address(5, 10, 22), identity);
  const own = await getRaw(app, `/datasets/${vector}/tiles/5/22/10.mvt`, identity);
  assert.ok(tile.status === 200 && areSame(tile.bytes, own.bytes));
  assert.equal(decodeTile(tile.bytes, 5).length, 1);
  await ask(address(5, 22, 10), 404);
});

test('operations are called in the description of the APIs as the standard has it', async () => {
  interface Described {
    readonly paths: Readonly<Record<string, { readonly get?: { readonly operationId: string } }>>;
  }
  const { paths } = await ask<Described>('/ogc/api');
  const idOf = (path: string) => paths[`/collections/{collectionId}${path}`]?.get?.operationId;
  const tile = '/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}';
  for (const [path, kind] of [
    ['/tiles', 'vector'],
    ['/map/tiles', 'map'],
  ] as const)
    assert.deepEqual(
      ['', '/WebMercatorQuad', tile].map((below) => idOf(path + below)),
      ['getTileSetsList', 'getTileSet', 'getTile'].map((name) => `collection.${kind}.${name}`),
    );
});
