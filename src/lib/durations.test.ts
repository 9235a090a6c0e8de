import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addCalendar, calendarPattern, gracePattern, holdPattern, secondsOfHold } from './durations.ts';

describe('a calendar duration', () => {
  for (const [date, duration, plain, atEnd] of [
    ['2025-12-31', 'P1Y', '2026-12-31', '2026-12-31'],
    ['2024-02-29', 'P1Y', '2025-02-28', '2025-02-28'],
    ['2024-02-29', 'P4Y', '2028-02-29', '2028-02-29'],
    ['2023-02-28', 'P1Y', '2024-02-28', '2024-02-29'],
    ['1900-02-28', 'P1M', '1900-03-28', '1900-03-31'],
    ['2000-02-28', 'P1M', '2000-03-28', '2000-03-28'],
    ['2026-01-31', 'P1M', '2026-02-28', '2026-02-28'],
    ['2026-01-30', 'P1M', '2026-02-28', '2026-02-28'],
    ['2026-02-28', 'P1M', '2026-03-28', '2026-03-31'],
    ['2026-11-30', 'P3M', '2027-02-28', '2027-02-28'],
    ['2026-12-27', 'P1W', '2027-01-03', '2027-01-03'],
    ['2024-02-28', 'P2D', '2024-03-01', '2024-03-01'],
    ['2026-06-30', 'P0D', '2026-06-30', '2026-06-30'],
    ['0001-01-01', 'P1M', '0001-02-01', '0001-02-01'],
    ['0099-12-31', 'P1D', '0100-01-01', '0100-01-01'],
    ['9999-06-30', 'P1Y', '9999-12-31', '9999-12-31'],
  ] as const)
    test(`of ${duration} after ${date} is ${plain}, and ${atEnd} where the end of a month counts`, () => {
      assert.equal(addCalendar(date, duration), plain);
      assert.equal(addCalendar(date, duration, { keepsMonthEnd: true }), atEnd);
    });

  test('is one number and one unit, and nothing else', () => {
    const units = ['Y', 'M', 'W', 'D'];
    for (let count = 1; count <= 999; count += 1)
      for (const unit of units) assert.match(`P${count}${unit}`, calendarPattern);
    for (const text of ['', 'P', 'P1', '1Y', 'P0Y', 'P01Y', 'P1000D', 'p1y', 'P1y', 'P-1Y', 'P1Y6M', 'P1.5Y'])
      assert.doesNotMatch(text, calendarPattern, text);
    for (const text of ['PT1H', 'P1Y ', ' P1Y', 'P1Y\n', 'P١Y', 'P1S', 'P1H'])
      assert.doesNotMatch(text, calendarPattern, text);
    assert.match('P0D', gracePattern);
    assert.doesNotMatch('P0D', calendarPattern);
    assert.throws(() => addCalendar('2026-01-01', 'P1Y6M'), RangeError);
  });
});

describe('a hold', () => {
  test('is a time of up to a week of days, or of one other unit', () => {
    const known = {
      PT0S: 0,
      PT90S: 90,
      PT30M: 1800,
      PT2H: 7200,
      P1D: 86_400,
      P7D: 604_800,
      PT999H: 3_596_400,
    };
    for (const [text, seconds] of Object.entries(known)) assert.equal(secondsOfHold(text), seconds, text);
    for (const text of ['P8D', 'P0D', 'P1W', 'P1M', 'PT', 'PT1H30M', 'PT0M', 'PT1000S', 'PT30m', 'PT30M\n'])
      assert.throws(() => secondsOfHold(text), RangeError, text);
    assert.doesNotMatch('PT-1S', holdPattern);
  });
});
