import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, Message } from './message.ts';

test('facts are cut to what JSON and a reader can hold', () => {
  const phrase = new Message('is a phrase', { code: 'test.fact', facts: [] });
  const facts = [1n, undefined, 'a\u0000b', phrase, { list: ['x'.repeat(2000)], gone: undefined }];
  assert.deepEqual(factsOf(facts), [
    1,
    null,
    'a b',
    { code: 'test.fact', facts: [] },
    { list: [`${'x'.repeat(1000)}…`] },
  ]);
});

test('a text that equals a phrase stays a text', () => {
  assert.deepEqual(factsOf(['is required']), ['is required']);
});
