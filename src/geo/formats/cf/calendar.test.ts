import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gregorianOf, isoOf, periodBetween, periodsOf, readTimeAxis } from './calendar.ts';

function axisOf(units: string, calendar?: string) {
  const axis = readTimeAxis(units, calendar);
  if ('unknown' in axis) throw new Error(`${axis.unknown}: ${axis.text}`);
  return axis;
}

/** Dates as cftime writes them. */
test('numbers become dates of their calendar', () => {
  for (const [value, units, calendar, date] of [
    [0, 'days since 1970-01-01', undefined, '1970-01-01T00:00:00'],
    [438_288, 'hours since 1970-01-01 00:00:00.0', 'gregorian', '2020-01-01T00:00:00'],
    [1, 'days since 1582-10-04', 'standard', '1582-10-15T00:00:00'],
    [1, 'days since 1582-10-04', 'proleptic_gregorian', '1582-10-05T00:00:00'],
    [59, 'days since 2000-01-01', 'noleap', '2000-03-01T00:00:00'],
    [59, 'days since 2001-01-01', 'all_leap', '2001-02-29T00:00:00'],
    [59, 'days since 2001-01-01', '360_day', '2001-02-30T00:00:00'],
    [59, 'days since 1900-01-01', 'julian', '1900-02-29T00:00:00'],
    [0, 'hours since 2001-03-01 00:00:00 +05:00', undefined, '2001-02-28T19:00:00'],
    [2, 'months since 2000-01-01', '360_day', '2000-03-01T00:00:00'],
    [20_200_115.5, 'day as %Y%m%d.%f', undefined, '2020-01-15T12:00:00'],
    [0.999_999_9, 'days since 2000-01-01', undefined, '2000-01-02T00:00:00'],
  ] as const)
    assert.equal(isoOf(axisOf(units, calendar).dateOf(value)), date, `${value} ${units} ${calendar}`);
});

test('what is not understood is named', () => {
  assert.deepEqual(readTimeAxis('days since 2000-01-01', 'lunar'), { unknown: 'calendar', text: 'lunar' });
  for (const units of [
    'months since 2000-01-01',
    'days',
    'days since 2000-13-01',
    'fortnights since 2000-01-01',
  ])
    assert.deepEqual(readTimeAxis(units, undefined), { unknown: 'units', text: units });
});

test('days of model calendars become days that exist', () => {
  const date = { year: 2001, month: 2, day: 30, seconds: 0 };
  assert.equal(gregorianOf(date, '360_day'), '2001-02-28');
  assert.equal(gregorianOf({ ...date, day: 1 }, 'julian'), '2001-02-14');
});

test('a period ends with the last day before its end', () => {
  const { dateOf } = axisOf('days since 2000-01-01', '360_day');
  assert.deepEqual(periodBetween(dateOf(30), dateOf(60), '360_day'), {
    start: '2000-02-01',
    end: '2000-02-29',
  });
  assert.deepEqual(periodBetween(dateOf(0), dateOf(360), '360_day'), {
    start: '2000-01-01',
    end: '2000-12-31',
  });
  assert.deepEqual(periodBetween(dateOf(0), dateOf(0.5), '360_day'), {
    start: '2000-01-01',
    end: '2000-01-01',
  });
});

test('without bounds, steps that are months or years apart are months and years, others days', () => {
  const { dateOf } = axisOf('days since 2001-01-01', 'standard');
  const startsOf = (...values: readonly number[]) =>
    periodsOf(values.map(dateOf), 'standard').map(({ start, end }) => `${start}/${end}`);
  assert.deepEqual(startsOf(15, 45), ['2001-01-01/2001-01-31', '2001-02-01/2001-02-28']);
  assert.deepEqual(startsOf(0, 365), ['2001-01-01/2001-12-31', '2002-01-01/2002-12-31']);
  assert.deepEqual(startsOf(0, 16), ['2001-01-01/2001-01-01', '2001-01-17/2001-01-17']);
  assert.deepEqual(startsOf(40), ['2001-02-10/2001-02-10']);
});
