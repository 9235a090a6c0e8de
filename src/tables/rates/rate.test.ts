import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isUnitOfCounts, totalsAreSums } from './counts.ts';
import { type Period, rateOf, validPeriod } from './rate.ts';
import { hectaresOf } from './unit-areas.ts';

const period = (text: string): Period => {
  const [start_date = '', end_date = null] = text.split('/');
  return { start_date, end_date };
};
const year = '2020-01-01/2020-12-31';

describe('the period of a denominator', () => {
  for (const [of, among, used] of [
    [year, ['2019-01-01/2019-12-31', year], year],
    ['2020-01-01', ['2020-01-01/2020-12-31', '2020-01-01'], '2020-01-01'],
    ['2020-07-01', [year, '2020-04-01/2020-09-30', '2015-01-01/2025-12-31'], '2020-04-01/2020-09-30'],
    ['2020-04-01/2020-06-30', ['2020-05-01', year], year],
    [year, ['2020-07-01', '2020-01-01', '2021-01-01'], '2020-01-01'],
    [year, ['2021-01-01', '2019-01-01/2019-12-31'], undefined],
    [year, ['2020-07-01/2021-06-30'], undefined],
    ['2020-07-01', ['2020-01-01'], undefined],
    [year, [], undefined],
  ] as const) {
    it(`for ${of} among ${among.join(', ') || 'none'} is ${used ?? 'none'}`, () => {
      assert.deepEqual(validPeriod(period(of), among.map(period)), used && period(used));
    });
  }
});

describe('a rate', () => {
  for (const [value, divisor, expected] of [
    [30, 1500, { rate: 20 }],
    [0, 1500, { rate: 0 }],
    ['н/д', 1500, { rate: null, reason: 'no_number' }],
    [null, 1500, { rate: null, reason: 'no_number' }],
    [30, undefined, { rate: null, reason: 'no_period' }],
    [30, null, { rate: null, reason: 'no_denominator' }],
    [30, '…', { rate: null, reason: 'no_denominator' }],
    [30, 0, { rate: null, reason: 'zero' }],
    [0, 0, { rate: null, reason: 'zero' }],
    [1e300, 1e-300, { rate: null, reason: 'zero' }],
  ] as const) {
    it(`of ${value} by ${divisor} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(rateOf(value, divisor, 1000), expected);
    });
  }
});

describe('values that seem to be counts', () => {
  for (const unit of ['человек', 'тыс. человек', 'голов', 'тыс. тонн', 'га', 'people', 'адам', 'т', 'ед.'])
    it(`are those in ${unit}`, () => assert.equal(isUnitOfCounts(unit), true));
  for (const unit of [
    '%',
    'человек на 1000 жителей',
    'ц/га',
    'тенге',
    'мм',
    '°C',
    'доля, %',
    '',
    null,
    'Тобол',
  ])
    it(`are not those in ${unit}`, () => assert.equal(isUnitOfCounts(unit), false));

  const regions = {
    '110000000': 30,
    '111000000': 10,
    '112000000': 20,
    '150000000': 7,
    '151000000': 3,
    '152000000': 4,
  };
  for (const [name, values, isSum] of [
    ['regions that are sums of their districts', regions, true],
    ['sums of rounded parts', { ...regions, '110000000': 30.1 }, true],
    ['a region that is a mean', { ...regions, '150000000': 3.5 }, false],
    ['one region alone', { '110000000': 30, '111000000': 10, '112000000': 20 }, false],
    [
      'a country of ten regions',
      {
        '000000000': 55,
        ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`${10 + i}0000000`, i + 1])),
      },
      true,
    ],
    ['regions without parts', { '110000000': 30, '150000000': 7 }, false],
  ] as const)
    it(`are ${isSum ? '' : 'not '}${name}`, () => {
      assert.equal(totalsAreSums(new Map(Object.entries(values))), isSum);
    });
});

describe('the area of a unit', () => {
  const square = (west: number, south: number, side: number) => [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ];
  it('leaves holes out, whichever way rings run', () => {
    const whole = hectaresOf(JSON.stringify({ type: 'Polygon', coordinates: [square(70, 50, 1)] }));
    const hole = square(70.25, 50.25, 0.5);
    const both = [hole, hole.toReversed()].map((ring) =>
      hectaresOf(JSON.stringify({ type: 'MultiPolygon', coordinates: [[square(70, 50, 1), ring]] })),
    );
    const small = hectaresOf(JSON.stringify({ type: 'Polygon', coordinates: [hole] }));
    // Snyder's equations 3-12 to 3-16, calculated by hand.
    assert.ok(Math.abs(whole - 789221.886) < 1, String(whole));
    for (const area of both) assert.ok(Math.abs(area - (whole - small)) < 1e-6);
  });
});
