import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeNodes } from './demo.ts';

const run = (...statuses: readonly string[]) => ({
  nodes: statuses.map((status) => ({ node_code: '01', status, outputs: null })),
});

test('what a run of the demonstration did is counted in right words', () => {
  assert.equal(describeNodes(run('succeeded', 'skipped', 'skipped')), '1 raster computed, 2 reused');
  assert.equal(describeNodes(run('succeeded', 'succeeded')), '2 rasters computed, 0 reused');
  assert.equal(
    describeNodes(run('skipped')),
    'nothing has changed: what an earlier run made is used again (1)',
  );
});
