import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MiB } from '../common/units.ts';
import { isDeeperThan } from './json-depth.ts';

test('depth is that of the brackets that are open at once', () => {
  assert.equal(isDeeperThan('[[],[],{"a":[]}]', 3), false);
  assert.equal(isDeeperThan('[[],[],{"a":[]}]', 2), true);
});

test('brackets in strings do not count, whatever is escaped', () => {
  assert.equal(isDeeperThan(String.raw`["[[[\"[[[\\", "[\\\"["]`, 1), false);
  assert.equal(isDeeperThan(String.raw`["\\", [1]]`, 1), true);
});

test('a text of 16 MiB takes one step for each character, whether its strings end or not', () => {
  for (const text of [
    `{"a":"${'x'.repeat(16 * MiB)}"}`,
    `"${'\\"'.repeat(8 * MiB)}`,
    `{"a":"${'\\"'.repeat(8 * MiB)}"}`,
    '"'.repeat(16 * MiB),
  ]) {
    assert.equal(isDeeperThan(text, 64), false);
  }
  assert.equal(isDeeperThan('['.repeat(16 * MiB), 64), true);
});
