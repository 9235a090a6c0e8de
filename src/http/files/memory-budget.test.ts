import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryBudget } from './memory-budget.ts';

test('what is taken never exceeds the budget, and can be taken again when it is given back', () => {
  const budget = createMemoryBudget(10);
  assert.deepEqual(
    [budget.take(6), budget.take(5), budget.take(4), budget.take(1)],
    [true, false, true, false],
  );
  budget.giveBack(6);
  assert.deepEqual([budget.take(7), budget.take(6)], [false, true]);
});
