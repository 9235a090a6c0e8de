import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  type CommaFormat,
  commaProof,
  type CommaProof,
  decideSeparator,
  parseNumberText,
  pointProof,
} from './number-text.ts';

const readings: readonly (readonly [text: string, value: number | undefined])[] = [
  ['12', 12],
  ['007', 7],
  ['+12', 12],
  ['-12.5', -12.5],
  ['\u221212,5', -12.5],
  ['-0', 0],
  ['.5', 0.5],
  [',5', 0.5],
  ['-,5', -0.5],
  ['5.', undefined],
  ['5,', undefined],
  ['.', undefined],
  ['', undefined],
  ['-', undefined],
  [' \t12\u00a0', 12],
  ['1 234', 1234],
  ['1\u00a0234\u00a0567', 1_234_567],
  ['12\u2009345,5', 12_345.5],
  ['123\u202f456.5', 123_456.5],
  ['1234 567', undefined],
  ['1 23', undefined],
  ['1 2345', undefined],
  ['1  234', undefined],
  ['1\u2003234', undefined],
  ['- 5', undefined],
  ['1e3', 1000],
  ['1,5E-2', 0.015],
  ['1e\u22122', 0.01],
  ['1e', undefined],
  ['e3', undefined],
  ['1e400', undefined],
  ['12345678901234567890', Number('12345678901234567890')],
  ['0x10', undefined],
  ['1_000', undefined],
  ['١٢', undefined],
  ['1.2.3', undefined],
  ['1 234,5 %', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['н/д', undefined],
  // unambiguous commas are read in the same way in every column
  ['1,234.5', 1234.5],
  ['1,234,567', 1_234_567],
  ['12,34,567', undefined],
  ['1,234,56', undefined],
  ['1 234,567,890', undefined],
  ['12,5', 12.5],
  ['1234,567', 1234.567],
];

for (const [text, value] of readings) {
  const what = value === undefined ? 'no number' : `the number ${value}`;
  test(`${JSON.stringify(text)} is ${what}, however the commas of its column read`, () => {
    const formats: readonly (CommaFormat | undefined)[] = [
      undefined,
      'decimal',
      'thousands',
      'mixed',
      'ambiguous',
    ];
    assert.deepEqual(
      formats.map((format) => parseNumberText(text, { commas: format, points: format })),
      formats.map(() => value),
    );
  });
}

test('1,234 reads as its column does', () => {
  assert.equal(parseNumberText('1,234', { commas: 'thousands' }), 1234);
  assert.equal(parseNumberText('1,234', { commas: 'decimal' }), 1.234);
  assert.equal(parseNumberText('1,234', { commas: 'ambiguous' }), 1.234);
  assert.equal(parseNumberText('1,234', { commas: 'mixed' }), 1.234);
});

test('12.345 reads as its column does, and what proves it by itself is read in every column', () => {
  assert.equal(parseNumberText('12.345', { points: 'thousands' }), 12_345);
  for (const points of [undefined, 'decimal', 'ambiguous', 'mixed'] as const) {
    assert.equal(parseNumberText('12.345', { points }), 12.345);
    assert.equal(parseNumberText('1.234,5', { points }), 1234.5);
    assert.equal(parseNumberText('1.234.567', { points }), 1_234_567);
  }
});

const pointColumns: readonly (readonly [texts: readonly string[], format: CommaFormat | undefined])[] = [
  [['12', '1 234,5'], undefined],
  [['1.234,5', '12.345'], 'thousands'],
  [['1.234.567', '12.345'], 'thousands'],
  [['12.345', '1.234', '2.000'], 'ambiguous'],
  [['12.345', '1.5'], 'decimal'],
  [['0.125', '12.345'], 'decimal'],
  [['1,234.5', '12.345'], 'decimal'],
  [['1.234.567', '1.5'], 'mixed'],
];

for (const [texts, format] of pointColumns) {
  test(`points in a column of ${texts.map((text) => `"${text}"`).join(', ')} are ${format ?? 'not there'}`, () => {
    const proofs = texts.map(pointProof).filter((proof): proof is CommaProof => proof !== undefined);
    assert.equal(decideSeparator(new Set(proofs)), format);
  });
}

const columns: readonly (readonly [texts: readonly string[], format: CommaFormat | undefined])[] = [
  [['12', '1 234.5', 'a, b', '-'], undefined],
  [['12,5', '1,234'], 'decimal'],
  [['0,125', '1,234'], 'decimal'],
  [[',125'], 'decimal'],
  [['1,234.5', '1,234'], 'thousands'],
  [['1,234,567', '-'], 'thousands'],
  [['1,234.5', '12,5'], 'mixed'],
  [['1,234', '-5,678', 'н/д'], 'ambiguous'],
  [['1,234e3'], 'ambiguous'],
];

for (const [texts, format] of columns) {
  test(`commas in a column of ${texts.map((text) => `"${text}"`).join(', ')} are ${format ?? 'not there'}`, () => {
    const proofs = texts.map(commaProof).filter((proof): proof is CommaProof => proof !== undefined);
    assert.equal(decideSeparator(new Set(proofs)), format);
  });
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const ends = fc.stringMatching(/^[ \t\n\u00a0\u2009\u202f]{0,3}$/);

test('whatever JavaScript prints of a finite number reads back as that number', () => {
  fc.assert(
    fc.property(finite, ends, ends, (value, before, after) => {
      const printed = before + String(value).replace('-', '\u2212') + after;
      assert.equal(parseNumberText(printed), value === 0 ? 0 : value);
    }),
  );
});

test('groups, commas and signs change nothing of the number', () => {
  const space = fc.constantFrom(' ', '\u00a0', '\u2009', '\u202f');
  const digits = fc.stringMatching(/^[0-9]{1,9}$/);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 ** 15 }),
      digits,
      space,
      fc.boolean(),
      (whole, fraction, gap, minus) => {
        const sign = minus ? '-' : '';
        const value = Number(`${sign}${whole}.${fraction}`);
        const grouped = (separator: string): string =>
          sign + String(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, separator);
        assert.equal(parseNumberText(`${grouped(gap)},${fraction}`, { commas: 'decimal' }), value);
        assert.equal(parseNumberText(`${grouped(',')}.${fraction}`, { commas: 'thousands' }), value);
      },
    ),
  );
});

test('a text is a finite number or none at all, in every column', () => {
  const text = fc.stringMatching(/^[-+\u2212 \u00a00-9.,eE]{0,12}$/);
  const format = fc.constantFrom<CommaFormat>('decimal', 'thousands', 'mixed', 'ambiguous');
  fc.assert(
    fc.property(text, format, format, (candidate, one, other) => {
      const value = parseNumberText(candidate, { commas: one, points: other });
      assert.ok(value === undefined || (Number.isFinite(value) && !Object.is(value, -0)));
      assert.equal(
        parseNumberText(candidate, { commas: other, points: one }) === undefined,
        value === undefined,
      );
    }),
  );
});
