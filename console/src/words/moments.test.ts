import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, formatMoment } from './moments.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

test('a moment is written in the time of its reader', () => {
  const moment = new Date(2026, 10, 22, 9, 5).toISOString();
  assert.equal(plain(formatMoment(moment, 'en')), '22 November 2026, 09:05');
  assert.equal(plain(formatMoment(moment, 'ru')), '22 ноября 2026, 09:05');
  assert.equal(plain(formatMoment(moment, 'kk')), '2026 жылғы 22 қараша, 09:05');
  assert.equal(formatMoment('soon', 'en'), 'soon');
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
