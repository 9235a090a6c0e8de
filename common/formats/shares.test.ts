import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatParts, formatShare } from './shares.ts';

const tenthsOf = (text: string) =>
  text.startsWith('<') ? 0 : text.startsWith('>') ? 1000 : Math.round(10 * Number.parseFloat(text));

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
  assert.deepEqual(formatParts([1, 3], 'kk', ''), ['25,0', '75,0']);
});

test('a little is neither nothing nor all', () => {
  const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll('\u00a0', ' '));
  assert.deepEqual(plain([0, 0.0004, 0.0123, 0.5, 0.9999, 1].map((share) => formatShare(share, 'en'))), [
    '0 %',
    '< 0.1 %',
    '1.2 %',
    '50 %',
    '> 99.9 %',
    '100 %',
  ]);
  assert.deepEqual(plain(formatParts([0, 1, 1e6], 'ru')), ['0,0 %', '< 0,1 %', '> 99,9 %']);
});
