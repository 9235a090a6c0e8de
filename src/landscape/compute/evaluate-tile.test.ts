import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridOf, nodeOf } from '../../../test/support/landscape/graph.ts';
import { precipitation, soilTexture } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import { LandscapeParams } from '../model/params.ts';
import { createTileEvaluator, haloOf, type Pixels } from './evaluate-tile.ts';

const grid = gridOf({ crs: 'projected', left: 0, top: 0, res: [30, 90], rows: 1, cols: 2 });
const params = LandscapeParams.parse({});
const tile = { x: 0, y: 0, width: 2, height: 1 };
const flat = { values: Float32Array.of(100, 100), window: tile };

test('a node reads what nodes before it have computed on the same tile', () => {
  const evaluator = createTileEvaluator({ nodes: [nodeOf('01'), nodeOf('11')], grid, params });
  const pixels = new Map([['soil-texture', Uint8Array.of(7, 12)]]);
  const outputs = evaluator.evaluate(tile, { pixels, elevation: flat });
  assert.deepEqual([...outputs.keys()], ['01', '11']);
  assert.deepEqual(outputs.get('01'), Float32Array.of(0, 0));
  assert.deepEqual(outputs.get('11'), Float32Array.of(1, Math.SQRT2));
});

test('a pinned band is read from its source, and its node computes it all the same', () => {
  const evaluator = createTileEvaluator({ nodes: [nodeOf('01'), nodeOf('11')], grid, params });
  const pixels = new Map<string, Pixels>([
    ['soil-texture', Uint8Array.of(7, 12)],
    ['01', Float32Array.of(40, 40)],
  ]);
  const outputs = evaluator.evaluate(tile, { pixels, elevation: flat });
  assert.deepEqual(outputs.get('01'), Float32Array.of(0, 0));
  assert.deepEqual(outputs.get('11'), Float32Array.of(Math.SQRT2, 2));
});

test('a tile at the edge gets arrays of its own size, whatever the tile before it left in them', () => {
  const evaluator = createTileEvaluator({ nodes: [nodeOf('05')], grid, params });
  evaluator.evaluate(tile, { pixels: new Map([['land-cover', Uint8Array.of(80, 80)]]), elevation: flat });
  const pixels = new Map([['land-cover', Uint8Array.of(0)]]);
  const outputs = evaluator.evaluate({ ...tile, x: 1, width: 1 }, { pixels, elevation: flat });
  assert.deepEqual(outputs.get('05'), Uint8Array.of(0));
});

test('a node that reads a band it does not declare is stopped', () => {
  const output = { ...nodeOf('03').output, key: '09' };
  const careless: GraphNode = {
    ...nodeOf('03'),
    code: '09',
    output,
    inputs: [precipitation],
    evaluate(bands) {
      bands.floats(precipitation);
      bands.classes(soilTexture);
    },
  };
  const pixels = new Map([
    ['precipitation', Float32Array.of(1, 2)],
    ['soil-texture', Float32Array.of(1, 2)],
  ]);
  const evaluateWith = (node: GraphNode) => () =>
    createTileEvaluator({ nodes: [node], grid, params }).evaluate(tile, { pixels, elevation: flat });
  assert.throws(evaluateWith(careless), /^Error: node 09 does not declare soil-texture$/);
  assert.throws(
    evaluateWith({ ...careless, evaluate: (bands) => void bands.elevation() }),
    /^Error: node 09 does not declare dem$/,
  );
  assert.throws(
    evaluateWith({ ...careless, inputs: [precipitation, soilTexture] }),
    /^Error: the pixels of soil-texture are not uint8$/,
  );
});

test('a band without pixels, or with those of another tile, is an error', () => {
  const evaluator = createTileEvaluator({ nodes: [nodeOf('05')], grid, params });
  const evaluateWith = (pixels: Map<string, Uint8Array>) => () =>
    evaluator.evaluate(tile, { pixels, elevation: flat });
  for (const pixels of [new Map(), new Map([['land-cover', new Uint8Array(3)]])])
    assert.throws(evaluateWith(pixels), /node 05 has no pixels of land-cover/);
});

test('the halo is the farthest that a node looks', () => {
  const lags = { x: 33, y: 11 };
  assert.deepEqual(haloOf([nodeOf('05'), nodeOf('34')], lags), { columns: 0, rows: 0 });
  assert.deepEqual(haloOf([nodeOf('01'), nodeOf('11')], lags), { columns: 1, rows: 1 });
  assert.deepEqual(haloOf([nodeOf('01'), nodeOf('02')], lags), { columns: 33, rows: 11 });
  const { halo } = createTileEvaluator({ nodes: [nodeOf('02')], grid, params });
  assert.deepEqual(halo, { columns: 33, rows: 11 });
});
