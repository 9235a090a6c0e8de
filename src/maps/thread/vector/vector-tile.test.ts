import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeTile, memoryContext } from '../../../../test/support/maps/vector-tiles.ts';
import type { UnitColumns } from '../../../../common/maps/units/unit-properties.ts';
import type { VectorKind } from './read-source.ts';
import { type VectorTileRequest, createIndices, createVectorTileHandler } from './vector-tile.ts';

const collection = (...features: readonly object[]) =>
  JSON.stringify({ type: 'FeatureCollection', features });
const feature = (geometry: unknown, properties: unknown = {}) => ({ type: 'Feature', geometry, properties });
const polygon = (...coordinates: readonly unknown[]) => ({ type: 'Polygon', coordinates });
const square = (west: number, south: number, side: number) => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];

async function cut(
  source: string,
  [z, x, y]: readonly [number, number, number] = [0, 0, 0],
  {
    kind = 'vector',
    datetime,
    columns,
  }: { readonly kind?: VectorKind; readonly datetime?: string; readonly columns?: UnitColumns } = {},
) {
  const request: VectorTileRequest = {
    layers: [{ name: 'layer', key: 'key', kind, columns }],
    tile: { z, x, y },
    datetime,
  };
  const { bytes, isThinned: thinned } = await createVectorTileHandler()(
    request,
    memoryContext({ key: source }),
  );
  return { bytes, thinned, features: decodeTile(bytes, z) };
}

test('A tile has the digits of whole numbers that no double can hold', async () => {
  const codes =
    '"code":12345678901234567890,"negative":-9007199254740993,"near":9007199254740991,"real":0.1234567890123456789';
  const text = `{"type":"Feature","properties":{${codes}},"geometry":{"type":"Point","coordinates":[0,0]}}`;
  const { features } = await cut(text);
  assert.deepEqual(
    features.map(({ properties }) => ({ ...properties })),
    [
      {
        code: '12345678901234567890',
        negative: '-9007199254740993',
        near: '9007199254740991',
        real: 0.123_456_789_012_345_68,
      },
    ],
  );
});

describe('A tile of units', () => {
  const geometry = polygon(square(60, 50, 10));
  const properties = {
    kato: '110000000',
    name: 'Акмола',
    data: { '2020-01-01': 1.5, '2021-01-01': 'н/д', '2022-01-01': null },
  };
  const table = collection(feature(geometry, { ...properties, periods: { '2020-01-01': '2020-12-31' } }));
  const named = { kato: '110000000', name: 'Акмола' };

  const dates = { '2020-01-01': 1.5, '2021-01-01': 'н/д' };

  test('has an attribute for each date, none for the value of the last date that it lacks, and the code as id', async () => {
    const { features } = await cut(table, [0, 0, 0], { kind: 'units' });
    assert.deepEqual(
      features.map(({ id, properties }) => [id, { ...properties }]),
      [[110_000_000, { ...named, ...dates }]],
    );
  });

  test('has the value of the last date, and the columns of the table by their names', async () => {
    const full = { ...properties, data: { ...properties.data, '2022-01-01': 7 } };
    const columns = {
      kato: 'код',
      values: [
        ['2022', '2022-01-01'],
        ['Население', '2021-01-01'],
        ['gone', '1990-01-01'],
        ['name', '2020-01-01'],
      ],
    } as const;
    const { features } = await cut(collection(feature(geometry, full)), [0, 0, 0], {
      kind: 'units',
      columns,
    });
    assert.deepEqual(
      features.map(({ properties }) => ({ ...properties })),
      [
        {
          код: '110000000',
          '2022': 7,
          Население: 'н/д',
          ...dates,
          '2022-01-01': 7,
          ...named,
          value: 7,
        },
      ],
    );
  });

  test('has the value of a date alone when that is asked for, and none when there is none', async () => {
    const at = async (datetime: string) => {
      const { features } = await cut(table, [0, 0, 0], { kind: 'units', datetime });
      return features.map(({ properties }) => ({ ...properties }));
    };
    assert.deepEqual(await at('2020-01-01'), [{ ...named, value: 1.5 }]);
    assert.deepEqual(await at('2021-01-01'), [{ ...named, value: 'н/д' }]);
    assert.deepEqual(await at('2022-01-01'), [named]);
    assert.deepEqual(await at('1999-01-01'), [named]);
  });

  test('keeps the latest of more dates than columns', async () => {
    const dates = Array.from({ length: 40 }, (_, index) => `${1980 + index}-01-01`);
    const data = Object.fromEntries(dates.map((date, index) => [date, index]));
    const { features } = await cut(
      collection(feature(geometry, { kato: '0123', name: 'x', data })),
      [0, 0, 0],
      {
        kind: 'units',
      },
    );
    assert.equal(features[0]?.id, 0);
    assert.deepEqual(Object.keys(features[0]?.properties ?? {}).toSorted(), [
      ...dates.slice(10),
      'kato',
      'name',
      'value',
    ]);
  });
});

