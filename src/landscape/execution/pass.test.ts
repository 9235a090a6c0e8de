import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RunNodeStatus } from '../../database/tables/tables.ts';
import { nodes } from '../graph/graph.ts';
import { elevation } from '../model/leaves.ts';
import { LandscapeParams } from '../model/params.ts';
import { planPass } from './pass.ts';
import type { StoredRun } from '../runs/run-rows.ts';

/** A planned run whose input of each group is a dataset of the same name; nodes are pending by default. */
function runWith(
  statuses: Readonly<Record<string, RunNodeStatus>>,
  overrides: Readonly<Record<string, string>> = {},
): StoredRun {
  return {
    id: 'run',
    status: 'running',
    graphVersion: 1,
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

const codesOf = (left: ReturnType<typeof planPass>['nodes']) => left.map(({ node }) => node.code);

describe('the pass over what is left of a run', () => {
  test('reads the 13 leaves and no output when everything is to be computed', () => {
    const { nodes: left, sources } = planPass(runWith({}));
    assert.equal(left.length, 19);
    assert.equal(sources.size, 13);
    assert.ok([...sources.values()].every(({ isOutput }) => !isOutput));
  });

  test('reads the outputs of nodes that are done, and the elevation, which fixes the grid', () => {
    const { nodes: left, sources } = planPass(runWith(done(['33', '34'])));
    assert.deepEqual(codesOf(left), ['33', '34']);
    const found = Array.from(sources, ([key, { isOutput }]) => `${key} ${isOutput}`);
    assert.deepEqual(found, ['dem false', '26 true', '31 true', '05 true', '32 true']);
  });

  test('takes up again what an attempt before was running', () => {
    const statuses = { ...done([]), '26': 'running', '31': 'succeeded' } as const;
    assert.deepEqual(codesOf(planPass(runWith(statuses)).nodes), ['26']);
  });

  test('reads a pinned output although its node is computed beside', () => {
    const { nodes: left, sources } = planPass(
      runWith({}, { 'landscape-26-sensitivity': 'pinned', 'landscape-in-ndvi': 'other' }),
    );
    assert.equal(left.length, 19);
    const [output, leaf] = [sources.get('26'), sources.get('ndvi')];
    assert.deepEqual([output?.datasetId, output?.isOutput, output?.firstReader], ['pinned', false, '33']);
    assert.deepEqual([leaf?.datasetId, leaf?.firstReader], ['other', '04']);
  });
});
