import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPeriod } from './numbers.ts';

test('a period is written as short as it can be', () => {
  assert.equal(formatPeriod('2019-01-01', '2021-12-31', 'ru'), '2019–2021');
  assert.equal(formatPeriod('2021-01-01', '2021-12-31', 'kk'), '2021');
  assert.equal(formatPeriod('2021-05-01', '2021-05-01', 'en'), '1 May 2021');
  assert.equal(formatPeriod(null, '2021-05-01', 'ru'), '1 мая 2021 г.');
  assert.equal(formatPeriod(null, null, 'en'), '–');
});
