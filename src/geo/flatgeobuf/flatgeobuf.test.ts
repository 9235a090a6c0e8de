import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { featuresParquet } from '../../tables/export/features-parquet.ts';
import { WrongFlatGeobuf } from './table-reader.ts';
import { openVectorSource } from '../../ogc/features/vector-source.ts';
import { createFeatureWriter } from '../child/vector/features/feature-writer.ts';
import type { Box } from '../../standards/boxes.ts';
import { openVectorEngineHere } from '../../../test/support/geo/engine-here.ts';
import { allFeatures, featuresOf, readerOf } from '../../../test/support/geo/feature-files.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { fixture } from '../../../test/support/geo/engine.ts';

const engine = await closeAfterTests(openVectorEngineHere());

async function written(path: string) {
  const { features, findings } = await engine.run((geo, task) => geo.writeFeatures(task), path);
  assert.ok(features);
  return { ...features, warnings: findings.warnings };
}

async function collectionOf(name: string, features: readonly object[]): Promise<string> {
  const path = join(engine.folder, `${name}.geojson`);
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return path;
}

const feature = (properties: unknown, geometry: unknown) => ({ type: 'Feature', properties, geometry });
const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });

test('every feature is there with all its properties, of each type, and without any geometry', async () => {
  const features = [
    feature(
      { name: 'Алматы', n: -7, long: 2 ** 40, part: 1.5, is: true, list: [1, { a: null }] },
      point(76.9, 43.2),
    ),
    feature(
      { name: '', n: 2 ** 31 - 1, long: 3, part: 2, is: false, list: {} },
      point(0.123456789012, -1e-9),
    ),
    feature({ name: null }, null),
    feature(null, point(76.9, 43.2)),
  ];
  const { path, count, box, warnings } = await written(await collectionOf('types', features));
  assert.deepEqual([count, box, warnings], [4, [0.123456789012, -1e-9, 76.9, 43.2], []]);
  const read = await allFeatures(path);
  const byText = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
  const plain = read.map(({ properties, geometry }) => ({ properties, geometry }));
  const expected = features.map(({ properties, geometry }) => {
    const values = Object.entries(properties ?? {}).filter(([, value]) => value !== null);
    return { properties: Object.fromEntries(values), geometry };
  });
  assert.deepEqual(plain.toSorted(byText), expected.toSorted(byText));
  assert.equal(read.at(-1)?.geometry, null, 'what has no place comes last');
});

test('a column of mixed types keeps each value as its JSON, with a warning; so does a number that a double cannot hold', async () => {
  const path = join(engine.folder, 'mixed.geojson');
  await writeFile(
    path,
    `{"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"mix":1,"long":9007199254740993},"geometry":null},
      {"type":"Feature","properties":{"mix":"1","long":0.5},"geometry":null},
      {"type":"Feature","properties":{"mix":true,"huge":123456789012345678901234},"geometry":null}]}`,
  );
  const { path: file, warnings } = await written(path);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['values_as_json'],
  );
  assert.match(warnings[0]?.message ?? '', /3 columns|2 columns/);
  const bytes = await readFile(file);
  assert.ok(bytes.includes('9007199254740993') && bytes.includes('123456789012345678901234'));
  const mixed = (await allFeatures(file)).map(({ properties }) => properties['mix']);
  assert.deepEqual(mixed, [1, '1', true]);
});

test('of a property that comes several times the last value is kept, with a warning', async () => {
  const path = join(engine.folder, 'twice.geojson');
  await writeFile(
    path,
    `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1},"geometry":null},
      {"type":"Feature","properties":{"a":2,"b":0,"a":3},"geometry":null}]}`,
  );
  const { path: file, warnings } = await written(path);
  assert.deepEqual(
    warnings.map(({ code, sentence }) => [code, sentence?.facts]),
    [['property_repeated', ['a', 2]]],
  );
  assert.deepEqual(
    (await allFeatures(file)).map(({ properties }) => properties['a']),
    [1, 3],
  );
});

