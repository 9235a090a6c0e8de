import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rgba } from '../style/colour-map.ts';
import { formatLabel, type LabelWords } from './labels.ts';
import { roundNumbers, scaleRamp } from './ramp-scale.ts';

const words: LabelWords = {
  others: 'others',
  unnamedClass: 'without a name',
  above: (from) => `from ${from}`,
  below: (to) => `below ${to}`,
};
const grey: Rgba = [128, 128, 128, 255];
const stopsAt = (...values: readonly number[]) => values.map((value) => ({ value, colour: grey }));

test('a range has the numbers of its language', () => {
  const range = { kind: 'range', from: 1234.5, to: 2000 } as const;
  assert.equal(formatLabel(range, { words, language: 'ru' }), '1\u00a0234,5 – 2\u00a0000');
  assert.equal(formatLabel({ ...range, from: 0.25, to: 12.5 }, { words, language: 'kk' }), '0,25 – 12,5');
  assert.equal(formatLabel({ ...range, from: 0.25, to: 12.5 }, { words, language: 'en' }), '0.25 – 12.5');
});

test('a bound of many digits is rounded to four', () => {
  const locale = { words, language: 'en' } as const;
  assert.equal(formatLabel({ kind: 'range', from: 1234.567, to: 20.000_1 }, locale), '1,235 – 20');
});

test('an open range, a single value, and words', () => {
  const locale = { words, language: 'ru' } as const;
  assert.equal(formatLabel({ kind: 'range', from: -Infinity, to: 5 }, locale), 'below 5');
  assert.equal(formatLabel({ kind: 'range', from: -Infinity, to: 5, upTo: true }, locale), '≤ 5');
  assert.equal(formatLabel({ kind: 'range', from: 5.5, to: Infinity, upTo: true }, locale), '> 5,5');
  assert.equal(formatLabel({ kind: 'range', from: 5.5, to: Infinity }, locale), 'from 5,5');
  assert.equal(formatLabel({ kind: 'range', from: 7, to: 7 }, locale), '7');
  assert.equal(formatLabel({ kind: 'text', text: 'Чернозём' }, locale), 'Чернозём');
  assert.equal(formatLabel({ kind: 'text', text: '' }, locale), 'without a name');
  assert.equal(formatLabel({ kind: 'others' }, locale), 'others');
});

test('round numbers lie within their ends, six at most', () => {
  assert.deepEqual(roundNumbers(287.3, 811.9), [300, 400, 500, 600, 700, 800]);
  assert.deepEqual(roundNumbers(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(roundNumbers(-0.15, 0.72), [0, 0.2, 0.4, 0.6]);
  assert.deepEqual(roundNumbers(0, 9), [0, 2, 4, 6, 8]);
  assert.deepEqual(roundNumbers(1e-7, 3e-7), [1e-7, 1.5e-7, 2e-7, 2.5e-7, 3e-7]);
});

test('a ramp is laid out by value, with round numbers', () => {
  const { colours, ticks } = scaleRamp(stopsAt(100, 0, 50));
  assert.deepEqual(
    colours.map(({ at }) => at),
    [0, 0.5, 1],
  );
  assert.deepEqual(
    ticks.map(({ at, value }) => [at, value]),
    [0, 20, 40, 60, 80, 100].map((value) => [value / 100, value]),
  );
});

test('stops that crowd stand evenly, each with its number', () => {
  const { colours, ticks } = scaleRamp(stopsAt(0, 1, 10, 1000, 5000));
  assert.deepEqual(
    colours.map(({ at }) => at),
    [0, 0.25, 0.5, 0.75, 1],
  );
  assert.deepEqual(
    ticks.map(({ value }) => value),
    [0, 1, 10, 1000, 5000],
  );
});

test('a ramp of one value, of none, and of infinities', () => {
  assert.deepEqual(scaleRamp(stopsAt(5, 5)).ticks, [{ at: 0.5, value: 5 }]);
  assert.deepEqual(scaleRamp([]), { colours: [], ticks: [] });
  assert.deepEqual(scaleRamp(stopsAt(-Infinity, Number.NaN, Infinity)), { colours: [], ticks: [] });
});

test('a ramp with names has them beside their stops, and numbers at its ends alone', () => {
  const stops = [
    { value: 0, colour: grey },
    { value: 40, colour: grey, label: 'low' },
    { value: 60, colour: grey },
    { value: 100, colour: grey, label: 'high' },
  ];
  const { ticks } = scaleRamp(stops);
  assert.deepEqual(ticks, [
    { at: 0, value: 0 },
    { at: 0.4, value: 40, label: 'low' },
    { at: 1, value: 100, label: 'high' },
  ]);
  const near = [0, 1, 100].map((value) => ({ value, colour: grey, label: `n${value}` }));
  assert.deepEqual(
    scaleRamp(near).ticks.map(({ at, label }) => [at, label]),
    [
      [0, 'n0'],
      [0.5, 'n1'],
      [1, 'n100'],
    ],
  );
  const many = Array.from({ length: 101 }, (_, value) => ({ value, colour: grey, label: `n${value}` }));
  const shown = scaleRamp(many).ticks;
  assert.ok(shown.length <= 14 && shown[0]?.label === 'n0' && shown.at(-1)?.label === 'n100');
});
