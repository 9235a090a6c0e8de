import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunNodeStatus } from '../../database/tables.ts';
import { nodes } from '../graph/graph.ts';
import { elevation } from '../model/leaves.ts';
import { LandscapeParams } from '../model/params.ts';
import { planPass } from './pass.ts';
import type { StoredRun } from './run-rows.ts';

/** A planned run whose input of each group is a dataset of the same name; nodes are pending unless said. */
function runWith(
  statuses: Readonly<Record<string, RunNodeStatus>>,
  overrides: Readonly<Record<string, string>> = {},
): StoredRun {
  return {
    id: 'run',
    status: 'running',
    params: LandscapeParams.parse({}),
    overrides,
    nodes: nodes.map((node) => ({
      code: node.code,
      status: statuses[node.code] ?? 'pending',
      fingerprint: 'f',
      inputs: new Map(
        [elevation, ...node.inputs].map(({ group }) => [group, overrides[group] ?? `of ${group}`]),
      ),
      outputId: `output ${node.code}`,
      startDate: null,
      endDate: null,
    })),
  };
}

const done = (except: readonly string[]): Record<string, RunNodeStatus> =>
  Object.fromEntries(nodes.map(({ code }) => [code, except.includes(code) ? 'pending' : 'skipped']));

describe('the pass over what is left of a run', () => {
  test('reads the 13 leaves and no output when everything is to be computed', () => {
    const { nodes: left, sources } = planPass(runWith({}));
    assert.equal(left.length, 19);
    assert.equal(sources.size, 13);
    assert.ok([...sources.values()].every(({ isOutput }) => !isOutput));
  });

  test('reads the outputs of nodes that are done, and the elevation, which fixes the grid', () => {
    const { nodes: left, sources } = planPass(runWith(done(['33', '34'])));
    assert.deepEqual(
      left.map(({ node }) => node.code),
      ['33', '34'],
    );
    assert.deepEqual([...sources.keys()], ['dem', '26', '31', '05', '32']);
    assert.deepEqual(
      [...sources.values()].map(({ isOutput }) => isOutput),
      [false, true, true, true, true],
    );
  });

  test('takes up again what an attempt before was running', () => {
    const statuses = { ...done([]), '26': 'running', '31': 'succeeded' } as const;
    assert.deepEqual(
      planPass(runWith(statuses)).nodes.map(({ node }) => node.code),
      ['26'],
    );
  });

  test('reads a pinned output although its node is computed beside', () => {
    const { nodes: left, sources } = planPass(
      runWith({}, { 'landscape-26-sensitivity': 'pinned', 'landscape-in-ndvi': 'other' }),
    );
    assert.equal(left.length, 19);
    assert.deepEqual(
      [sources.get('26')?.datasetId, sources.get('26')?.isOutput, sources.get('26')?.firstReader],
      ['pinned', false, '33'],
    );
    assert.deepEqual([sources.get('ndvi')?.datasetId, sources.get('ndvi')?.firstReader], ['other', '04']);
  });
});