test('geometry is cut at 180°, outer rings are counter-clockwise, and single features are told as several where some are', async () => {
  const square = (west: number, east: number) => [
    [
      [west, 0],
      [west, 10],
      [east, 10],
      [east, 0],
      [west, 0],
    ],
  ];
  const features = [
    feature({ i: 1 }, { type: 'Polygon', coordinates: square(0, 10) }),
    feature({ i: 2 }, { type: 'Polygon', coordinates: square(170, 190) }),
  ];
  const { path, box } = await written(await collectionOf('areas', features));
  assert.deepEqual(box, [-180, 0, 180, 10]);
  const geometryOf = new Map(
    (await allFeatures(path)).map(({ properties, geometry }) => [properties['i'], Object(geometry)]),
  );
  const turned = square(0, 10)[0]?.toReversed();
  assert.deepEqual(geometryOf.get(1), { type: 'MultiPolygon', coordinates: [[turned]] });
  assert.equal(geometryOf.get(2).coordinates.length, 2);
  assert.ok(
    geometryOf
      .get(2)
      .coordinates.flat(3)
      .every((value: number) => Math.abs(value) <= 180),
  );
});

/** Reproducible pseudo-random numbers. */
function createNumbers(seed: number) {
  let state = seed;
  return (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state / 2 ** 31) * most;
  };
}

test('pages of a box have exactly the features that meet it, each once, in the order of the file', async () => {
  const random = createNumbers(7);
  const features = Array.from({ length: 700 }, (_, i) => {
    const [x, y] = [random(100), random(60)];
    const line = [
      [x, y],
      [x + random(3), y + random(3)],
    ];
    return feature({ i }, i % 3 === 0 ? point(x, y) : { type: 'LineString', coordinates: line });
  });
  const { path } = await written(await collectionOf('many', features));
  const bytes = await readFile(path);
  const everything = await featuresOf(bytes);
  assert.deepEqual(
    everything.features.map(({ index }) => index),
    features.map((_, i) => i),
  );
  for (const box of [
    [10, 10, 30, 20],
    [0, 0, 1, 1],
    [99.9, 0, 200, 90],
    [50, 30, 50, 30],
  ] as const) {
    const expected = everything.features.filter(({ geometry }) => touches(Object(geometry).coordinates, box));
    const found: unknown[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const page = await featuresOf(bytes, { boxes: [box], from, limit: 9 });
      assert.ok(page.features.length <= 9);
      found.push(...page.features);
      from = page.next;
    }
    assert.deepEqual(found, expected, box.join(' '));
  }
  const { features: some, next } = await featuresOf(bytes, { from: 690, limit: 20 });
  assert.deepEqual([some.length, some[0]?.index, next], [10, 690, undefined]);
});

type Position = readonly [number, number];

/** Tests a thousand points of a line. */
function touches(
  coordinates: unknown,
  [west, south, east, north]: readonly [number, number, number, number],
) {
  const isLine = Array.isArray(coordinates) && Array.isArray(coordinates[0]);
  const [[x, y], [toX, toY]]: [Position, Position] = Object(
    isLine ? coordinates : [coordinates, coordinates],
  );
  return Array.from({ length: 1001 }, (_, i) => i / 1000).some((share) => {
    const [atX, atY] = [x + (toX - x) * share, y + (toY - y) * share];
    return atX >= west && atX <= east && atY >= south && atY <= north;
  });
}

test('every file format gives its features, however many layers, encodings and reference systems it has', async () => {
  for (const [name, count] of [
    ['vector/raiony_cp1251_with_cpg.zip', 24],
    ['vector/nybb_epsg2263.zip', 5],
    ['vector/empty_featurecollection.geojson', 0],
    ['vector/attributes_only.gpkg', undefined],
    ['vector/null_shapes.zip', undefined],
  ] as const) {
    const { path, count: told } = await written(fixture(name));
    const read = await allFeatures(path);
    assert.equal(read.length, told, name);
    if (count !== undefined) assert.equal(told, count, name);
  }
});

