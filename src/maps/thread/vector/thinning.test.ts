import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeTile, memoryContext } from '../../../../test/support/maps/vector-tiles.ts';
import { boundPositions, countPositions, isQuickToSimplify } from './bound-positions.ts';
import { featuresOf } from './collection.ts';
import { encodeTile, maxTileBytes, maxTileVertices } from './encode.ts';
import { countVertices, thinParts, type TilePart } from './tile-parts.ts';
import { createVectorTileHandler } from './vector-tile.ts';

const square = (feature: number, side: number): TilePart => ({
  feature,
  kind: 'polygon',
  paths: [Int32Array.of(0, 0, side, 0, side, side, 0, side)],
  vertices: 4,
  size: side * side,
});
const points = (feature: number, count: number): TilePart => ({
  feature,
  kind: 'points',
  paths: [Int32Array.from({ length: 2 * count }, (_, index) => index)],
  vertices: count,
  size: 0,
});
const factsOf = (id: number) => ({ id, attributes: {} });

/** Ever narrower: each position is the farthest from all that follow. */
const zigzag = (length: number) =>
  Array.from({ length }, (_, i) => [50 + (10 * i) / length, (i % 2 === 0 ? 40 : -40) * (1 - i / length)]);
const closed = (ring: readonly number[][]) => [...ring, ...ring.slice(0, 1)];
const sourceOf = (type: string, coordinates: unknown) =>
  JSON.stringify({ type: 'Feature', properties: {}, geometry: { type, coordinates } });

test('the smallest areas go first, and the order of the others stays', () => {
  const parts = [5, 1, 9, 3].map((side, index) => square(index, side));
  assert.deepEqual(
    thinParts(parts, 11).map(({ feature }) => feature),
    [0, 2],
  );
  assert.equal(thinParts(parts, 16), parts);
});

test('an area that is too much by itself loses vertices', () => {
  const paths = [
    Int32Array.from({ length: 2000 }, (_, i) =>
      Math.round(1000 * (i % 2 === 0 ? Math.cos : Math.sin)((i >> 1) / 160)),
    ),
  ];
  const [part] = thinParts([{ ...square(0, 1), paths, vertices: 1000 }], 100);
  assert.equal(part?.vertices, 100);
});

test('points keep their share, every n-th of them', () => {
  const thinned = thinParts([points(0, 600), square(1, 4), points(2, 300)], 91);
  assert.deepEqual(
    thinned.map(({ feature, vertices }) => [feature, vertices]),
    [
      [0, 60],
      [2, 30],
    ],
  );
  assert.deepEqual(thinned[0]?.paths[0]?.slice(0, 4), Int32Array.of(0, 1, 20, 21));
});

test('a tile is never larger than it may be, in vertices and in bytes', () => {
  const parts = Array.from({ length: 100_000 }, (_, index) => square(index, 1 + (index % 3000)));
  const { bytes, thinned } = encodeTile([{ name: 'layer', parts, factsOf }]);
  assert.equal(thinned, true);
  assert.ok(bytes.length <= maxTileBytes && bytes.length > maxTileBytes / 2, String(bytes.length));
  const tiny = Array.from({ length: 3 }, (_, feature) => points(feature, 100_000));
  const many = encodeTile([{ name: 'layer', parts: tiny, factsOf }]);
  const found = decodeTile(many.bytes, 0).length;
  assert.deepEqual([many.thinned, found], [true, 3]);
  assert.ok(countVertices(tiny) > maxTileVertices);
});

test('attributes alone can make a tile too large, whose features are thinned then', () => {
  const parts = Array.from({ length: 20_000 }, (_, feature) => points(feature, 1));
  const texts = (id: number) => ({
    id,
    attributes: Object.fromEntries(
      Array.from({ length: 32 }, (_, c) => [`c${c}`, `${id} ${c} ${'x'.repeat(200)}`]),
    ),
  });
  const { bytes, thinned } = encodeTile([{ name: 'layer', parts, factsOf: texts }]);
  assert.equal(thinned, true);
  assert.ok(bytes.length <= maxTileBytes && bytes.length > maxTileBytes / 4, String(bytes.length));
});

test('a source keeps no more positions than it may', () => {
  const ring = closed(Array.from({ length: 5000 }, (_, i) => [Math.cos(i / 800) * 5, Math.sin(i / 800) * 5]));
  const triangles = Array.from({ length: 2000 }, (_, i) => [
    [
      [i / 100, 0],
      [i / 100 + 1, 0],
      [i / 100, 1],
      [i / 100, 0],
    ],
  ]);
  const spread = Array.from({ length: 9000 }, (_, i) => [i / 100, 1]);
  for (const [type, coordinates] of [
    ['Polygon', [ring]],
    ['MultiPolygon', triangles],
    ['MultiPoint', spread],
    [
      'Polygon',
      [
        closed([
          [-90, -80],
          [90, -80],
          [90, 80],
        ]),
        ...triangles.flat(),
      ],
    ],
  ] as const) {
    const features = featuresOf(JSON.parse(sourceOf(type, coordinates)));
    assert.equal(boundPositions(features, 10_000).thinned, false);
    const { features: few, thinned } = boundPositions(features, 1000);
    assert.equal(thinned, true);
    const left = countPositions(few);
    assert.ok(left <= 1005 && left > 100, `${type} ${left}`);
  }
});

test('a ring that would take its simplification the square of its length is thinned before, others are not', async () => {
  const circle = Array.from({ length: 20_000 }, (_, i) => [Math.cos(i / 3183) * 5, Math.sin(i / 3183) * 5]);
  assert.equal(isQuickToSimplify(circle), true);
  assert.equal(isQuickToSimplify(zigzag(20_000)), false);
  const source = sourceOf('Polygon', [closed(zigzag(20_000))]);
  const request = {
    layers: [{ name: 'l', key: 'key', kind: 'vector' as const }],
    tile: { z: 0, x: 0, y: 0 },
    datetime: undefined,
  };
  const { isThinned: thinned, bytes } = await createVectorTileHandler()(
    request,
    memoryContext({ key: source }),
  );
  assert.equal(thinned, true);
  assert.equal(decodeTile(bytes, 0).length, 1);
});

test('a source of too many bytes, or of too many lists, is a sentence', async () => {
  const request = {
    layers: [{ name: 'l', key: 'key', kind: 'vector' as const }],
    tile: { z: 0, x: 0, y: 0 },
    datetime: undefined,
  };
  const ask = createVectorTileHandler();
  const nothing = new Uint8Array();
  const large = { size: async () => 100 * 2 ** 20 + 1, read: async () => nothing };
  await assert.rejects(ask(request, large), {
    code: 'invalid',
    message: 'the GeoJSON has 101 MiB; only one of at most 64 MiB is drawn, but all of it can be downloaded',
  });
  const brackets = new Uint8Array(2_000_001).fill(0x5b);
  const short = { size: async () => brackets.length, read: async () => brackets };
  await assert.rejects(ask(request, short), {
    code: 'invalid',
    message:
      'the GeoJSON has more than 2000000 positions; only one of fewer is drawn, but all of it can be downloaded',
  });
});