describe('Attributes', () => {
  const point = { type: 'Point', coordinates: [1, 1] };
  const attributesOf = async (...all: readonly unknown[]) => {
    const { features } = await cut(collection(...all.map((properties) => feature(point, properties))));
    return features.map(({ properties }) => ({ ...properties }));
  };

  test('are scalars alone, cut where they are long', async () => {
    const long = `${'я'.repeat(255)}😀`;
    assert.deepEqual(
      await attributesOf({
        a: 1,
        b: -2.5,
        c: true,
        d: null,
        e: [1],
        f: { g: 1 },
        rows: [{ h: 1 }],
        i: long,
        j: '',
      }),
      [{ a: 1, b: -2.5, c: true, i: `${'я'.repeat(255)}\ufffd`, j: '' }],
    );
  });

  test('of numbers that no integer of a tile can hold are text', async () => {
    const properties = { a: 1e300, b: -1e20, c: 2 ** 53, d: 2 ** 52, e: -(2 ** 52), f: 5e-324 };
    assert.deepEqual(await attributesOf(properties), [
      { ...properties, a: '1e+300', b: '-100000000000000000000', c: '9007199254740992' },
    ]);
  });

  test('are at most 256, the first that have a value anywhere', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`c${index}`, index]));
    const [first, second] = await attributesOf({ c40: 'x', nothing: null }, many);
    assert.deepEqual(first, { c40: 'x' });
    assert.deepEqual(Object.keys(second ?? {}), [
      'c40',
      ...Array.from({ length: 256 }, (_, index) => `c${index}`).filter((name) => name !== 'c40'),
    ]);
  });

  test('with names that every object has are left out, and do not damage the tile', async () => {
    const properties = JSON.parse('{"constructor":"a","__proto__":"b","toString":1,"name":"c"}');
    assert.deepEqual(await attributesOf(properties), [{ name: 'c' }]);
  });
});

describe('Geometry', () => {
  test('that is cut at 180° is in the tiles of both sides, and in the buffers of either', async () => {
    const coordinates = [[square(178, 0, 2)], [square(-180, 0, 2)]];
    const source = collection(feature({ type: 'MultiPolygon', coordinates }));
    const east = await cut(source, [3, 7, 3]);
    const west = await cut(source, [3, 0, 3]);
    for (const { features } of [east, west]) {
      assert.equal(features.length, 1);
      assert.ok(Math.abs((features[0]?.area ?? 0) / (2 / 360) ** 2 - 1) < 0.01);
    }
    const oneSide = collection(feature(polygon(square(178, 0, 2))));
    const beyond = await cut(oneSide, [3, 0, 3]);
    assert.deepEqual(
      beyond.features.map(({ area }) => area),
      [0],
    );
    assert.ok(beyond.bytes.length > 0);
  });

  test('at the deepest zoom is still there, and gone beside it', async () => {
    const source = collection(feature(polygon(square(0.0001, 0.0001, 0.001))));
    const inside = await cut(source, [22, 2 ** 21 + 5, 2 ** 21 - 5]);
    assert.ok(Math.abs((inside.features[0]?.area ?? 0) * 4 ** 22 - 1) < 1e-9);
    assert.equal((await cut(source, [22, 2 ** 21 + 50, 2 ** 21 - 5])).bytes.length, 0);
  });

  test('of nested collections is sorted by kind', async () => {
    const parts = [
      { type: 'Point', coordinates: [1, 1] },
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [10, 10],
        ],
      },
      polygon(square(20, 20, 10)),
    ];
    const nested = (depth: number): object =>
      depth === 0
        ? { type: 'GeometryCollection', geometries: parts }
        : {
            type: 'GeometryCollection',
            geometries: [nested(depth - 1), { type: 'Point', coordinates: [depth, 5] }],
          };
    const { features } = await cut(collection(feature(nested(64))));
    assert.deepEqual(
      features.map(({ id, points, area, length }) => [id, points, area > 0, length > 0]),
      [
        [0, 0, true, false],
        [0, 0, false, true],
        [0, 65, false, false],
      ],
    );
  });
});