test('a file that lies is refused or read, and never leads outside of its bytes', async () => {
  const features = [
    feature({ a: 'text', b: 1.5, c: { d: 1 } }, point(1, 2)),
    feature(
      { a: 'x' },
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    ),
  ];
  const { path } = await written(await collectionOf('lies', features));
  const whole = await readFile(path);
  let refused = 0;
  const tryOne = async (bytes: Buffer) => {
    try {
      await featuresOf(bytes, { boxes: [[-10, -10, 10, 10]] });
    } catch (error) {
      assert.ok(error instanceof WrongFlatGeobuf, String(error));
      refused += 1;
    }
  };
  for (let at = 0; at < whole.length; at += 1) {
    for (const value of [0xff, 0x80]) {
      const bytes = Buffer.from(whole);
      bytes[at] = value;
      await tryOne(bytes);
    }
  }
  for (let length = 0; length < whole.length; length += 7) await tryOne(whole.subarray(0, length));
  assert.ok(refused > whole.length / 8, `${refused} of ${whole.length}`);
});

test('a feature of more than 16 MiB is in files, and in a page without its geometry, and the page goes on behind it', async () => {
  const folder = join(engine.folder, 'large');
  await mkdir(folder);
  const writer = createFeatureWriter(folder, { warn: () => undefined });
  const line = Array.from({ length: 2_400_000 }, (_, i) => (i % 2 === 0 ? 60 : 50) + i / 1e7);
  const parts = (points: readonly number[], lines: readonly (readonly number[])[]) => ({
    points,
    lines,
    polygons: [],
  });
  for (const [number, each] of [parts([50, 45], []), parts([], [line]), parts([70, 55], [])].entries())
    writer.add({ properties: Buffer.from(`{"n":${number}}`), parts: each, isMulti: false });
  const { path } = writer.finish() ?? assert.fail();
  const { files, open } = readerOf(await readFile(path));
  const source = await openVectorSource(files, 'file.fgb');
  const shown = { hasGeometry: true, properties: undefined } as const;
  const asked = { interval: undefined, filter: undefined, limit: 10, offset: 0, ...shown } as const;
  const left: number[] = [];
  const read = async (boxes?: readonly Box[]) => {
    const found: unknown[][] = [];
    for (let token: string | undefined = '0'; token !== undefined;) {
      const page = await source.page({ ...asked, boxes, token, positionText: (x, y) => `[${x},${y}]` });
      const some = page.features.map((text) => JSON.parse(text));
      found.push(...some.map(({ properties, geometry }) => [properties.n, geometry?.type]));
      left.push(...(page.withoutGeometry ?? []));
      token = page.next;
    }
    return found.toSorted(([one], [other]) => Number(one) - Number(other));
  };
  assert.deepEqual(await read(), [
    [0, 'Point'],
    [1, undefined],
    [2, 'Point'],
  ]);
  assert.equal(left.length, 1);
  // Within a box the geometry itself decides.
  assert.deepEqual(await read([[60.001, 50.003, 60.002, 50.004]]), []);
  assert.deepEqual(await read([[60.01, 50.005, 60.02, 50.015]]), [[1, undefined]]);
  let written = 0;
  const file = await open();
  for await (const bytes of featuresParquet(files, file, new AbortController().signal))
    written += bytes.length;
  assert.ok(written > 10 * 1024 * 1024, `${written} bytes`);
  // The requester refuses a larger one.
  const { signal } = new AbortController();
  await assert.rejects(async () => {
    for await (const _bytes of featuresParquet(files, { ...file, sizeBytes: 2 ** 30 }, signal));
  }, /feature 2 has more than 64 MiB, more than one feature of GeoParquet may have here/);
});
