import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDay, formatMoment, formatPeriod } from './days.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

test('a day has its month in words', () => {
  const days = (['en', 'ru', 'kk'] as const).map((language) => plain(formatDay('2021-05-01', language)));
  assert.deepEqual(days, ['1 May 2021', '1 мая 2021', '2021 жылғы 1 мамыр']);
});

test('a period is written as short as it can be', () => {
  assert.equal(formatPeriod('2019-01-01', '2021-12-31', 'ru'), '2019–2021');
  assert.equal(formatPeriod('2021-01-01', '2021-12-31', 'kk'), '2021');
  assert.equal(plain(formatPeriod('2021-05-01', '2021-05-01', 'en') ?? ''), '1 May 2021');
  assert.equal(plain(formatPeriod(null, '2021-05-01', 'ru') ?? ''), '1 мая 2021');
  assert.equal(plain(formatPeriod('2021-05-01', '2021-06-30', 'en') ?? ''), '1 May 2021 – 30 June 2021');
  assert.equal(formatPeriod(null, null, 'en'), undefined);
});

test('a moment is written in the time of its reader', () => {
  const moment = new Date(2026, 10, 22, 9, 5).toISOString();
  assert.equal(plain(formatMoment(moment, 'en')), '22 November 2026, 09:05');
  assert.equal(plain(formatMoment(moment, 'ru')), '22 ноября 2026, 09:05');
  assert.equal(plain(formatMoment(moment, 'kk')), '2026 жылғы 22 қараша, 09:05');
  assert.equal(formatMoment('soon', 'en'), 'soon');
  assert.equal(plain(formatMoment('2026-11-22T23:05:59Z', 'kk', 'utc')), '2026 жылғы 22 қараша, 23:05');
});
