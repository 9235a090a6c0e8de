import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes, formatShare } from './formats.ts';

test('sizes have three digits at most, and decimal units', () => {
  assert.equal(formatBytes(980, 'en'), '980\u00a0B');
  assert.equal(formatBytes(1_234_567, 'en'), '1.2\u00a0MB');
  assert.equal(formatBytes(1_234_567, 'ru'), '1,2\u00a0МБ');
  assert.equal(formatBytes(99_960, 'en'), '100\u00a0kB');
});

test('a small share is not nothing, and a great one not all', () => {
  const shares = [0, 0.0004, 0.0123, 0.93, 0.9996, 1].map((share) => formatShare(share, 'ru'));
  assert.deepEqual(
    shares.map((text) => text.replaceAll('\u00a0', ' ')),
    ['0 %', '< 0,1 %', '1,2 %', '93 %', '> 99,9 %', '100 %'],
  );
});