describe('A source that', () => {
  const nothing: Readonly<Record<string, string>> = {
    'has no features': collection(),
    'has no geometry': collection(feature(null)),
    'has empty geometry': collection(
      ...['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'].map((type) =>
        feature({ type, coordinates: [] }),
      ),
      feature({ type: 'GeometryCollection', geometries: [] }),
      feature({ type: 'MultiPolygon', coordinates: [[], [[]], [[[]]]] }),
    ),
    'has geometry of no kind': collection(
      feature({ type: 'Circle', coordinates: [1, 2] }),
      feature(7),
      feature({}),
    ),
    'has positions of no numbers': collection(
      feature({ type: 'Point', coordinates: ['1', '2'] }),
      feature({ type: 'Point', coordinates: [1] }),
      feature({ type: 'LineString', coordinates: [[1, 2], [null, 3], {}] }),
      feature(
        polygon([
          [0, 0],
          [1, 1],
          [0, 0],
        ]),
      ),
    ),
    'has no extent': collection(
      feature(
        polygon([
          [1, 1],
          [1, 1],
          [1, 1],
          [1, 1],
        ]),
      ),
      feature(
        polygon([
          [0, 0],
          [5, 5],
          [0, 0],
          [0, 0],
        ]),
      ),
    ),
    'is a list': '[]',
    'is null': 'null',
    'has features of no kind': '{"type":"FeatureCollection","features":[null,1,"x",[],{}]}',
    'has no list of features': '{"type":"FeatureCollection","features":{"length":5}}',
  };
  for (const [name, source] of Object.entries(nothing)) {
    test(`${name} gives a tile of no bytes`, async () => {
      const { bytes, thinned } = await cut(source);
      assert.deepEqual([bytes.length, thinned], [0, false]);
    });
  }

  test('lies beyond the earth comes to its edge', async () => {
    const { features } = await cut(collection(feature(polygon(square(-1000, -1000, 2000)))));
    assert.ok(Math.abs((features[0]?.area ?? 0) - 1) < 1e-9);
  });

  test('is a geometry, or one feature, is drawn as well', async () => {
    for (const source of [polygon(square(0, 0, 10)), feature(polygon(square(0, 0, 10)))]) {
      assert.equal((await cut(JSON.stringify(source))).features.length, 1);
    }
  });

  test('is not JSON, or gone, is a sentence', async () => {
    await assert.rejects(cut('{"type":'), { name: 'Problem', message: 'the stored GeoJSON cannot be read' });
    const layers = [{ name: 'layer', key: 'other', kind: 'vector' as const }];
    const request = { layers, tile: { z: 0, x: 0, y: 0 }, datetime: undefined };
    const gone = createVectorTileHandler()(request, memoryContext({}));
    await assert.rejects(gone, { name: 'Problem', code: 'not_found', message: 'the file is gone' });
  });

  test('is nested deeper than any stack ends all the same', async () => {
    const depth = 100_000;
    const open = '{"type":"GeometryCollection","geometries":[';
    const { features } = await cut(
      `${open.repeat(depth)}{"type":"Point","coordinates":[1,2]}${']}'.repeat(depth)}`,
    );
    assert.equal(features[0]?.points, 1);
    const deepList = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    assert.equal((await cut(`{"type":"Polygon","coordinates":${deepList}}`)).bytes.length, 0);
  });
});

test('the least recently used indices go, and are made again when they are asked for', async () => {
  const source = collection(feature(polygon(square(0, 0, 10))));
  const keys = ['one', 'two', 'three'];
  const context = memoryContext(Object.fromEntries(keys.map((key) => [key, source])));
  const reads: string[] = [];
  const counting = {
    ...context,
    read: async (key: string, start: number, length: number) => {
      reads.push(key);
      return await context.read(key, start, length);
    },
  };
  const vectorTile = createVectorTileHandler(createIndices(2 * source.length));
  const ask = async (key: string) =>
    await vectorTile(
      { layers: [{ name: 'l', key, kind: 'vector' }], tile: { z: 0, x: 0, y: 0 }, datetime: undefined },
      counting,
    );
  await Promise.all([ask('one'), ask('one')]);
  for (const key of ['two', 'one', 'three', 'one', 'two']) await ask(key);
  assert.deepEqual(reads, ['one', 'two', 'three', 'two']);
});
