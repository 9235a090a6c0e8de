import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Band, classNoData, floatNoData } from '../model/bands.ts';
import { nodes } from './graph.ts';
import { leaves } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import { LandscapeParams } from '../model/params.ts';
import { nodeOf } from '../../../test/support/landscape/graph.ts';
import cases from '../../../test/fixtures/landscape/cases.json' with { type: 'json' };

const profile = cases.profiles['grain belt, North Kazakhstan'];
const outputs: Readonly<Record<string, number>> = profile.out;
/** A pixel with a value in every band. */
const known: Readonly<Record<string, number>> = {
  ...Object.fromEntries(leaves.map(({ key }, at) => [key, profile.in[at] ?? NaN])),
  ...outputs,
};

for (const node of nodes) {
  for (const input of node.inputs.filter(({ key }) => key !== 'protected-areas')) {
    test(`node ${node.code} has no value where ${input.key} has none`, () => {
      assert.equal(valueOf(node, known), Math.fround(outputs[node.code] ?? NaN));
      assert.equal(valueOf(node, { ...known, [input.key]: noDataOf(input) }), noDataOf(node.output));
    });
  }
}

test('sectors and sensitivity have no value on water, built-up land and ice', () => {
  for (const code of ['21', '22', '23', '24', '25', '26']) {
    for (const land of [2, 3, 4]) assert.equal(valueOf(nodeOf(code), { ...known, '05': land }), classNoData);
  }
});

test('water, built-up land and ice are zoned as such whatever else is known there', () => {
  for (const land of [2, 3, 4]) {
    assert.equal(valueOf(nodeOf('34'), { ...known, '05': land }), 40);
    assert.equal(valueOf(nodeOf('34'), { '05': land, '26': 0, '32': 0, '33': 0 }), 40);
  }
});

test('vegetation has no quality on water, built-up land and ice', () => {
  for (const landCover of [50, 70, 80]) {
    assert.equal(valueOf(nodeOf('13'), { ...known, 'land-cover': landCover }), floatNoData);
  }
});

/** Evaluates a node on a single pixel. */
function valueOf(
  { evaluate, output }: GraphNode,
  values: Readonly<Record<string, number>>,
): number | undefined {
  const floats = new Float32Array(1);
  const classes = new Uint8Array(1);
  const tile = { x: 0, y: 0, width: 1, height: 1 };
  evaluate(
    {
      floats: (band) => (band === output ? floats : Float32Array.of(values[band.key] ?? NaN)),
      classes: (band) => (band === output ? classes : Uint8Array.of(values[band.key] ?? NaN)),
      elevation: () => ({ values: Float32Array.of(values['dem'] ?? NaN), window: tile }),
    },
    {
      tile,
      pixelSize: () => ({ dx: 1000, dy: 1000 }),
      lags: { x: 1, y: 1 },
      params: LandscapeParams.parse({}),
    },
  );
  return output.type === 'float32' ? floats[0] : classes[0];
}

function noDataOf({ type }: Band): number {
  return type === 'float32' ? floatNoData : classNoData;
}
