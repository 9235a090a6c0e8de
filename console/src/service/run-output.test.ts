import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOutputOf } from './run-output.ts';

test('an output of a run is known by its metadata, whatever else they hold', () => {
  assert.deepEqual(runOutputOf({ run_id: 'r', node: '34', overrides: { use: 'x' } }), {
    runId: 'r',
    node: '34',
  });
  for (const meta of [null, {}, { run_id: 7, node: '34' }, { run_id: 'r' }])
    assert.equal(runOutputOf(meta), undefined);
});
