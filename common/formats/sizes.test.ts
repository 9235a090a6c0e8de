import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes, formatDuration } from './sizes.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

test('sizes have three digits at most, and decimal units', () => {
  assert.equal(formatBytes(980, 'en'), '980\u00a0B');
  assert.equal(formatBytes(1_234_567, 'en'), '1.2\u00a0MB');
  assert.equal(formatBytes(1_234_567, 'ru'), '1,2\u00a0МБ');
  assert.equal(formatBytes(99_960, 'en'), '100\u00a0kB');
});

test('a duration has the digits that matter', () => {
  const written = [-5, 420, 9_949, 9_950, 59_400, 60_000, 185_000, 7_800_000, 7_200_000].map((time) =>
    plain(formatDuration(time, 'en')),
  );
  assert.deepEqual(written, [
    '0 s',
    '0.4 s',
    '9.9 s',
    '10 s',
    '59 s',
    '1 min',
    '3 min 5 s',
    '2 h 10 min',
    '2 h',
  ]);
  assert.equal(plain(formatDuration(420, 'ru')), '0,4 с');
  assert.equal(plain(formatDuration(7_800_000, 'kk')), '2 сағ 10 мин');
});
