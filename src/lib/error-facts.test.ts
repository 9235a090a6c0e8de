import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { codeOf, isMissing, messageOf, reasonOf } from './error-facts.ts';

test('an error of the file system has a code, and says whether something is missing', async () => {
  const missing: unknown = await stat('/nowhere/at/all').catch((error: unknown) => error);
  assert.equal(codeOf(missing), 'ENOENT');
  assert.equal(isMissing(missing), true);
  assert.equal(isMissing(Object.assign(new Error('no'), { code: 'EACCES' })), false);
});

test('other errors, and what is none, have no code', () => {
  for (const thrown of [
    new Error('x'),
    Object.assign(new Error('x'), { code: 7 }),
    { code: 'ENOENT' },
    null,
  ]) {
    assert.equal(codeOf(thrown), undefined);
    assert.equal(isMissing(thrown), false);
  }
});

test('whatever was thrown can be told in one line', () => {
  assert.equal(messageOf('gone'), 'gone');
  assert.equal(reasonOf(new Error('first\nsecond')), 'first');
  assert.equal(reasonOf(new TypeError('fetch failed', { cause: new Error('refused') })), 'refused');
  const tried = [new Error('refused ::1'), new Error('refused 127.0.0.1'), new Error('refused ::1')];
  assert.equal(reasonOf(new AggregateError(tried)), 'refused ::1, refused 127.0.0.1');
});
