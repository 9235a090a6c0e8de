import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDay, parseInstant, parseInterval } from './times.ts';

const at = (text: string) => Date.parse(text);

describe('a time', () => {
  const read = [
    ['2024-06-01T00:00:00Z', '2024-06-01T00:00:00Z'],
    ['2024-06-01t00:00:00z', '2024-06-01T00:00:00Z'],
    ['2024-06-01T05:00:00.1239+05:00', '2024-06-01T00:00:00.123Z'],
    ['2024-02-29T23:59:60Z', '2024-02-29T23:59:59.999Z'],
    ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59.999Z'],
  ] as const;
  for (const [text, expected] of read) test(text, () => assert.equal(parseInstant(text), at(expected)));

  const refused = [
    '2024',
    '2024-06-01',
    '2024-06-01 00:00:00Z',
    '2024-06-01T00:00:00',
    '2024-06-01T00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-06-01T24:00:00Z',
    '2024-06-01T00:60:00Z',
    '2024-06-01T00:00:61Z',
    '2024-06-01T00:00:00,5Z',
    '2024-06-01T00:00:00+5:00',
    '2024-06-01T00:00:00+24:00',
    '2024-06-01T00:00:00.Z',
    '24-06-01T00:00:00Z',
    '+2024-06-01T00:00:00Z',
    '',
  ];
  test('that RFC 3339 does not have is refused', () => {
    for (const text of refused) assert.equal(parseInstant(text), undefined, text);
  });
});

test('a day is all of it', () => {
  assert.deepEqual(parseDay('2024-06-01'), {
    from: at('2024-06-01T00:00:00Z'),
    to: at('2024-06-01T23:59:59.999Z'),
  });
  assert.equal(parseDay('2024-06-31'), undefined);
});

describe('an interval', () => {
  const from = at('2024-01-01T00:00:00Z');
  const to = at('2024-12-31T00:00:00Z');
  const read = [
    ['2024-01-01T00:00:00Z', { from, to: from }],
    ['2024-01-01T00:00:00Z/2024-12-31T00:00:00Z', { from, to }],
    ['2024-01-01T00:00:00Z/..', { from, to: Infinity }],
    ['2024-01-01T00:00:00Z/', { from, to: Infinity }],
    ['../2024-12-31T00:00:00Z', { from: -Infinity, to }],
    ['/2024-12-31T00:00:00Z', { from: -Infinity, to }],
  ] as const;
  for (const [text, expected] of read) test(text, () => assert.deepEqual(parseInterval(text), expected));

  test('without an end, with three, or backwards is refused', () => {
    const instant = '2024-01-01T00:00:00Z';
    for (const text of [
      '/',
      '../..',
      '..',
      `${instant}/2023-01-01T00:00:00Z`,
      `${instant}/${instant}/${instant}`,
      '2024/2025',
      '',
    ])
      assert.equal(parseInterval(text), undefined, text);
  });

  test('of days is whole days where that is asked for', () => {
    const day = (text: string) => parseInterval(text, { days: true });
    const end = at('2024-12-31T23:59:59.999Z');
    assert.deepEqual(day('2024-01-01'), { from, to: at('2024-01-01T23:59:59.999Z') });
    assert.deepEqual(day('2024-01-01/2024-12-31'), { from, to: end });
    assert.deepEqual(day('../2024-12-31'), { from: -Infinity, to: end });
    assert.deepEqual(day('2024-01-01T/2024-12-31T'), { from, to: end });
    assert.deepEqual(day('2024-01-01T00:00:00Z/2024-12-31'), { from, to: end });
    for (const text of ['2024-02-30', '2024', '2024-12-31/2024-01-01'])
      assert.equal(day(text), undefined, text);
  });

  test('of all time is read where that is asked for', () =>
    assert.deepEqual(parseInterval('../..', { whole: true }), { from: -Infinity, to: Infinity }));
});
