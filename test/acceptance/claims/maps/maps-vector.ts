import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { decodeTile } from '../../../support/maps/vector-tiles.ts';
import { claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { fetchBytes } from '../../support/bytes.ts';
import { pathOf, placed, type TileJson, tileAt } from '../../support/maps.ts';
import { sharedRaster, sharedTable, sharedVector, unmappedTable } from '../../support/shared.ts';

const mvt = 'application/vnd.mapbox-vector-tile';
const place = tileAt(70.5, 50.5, 5);

async function fetchTile(client: Client, path: string) {
  const { bytes, headers } = await fetchBytes(client, 200, path);
  assert.equal(headers['content-type'], mvt);
  const zoom = Number(/\/tiles\/(\d+)/.exec(path)?.[1]);
  return { headers, bytes, features: decodeTile(bytes, zoom) };
}

claim(
  ['D8 mvt'],
  'a tile of a vector has its feature in a layer of its id, gzip for those who take it, and an ETag',
  async (client) => {
    const { id } = await sharedVector(client);
    const path = `/datasets/${id}/tiles/${place}.mvt`;
    const { features, headers, bytes } = await fetchTile(client, path);
    assert.deepEqual(
      features.map(({ layer, properties }) => [layer, { ...properties }]),
      [[id, { a: 1 }]],
    );
    const zipped = await fetchBytes(client, 200, path, { headers: { 'accept-encoding': 'gzip' } });
    assert.deepEqual(
      [zipped.headers['content-encoding'], zipped.headers['vary']],
      ['gzip', 'Accept-Encoding'],
    );
    assert.ok(gunzipSync(zipped.bytes).equals(bytes));
    assert.notEqual(zipped.headers['etag'], headers['etag']);
    assert.equal(headers['cache-control'], 'no-cache');
    const known = { 'if-none-match': headers['etag'] ?? '' };
    await fetchBytes(client, 304, path, { headers: known });
    assert.equal((await fetchTile(client, `/datasets/${id}/tiles/5/0/0.mvt`)).bytes.length, 0);
  },
);

claim(
  ['D8 mvt KATO'],
  'a tile of a table by KATO has its units with all that a style can name, or the value of one date',
  async (client) => {
    const { id } = await sharedTable(client);
    const path = `/datasets/${id}/tiles/${tileAt(71.4, 51, 4)}.mvt`;
    const factsOf = async (query: string) => {
      const { features } = await fetchTile(client, path + query);
      const facts = features.map((each) => [each.id, { ...each.properties }] as const);
      return facts.toSorted(([one = 0], [other = 0]) => one - other);
    };
    assert.deepEqual(await factsOf(''), [
      [
        110_000_000,
        {
          kato: '110000000',
          name: 'Акмолинская',
          value: 789.5,
          '2022-12-31': 788,
          '2023-01-01': 789.5,
          y2022: 788,
          y2023: 789.5,
        },
      ],
      [710_000_000, { kato: '710000000', name: 'Астана', '2022-12-31': 1354.5, y2022: 1354.5 }],
      [
        750_000_000,
        {
          kato: '750000000',
          name: 'Алматы',
          value: 2.25,
          '2022-12-31': 'н/д',
          '2023-01-01': 2.25,
          y2022: 'н/д',
          y2023: 2.25,
        },
      ],
    ]);
    assert.deepEqual(await factsOf('?datetime=2022-12-31'), [
      [110_000_000, { kato: '110000000', name: 'Акмолинская', value: 788 }],
      [710_000_000, { kato: '710000000', name: 'Астана', value: 1354.5 }],
      [750_000_000, { kato: '750000000', name: 'Алматы', value: 'н/д' }],
    ]);
    await client.refused(400, 'GET', `${path}?datetime=2022`);
  },
);

claim(
  ['D8 mvt refusals'],
  'a raster has no tiles of vectors, nor has what is not ready; a tile lies within its zoom, 0 to 22',
  async (client) => {
    const { id } = await sharedVector(client);
    await client.refused(422, 'GET', `/datasets/${(await sharedRaster(client)).id}/tiles/0/0/0.mvt`);
    await client.refused(409, 'GET', `/datasets/${(await unmappedTable(client)).id}/tiles/0/0/0.mvt`);
    await client.refused(404, 'GET', `/datasets/${randomUUID()}/tiles/0/0/0.mvt`);
    for (const path of [`/datasets/${id}`, '/districts']) {
      for (const beyond of ['0/0/1', '0/1/0', '21/0/2097152']) {
        await client.refused(404, 'GET', `${path}/tiles/${beyond}.mvt`);
      }
      for (const bad of '23/0/0 1/0/00 1/-1/0 x/0/0 0/0/0@2x 1e3/0/0 +1/0/0 0x1/0/0 1/1.0/0 /0/0 ١/0/0'.split(
        ' ',
      )) {
        await client.refused(400, 'GET', `${path}/tiles/${bad}.mvt`);
      }
    }
  },
);

claim(
  ['D8 tilejson', 'D8 districts'],
  'TileJSON of vectors names layers, attributes and absolute addresses, whose tiles may be kept for ever',
  async (client) => {
    const { id: vector } = await sharedVector(client);
    const { id: table } = await sharedTable(client);
    for (const [path, layers] of [
      [`/datasets/${vector}`, [vector]],
      [`/datasets/${table}`, [table]],
      ['/districts', ['regions', 'districts']],
    ] as const) {
      const { tilejson, tiles, vector_layers: found } = await client.get<TileJson>(`${path}/tilejson.json`);
      assert.equal(tilejson, '3.0.0');
      assert.deepEqual(
        found?.map(({ id }) => id),
        layers,
      );
      for (const { fields } of found ?? []) assert.ok(Object.keys(fields).length > 0);
      const { headers } = await fetchTile(client, placed(pathOf(client, tiles[0]), place));
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    }
  },
);

claim(
  ['D8 districts'],
  'tiles of the districts have a layer of regions and one of districts, by their codes',
  async (client) => {
    const { features } = await fetchTile(client, `/districts/tiles/${tileAt(71.4, 51.1, 6)}.mvt`);
    assert.deepEqual([...new Set(features.map(({ layer }) => layer))].toSorted(), ['districts', 'regions']);
    const astana = features.find(({ layer, id }) => layer === 'regions' && id === 710_000_000);
    assert.deepEqual(
      [astana?.properties['kato'], astana?.properties['name'], astana?.properties['level']],
      ['710000000', 'Астана', 'region'],
    );
  },
);
