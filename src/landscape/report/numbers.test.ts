import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatParts, formatPeriod, formatShare } from './numbers.ts';

const tenthsOf = (text: string) => Math.round(10 * Number.parseFloat(text));

test('parts of a whole are 100 % together, each less than a tenth of a percent away', () => {
  for (const parts of [
    [1, 1, 1],
    [2, 1],
    [0, 5],
    [1e6, 1],
    [1, 1, 1, 1, 1, 1, 1],
    [0.1, 0.2, 33, 7e5],
  ]) {
    const whole = parts.reduce((sum, part) => sum + part, 0);
    const written = formatParts(parts, 'en').map(tenthsOf);
    assert.equal(
      written.reduce((sum, part) => sum + part, 0),
      1000,
      String(parts),
    );
    for (const [place, part] of parts.entries())
      assert.ok(Math.abs((written[place] ?? 0) - (1000 * part) / whole) < 1, String(parts));
  }
  assert.deepEqual(formatParts([1, 1, 1], 'ru'), ['33,4\u00a0%', '33,3\u00a0%', '33,3\u00a0%']);
  assert.deepEqual(formatParts([0, 0], 'en'), ['0.0\u00a0%', '0.0\u00a0%']);
});

test('a little is neither nothing nor all', () => {
  assert.deepEqual(
    [0, 0.0004, 0.5, 0.9999, 1].map((share) => formatShare(share, 'en').replaceAll('\u00a0', ' ')),
    ['0 %', '< 0.1 %', '50 %', '> 99.9 %', '100 %'],
  );
});

test('a period is written as short as it can be', () => {
  assert.equal(formatPeriod('2019-01-01', '2021-12-31', 'ru'), '2019–2021');
  assert.equal(formatPeriod('2021-01-01', '2021-12-31', 'kk'), '2021');
  assert.equal(formatPeriod('2021-05-01', '2021-05-01', 'en'), '1 May 2021');
  assert.equal(formatPeriod(null, '2021-05-01', 'ru'), '1 мая 2021 г.');
  assert.equal(formatPeriod(null, null, 'en'), '–');
});
