import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Series } from './unit-series.ts';
import { breaksOf, countBroken, hasUnknown, unknownOf, joined, whyEmptyAt } from './unit-history.ts';

const act = { kind: 'decree', number: '887', signed: null, date_is: 'force', source: '' } as const;
const series: Series = {
  dates: [2020, 2022, 2024].map((year) => ({ start_date: `${year}-01-01`, end_date: `${year}-12-31` })),
  units: [
    { kato_code: '333200000', values: [null, 2, 3] },
    { kato_code: '630000000', values: [9, 5, null] },
  ],
  without_district: { codes: 1, rows: 1 },
  history: {
    units: [
      { kato_code: '333200000', values: [1, 2, 3], from: [{ kato_code: '193200000', until: '2022-06-08' }] },
      { kato_code: '331000000', values: [7, null, null], from: [] },
    ],
    breaks: [{ kato_code: '630000000', date: '2022-06-08', kind: 'split', act }],
    absent: [{ kato_code: '100000000', until: '2022-06-08' }],
    left: [],
  },
};

test('values under older codes lie under the codes of today', () => {
  assert.deepEqual(
    joined(series).units.map(({ kato_code: code, values }) => [code, ...values]),
    [
      ['331000000', 7, null, null],
      ['333200000', 1, 2, 3],
      ['630000000', 9, 5, null],
    ],
  );
  const { history: _, ...plain } = series;
  assert.equal(joined(plain), plain);
});

test('no value, no such unit then and outside the table are three', () => {
  const at = (date: string, code: string) => whyEmptyAt(series, date)(code);
  assert.equal(at('2020-01-01', '100000000'), 'absent');
  assert.equal(at('2022-01-01', '100000000'), 'outside', 'it was there at the end of 2022');
  assert.equal(at('2024-01-01', '630000000'), 'empty');
  assert.equal(at('2024-01-01', '110000000'), 'outside');
});

test('a break lies before the first date that ends after it', () => {
  assert.deepEqual(
    breaksOf(series, '630000000').map(({ before, date }) => [before, date]),
    [[1, '2022-06-08']],
  );
  assert.deepEqual(breaksOf(series, '333200000'), []);
  assert.equal(countBroken(series), 1);
});

test('a code of a former unit is not unknown', () => {
  assert.ok(!hasUnknown(series));
  assert.ok(hasUnknown({ ...series, without_district: { codes: 2, rows: 2 } }));
  const known = [{ level: 'okrug', units: 1, rows: 3 }] as const;
  const all = { codes: 2, rows: 4 };
  assert.deepEqual(unknownOf({ without_district: all, without_borders: [...known] }), { codes: 1, rows: 1 });
  assert.ok(!hasUnknown({ ...series, without_district: all, without_borders: [...known] }));
  const { history: _, ...plain } = series;
  assert.ok(hasUnknown(plain));
});
