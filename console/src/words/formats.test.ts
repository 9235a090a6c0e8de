import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes } from './formats.ts';

test('sizes have three digits at most, and decimal units', () => {
  assert.equal(formatBytes(980, 'en'), '980\u00a0B');
  assert.equal(formatBytes(1_234_567, 'en'), '1.2\u00a0MB');
  assert.equal(formatBytes(1_234_567, 'ru'), '1,2\u00a0МБ');
  assert.equal(formatBytes(99_960, 'en'), '100\u00a0kB');
});
