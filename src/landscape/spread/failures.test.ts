import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isResourceError } from '../../lib/errors.ts';
import { internalError, RunFailed } from '../runs/run-failed.ts';
import { fromStepFailure, PassGone, toStepFailure } from './failures.ts';

/** The engine transfers JSON. */
const carried = (error: unknown, attempt = 1): Error | undefined => {
  const failure = toStepFailure(error, attempt);
  return failure && fromStepFailure(JSON.parse(JSON.stringify(failure)));
};

test('what a step says for good arrives as it was said', () => {
  const fault = internalError('33');
  const arrived = carried(new RunFailed(fault));
  assert.ok(arrived instanceof RunFailed);
  assert.deepEqual([arrived.fault.nodeCode, arrived.fault.error], ['33', fault.error]);
  assert.ok(carried(new PassGone()) instanceof PassGone);
});

test('a full disk is tried again on other machines, and then said as one', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  assert.equal(carried(full, 4), undefined);
  assert.ok(isResourceError(carried(full, 5)));
  assert.equal(carried(new Error('a fault of ours'), 19), undefined);
});
