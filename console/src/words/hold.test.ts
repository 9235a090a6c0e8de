import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldWords, holdUnits } from './hold.ts';

test('a number and its unit stay on one line, and words that begin like a unit do not', () => {
  assert.equal(
    holdUnits('14 368 га, 98 % и 3 м²; 5 сортов'),
    '14 368\u00a0га, 98\u00a0% и 3\u00a0м²; 5 сортов',
  );
  const held = heldWords({
    name: '5 km',
    list: ['1 ha'],
    of: (area: string) => `${area} ha`,
    deep: { more: '2 %' },
  });
  assert.deepEqual(
    [held.name, ...held.list.map((text) => text), held.of('7'), held.deep.more],
    ['5\u00a0km', '1\u00a0ha', '7\u00a0ha', '2\u00a0%'],
  );
  assert.equal(held.deep, held.deep);
});
