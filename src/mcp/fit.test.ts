import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fit } from './fit.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('what fits is left as it is', () => {
  const answer = { a: [1, 2], b: { c: 'x' } };
  assert.deepEqual(fit(answer, 1000), { fitting: answer, cuts: [] });
});

test('the longest list is cut first, and how much of it is shown is said', () => {
  const { fitting, cuts } = fit({ short: [1, 2, 3], inner: { long: numbers(1000) } }, 1000);
  assert.ok(JSON.stringify(fitting).length <= 1000);
  assert.deepEqual(cuts, [{ list: 'inner.long', shown: 250, of: 1000 }]);
  assert.deepEqual(Object(fitting).short, [1, 2, 3]);
});

test('a list within the only item of a list is cut as well', () => {
  const { fitting, cuts } = fit({ units: [{ name: 'a', values: numbers(1000) }] }, 500);
  assert.ok(JSON.stringify(fitting).length <= 500);
  assert.deepEqual(cuts, [{ list: 'units.0.values', shown: 125, of: 1000 }]);
  assert.equal(Object(fitting).units[0].name, 'a');
});

test('what has no lists is left out as a whole', () => {
  assert.deepEqual(fit({ text: 'x'.repeat(1000) }, 100), {
    fitting: {},
    cuts: [{ list: '', shown: 0, of: 1 }],
  });
});
