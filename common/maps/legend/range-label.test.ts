import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeLabel, readRangeLabel } from './range-label.ts';

test('the label of a class is read as it was written, whatever its numbers', () => {
  for (const range of [
    { from: -Infinity, to: 5 },
    { from: 5, to: 10.25 },
    { from: -1e-9, to: 1e21 },
    { from: 1e12, to: Infinity },
  ])
    assert.deepEqual(readRangeLabel(rangeLabel(range)), range);
});

test('labels that people write stay as they are', () => {
  for (const label of ['5 - 10', '5 – 10', '< 5', '>= 10', 'V1', ''])
    assert.equal(readRangeLabel(label), undefined);
});
