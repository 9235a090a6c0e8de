import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LandscapeRun } from '../../service/types.ts';
import { outputsOf } from './marked.ts';

const params = {
  window_size: 2048,
  tie_priority: [1, 2, 3, 4, 5],
  v1_min_s_e12: 3,
  v1_min_s_e3: 4,
  v2_min_s_e3: 3,
  v2_min_s_e4: 5,
};

type Node = readonly [code: string, inputs: readonly string[] | null, output: string | null];

function run(created: string, nodes: readonly Node[]): LandscapeRun {
  const listOf = (ids: readonly string[]) => ids.map((id) => ({ group: `group of ${id}`, dataset_id: id }));
  return {
    id: created,
    status: 'succeeded',
    params,
    overrides: {},
    from_stage: null,
    error: null,
    created_at: created,
    started_at: null,
    finished_at: null,
    nodes: nodes.map(([code, inputs, output]) => ({
      id: code,
      run_id: created,
      node_code: code,
      stage: 0,
      status: 'succeeded',
      fingerprint: '',
      inputs: inputs && listOf(inputs),
      outputs: output === null ? null : listOf([output]),
      error: null,
      started_at: null,
      finished_at: null,
    })),
  };
}

const marked = new Set(['dem', 'ndvi']);

test('rasters are of the demonstration when all that they stem from is', () => {
  const first = run('2026-01-01T00:00:00.000Z', [
    ['11', ['slope', 'dem'], 'quality'],
    ['01', ['dem'], 'slope'],
    ['04', ['own ndvi', 'dem'], 'cover'],
    ['13', ['cover', 'slope'], 'vegetation'],
  ]);
  const later = run('2026-01-02T00:00:00.000Z', [
    ['01', ['dem'], 'slope'],
    ['04', ['ndvi', 'dem'], 'cover of the demonstration'],
    ['21', ['quality', 'vegetation'], 'mixed'],
    ['31', null, null],
    ['32', [], 'from nothing'],
  ]);
  assert.deepEqual([...outputsOf(marked, [later, first])].toSorted(), [
    'cover of the demonstration',
    'quality',
    'slope',
  ]);
});

test('without uploads of the demonstration nothing is of it', () => {
  const only = run('2026-01-01T00:00:00.000Z', [['01', ['dem'], 'slope']]);
  assert.equal(outputsOf(new Set(), [only]).size, 0);
});
