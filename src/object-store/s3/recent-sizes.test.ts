import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecentSizes } from './recent-sizes.ts';

test('a size is known for a second, until it is forgotten, and for a thousand objects', () => {
  let now = 0;
  const sizes = createRecentSizes(() => now);
  sizes.set('a', 5);
  now = 999;
  assert.equal(sizes.get('a'), 5);
  now = 1000;
  assert.equal(sizes.get('a'), undefined);
  sizes.set('a', 6);
  sizes.forget('a');
  assert.equal(sizes.get('a'), undefined);
  for (let n = 0; n <= 1000; n += 1) sizes.set(`key-${n}`, n);
  assert.deepEqual([sizes.get('key-0'), sizes.get('key-1'), sizes.get('key-1000')], [undefined, 1, 1000]);
});
