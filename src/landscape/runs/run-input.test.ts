import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FieldErrors, Problem } from '../../lib/errors.ts';
import { checkRunInput } from './input.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const database = await closeAfterTests(openTestDatabase());

async function faultsOf(body: unknown): Promise<FieldErrors> {
  return await checkRunInput(database.db, body).then(
    () => assert.fail('accepted'),
    (error: unknown) => {
      assert.ok(error instanceof Problem && error.fields !== undefined, String(error));
      return error.fields;
    },
  );
}

const overridesOf = (count: number) => ({
  overrides: Object.fromEntries(Array.from({ length: count }, (_, index) => [`g-${index}`, 1])),
});

test('100,000 overrides or a million sectors are refused field by field, more overrides as one', async () => {
  const faults = await faultsOf(overridesOf(100_000));
  assert.equal(Object.keys(faults).length, 100_000);
  assert.equal(String(faults['overrides.g-99999']), 'not an input group of the graph');
  assert.deepEqual(Object.keys(await faultsOf(overridesOf(100_001))), ['overrides']);
  const tie_priority = Array.from({ length: 1_000_000 }, () => 'x');
  assert.deepEqual(Object.keys(await faultsOf({ params: { tie_priority } })), ['params.tie_priority']);
});
