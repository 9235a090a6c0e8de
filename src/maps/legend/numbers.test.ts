import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatNumber } from './numbers.ts';

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
    { numRuns: 5000 },
  );
});
