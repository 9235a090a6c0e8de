import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hrefOf, parseAddress } from './address.ts';

test('an address holds a path and a query, and reads back what was written', () => {
  const href = hrefOf(['datasets', 'a/б'], { q: 'почвы & соль', type: '', group: undefined });
  const { path, query } = parseAddress(href);
  assert.deepEqual(path, ['datasets', 'a/б']);
  assert.deepEqual([...query], [['q', 'почвы & соль']]);
});

test('no address is the first page, and a broken one does not fail', () => {
  assert.deepEqual(parseAddress('').path, []);
  assert.deepEqual(parseAddress('#/').path, []);
  assert.deepEqual(parseAddress('#/%E0%A4%A').path, ['%E0%A4%A']);
});

test('a question mark in a query belongs to its value', () => {
  const { path, query } = parseAddress('#/datasets?q=why?&type=raster');
  assert.deepEqual(path, ['datasets']);
  assert.deepEqual(
    [...query],
    [
      ['q', 'why?'],
      ['type', 'raster'],
    ],
  );
});
