import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPhraseMemory, factsOf, remember } from './said.ts';

test('what a phrase was made of is kept for the first phrases, and for the newest of the others', () => {
  const { remember, recall } = createPhraseMemory();
  const said = (index: number) => ({ code: 'test.phrase', facts: [index] });
  for (let i = 0; i < 5000; i += 1) remember(`phrase ${i}`, said(i));
  for (const kept of [0, 1999, 3000, 4999]) assert.deepEqual(recall(`phrase ${kept}`), said(kept));
  for (const gone of [2000, 2999]) assert.equal(recall(`phrase ${gone}`), undefined);
});

test('long phrases take no more room than eight million characters', () => {
  const { remember, recall } = createPhraseMemory();
  const long = (index: number) => `${index} ${'x'.repeat(1_000_000)}`;
  for (let i = 0; i < 20; i += 1) remember(long(i), { code: 'test.long', facts: [] });
  assert.equal(recall(long(11)), undefined);
  assert.equal(recall(long(19))?.code, 'test.long');
});

test('facts are cut to what JSON and a reader can hold', () => {
  remember('is a phrase', { code: 'test.fact', facts: [] });
  const facts = [1n, undefined, 'a\u0000b', 'is a phrase', { list: ['x'.repeat(2000)], gone: undefined }];
  assert.deepEqual(factsOf(facts), [
    1,
    null,
    'a b',
    { code: 'test.fact', facts: [] },
    { list: [`${'x'.repeat(1000)}…`] },
  ]);
});
