import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { repetitions } from '../../test/support/tier.ts';
import { formatFixed, formatNumber, formatValue } from './numbers.ts';

test('a value has four digits that count', () => {
  assert.deepEqual(
    [0, 0.000_012_3, 0.123_456, 12.3456, 123_456.7].map((value) => formatValue(value, 'en')),
    ['0', '0.00001', '0.1235', '12.35', '123,457'],
  );
  assert.equal(formatValue('як', 'ru'), 'як');
});

test('numbers of a column have all their decimals', () => {
  assert.deepEqual(
    [1234, 0.5, 100].map((value) => formatFixed(value, 'ru', 1)),
    ['1\u00a0234,0', '0,5', '100,0'],
  );
});

const locales = { en: 'en-GB', ru: 'ru-RU', kk: 'ru-RU' } as const;

test('numbers are written as Intl writes them', () => {
  const numbers = fc.oneof(
    fc.double(),
    fc.double({ min: -1e7, max: 1e7 }),
    fc.integer(),
    // Halves of a digit, which are seldom met by chance.
    fc.integer({ min: -1e7, max: 1e7 }).map((number) => (number + 0.5) / 1000),
    fc.integer({ min: -1e7, max: 1e7 }).map((number) => number / 1e7),
    fc.constantFrom(
      0,
      -0,
      0.5,
      1.5,
      -0.004,
      999.5,
      999.995,
      1.005,
      1000,
      1234567.891,
      1e15,
      Infinity,
      Number.NaN,
    ),
  );
  fc.assert(
    fc.property(
      numbers,
      fc.constantFrom('en', 'ru', 'kk'),
      fc.integer({ min: 0, max: 5 }),
      (value, language, digits) => {
        const intl = new Intl.NumberFormat(locales[language], { maximumFractionDigits: digits });
        assert.equal(formatNumber(value, language, digits), intl.format(value));
      },
    ),
    { numRuns: repetitions('NUMBERS_WRITTEN', 500, 5000) },
  );
});
