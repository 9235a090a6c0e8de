import assert from 'node:assert/strict';
import { test } from 'node:test';
import tables from '../../../test/fixtures/landscape/tables.json' with { type: 'json' };
import type { Band } from '../model/bands.ts';
import { nodes } from './graph.ts';
import { elevation, leaves } from '../model/leaves.ts';
import { LandscapeParams } from '../model/params.ts';

test('the graph is that of the design: codes, groups, inputs, parameters', () => {
  const found = nodes.map(({ code, output, inputs, params }) => ({
    code,
    group: output.group,
    inputs: inputs.map(({ key }) => key),
    params,
  }));
  assert.equal(found.length, 19);
  assert.deepEqual(found, tables.nodes);
});

test('leaves have the ranges and classes of the design, in its order', () => {
  const ranges: Readonly<Record<string, readonly number[]>> = tables.leaf_valid_range;
  const classes: Readonly<Record<string, readonly number[]>> = tables.leaf_classes;
  assert.equal(leaves.length, 13);
  assert.equal(Object.keys(ranges).length + Object.keys(classes).length, 13);
  for (const leaf of leaves) {
    assert.equal(leaf.group, `landscape-in-${leaf.key}`);
    if (leaf.type === 'float32') assert.deepEqual(leaf.range, ranges[leaf.key], leaf.key);
    else assert.deepEqual(leaf.classes, classes[leaf.key], leaf.key);
  }
  assert.deepEqual(
    leaves.map(({ key }) => key).join(' '),
    'dem land-cover protected-areas precipitation pet temperature-sum snow-depth soil-texture ' +
      'soil-organic-carbon soil-salinity ndvi distance-water distance-road',
  );
});

test('only protected areas are class 0 where nothing is known', () => {
  const zeroes = leaves.filter((leaf) => leaf.type === 'uint8' && leaf.zeroWhereMissing === true);
  assert.deepEqual(keysOf(zeroes), ['protected-areas']);
  const withClass0 = [...leaves, ...nodes.map(({ output }) => output)].filter(
    (band) => band.type === 'uint8' && band.classes.includes(0),
  );
  assert.deepEqual(keysOf(withClass0), ['protected-areas']);
});

test('codes ascend, each node reads leaves and smaller codes only, and X of XY is its stage', () => {
  const codes = nodes.map(({ code }) => code);
  assert.deepEqual(codes, codes.toSorted());
  const known = new Set<Band>(leaves);
  for (const { code, stage, inputs, output } of nodes) {
    for (const input of inputs) assert.ok(known.has(input), `${code} reads ${input.key}`);
    assert.equal(output.key, code);
    assert.equal(stage, Number(code[0]));
    known.add(output);
  }
  assert.equal(known.size, 32);
});

test('only slope and ruggedness look around them', () => {
  const looking = nodes.filter(({ halo }) => halo !== 'none').map(({ code, halo }) => [code, halo]);
  assert.deepEqual(looking, [
    ['01', 'pixel'],
    ['02', 'lag'],
  ]);
});

for (const { code, inputs, output, evaluate } of nodes) {
  test(`node ${code} reads the bands that it declares, and no other`, () => {
    const asked = new Set<Band>();
    evaluate(
      {
        floats(band) {
          asked.add(band);
          return new Float32Array(1);
        },
        classes(band) {
          asked.add(band);
          return new Uint8Array(1);
        },
        elevation() {
          asked.add(elevation);
          return { values: new Float32Array(1), window: { x: 0, y: 0, width: 1, height: 1 } };
        },
      },
      {
        tile: { x: 0, y: 0, width: 1, height: 1 },
        pixelSize: () => ({ dx: 1, dy: 1 }),
        lags: { x: 1, y: 1 },
        params: LandscapeParams.parse({}),
      },
    );
    assert.deepEqual(keysOf(asked), keysOf([...inputs, output]));
  });
}

function keysOf(bands: Iterable<Band>): string[] {
  return [...bands].map(({ key }) => key).toSorted();
}
