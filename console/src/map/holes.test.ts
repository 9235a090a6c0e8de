import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsBehind, runOutputOf } from './holes.ts';

const graph = {
  nodes: [
    node('01', 'slope', ['dem']),
    node('05', 'allocable', ['cover']),
    node('21', 'use', ['slope', 'allocable', 'salinity']),
    node('34', 'zoning', ['use', 'allocable']),
  ],
};

function node(code: string, group: string, inputs: readonly string[]) {
  const legend = { kind: 'values', entries: [] } as const;
  return { code, group, inputs, stage: 0, title: group, unit: null, params: [], legend, reading: '' };
}

const behind = (code: string, pins: readonly string[] = []) =>
  [...groupsBehind(graph, code, pins)].toSorted();

test('a hole is explained by what its own node depends on, up to what is pinned', () => {
  assert.deepEqual(behind('01'), ['dem']);
  assert.deepEqual(behind('34'), ['allocable', 'cover', 'dem', 'salinity', 'slope', 'use']);
  assert.deepEqual(behind('34', ['use']), ['allocable', 'cover', 'use']);
  assert.deepEqual(behind('99'), []);
});

test('an output of a run is known by its metadata, whatever else they hold', () => {
  assert.deepEqual(runOutputOf({ run_id: 'r', node: '34', overrides: { use: 'x' } }), {
    runId: 'r',
    node: '34',
    pins: ['use'],
  });
  assert.deepEqual(runOutputOf({ run_id: 'r', node: '34', overrides: null })?.pins, []);
  for (const meta of [null, {}, { run_id: 7, node: '34' }, { run_id: 'r' }])
    assert.equal(runOutputOf(meta), undefined);
});
