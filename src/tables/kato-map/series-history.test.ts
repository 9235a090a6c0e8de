import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { curatedHistory } from '../../units/history/curated.ts';
import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import { historyOfSeries } from './series-history.ts';

const { succession } = curatedHistory();
const regions = ['630000000', '100000000', '710000000'];
const districts = ['333200000', '191000000', '331000000', '104600000', '104500000', '104400000', '635600000'];
const today = new Map<string, UnitLevel>([
  ...regions.map((code) => [code, 'region'] as const),
  ...districts.map((code) => [code, 'district'] as const),
  ['111000000', 'district'],
]);

/** Returns the history of a series of years, each a point in time on 1 January. */
function historyOf(
  years: readonly number[],
  table: Readonly<Record<string, readonly (number | string | null)[]>>,
) {
  const dates = years.map((year) => ({ start_date: `${year}-01-01`, end_date: null }));
  const values = new Map(Object.entries(table));
  const drawn = new Set([...values.keys()].filter((code) => today.has(code)));
  return historyOfSeries({ dates, values, today, drawn }, succession);
}

describe('the history of a series', () => {
  test('values under an older code of the same land are carried over to the unit of today', () => {
    const history = historyOf([2020, 2021, 2023], {
      '193200000': [5, 6, null],
      '333200000': [null, null, 8],
    });
    assert.deepEqual(history?.units, [
      { kato_code: '333200000', values: [5, 6, 8], from: [{ kato_code: '193200000', until: '2022-06-08' }] },
    ]);
    assert.deepEqual([history.breaks, history.left], [[], []]);
  });

  test('what the table says under the code of today wins over what it says under an older one', () => {
    const history = historyOf([2020, 2023], { '193200000': [5, 6], '333200000': [1, 8] });
    assert.deepEqual(history?.units[0]?.values, [1, 8]);
    const later = historyOf([2023, 2024], { '193200000': [5, 6] });
    assert.deepEqual(later?.units ?? [], [], 'it was not a code then');
  });

  test('a split is a break for the unit that keeps its code, and the others were not there before', () => {
    const history = historyOf([2020, 2023], { '630000000': [1369, 730], '100000000': [null, 611] });
    assert.deepEqual(
      history?.breaks.map(({ kato_code: code, date, kind, act }) => [code, date, kind, act.number]),
      [['630000000', '2022-06-08', 'split', '887']],
    );
    assert.ok(
      history.absent.some(({ kato_code: code, until }) => code === '100000000' && until === '2022-06-08'),
    );
    assert.ok(!history.absent.some(({ kato_code: code }) => code === '630000000' || code === '333200000'));
    assert.deepEqual(history.units, [], 'nothing is guessed over a split');
  });

  test('a recoded unit that was split later is carried to where its code went on, with a break', () => {
    const history = historyOf([2020, 2023, 2025], {
      '636400000': [80, null, null],
      '104600000': [null, 79, 45],
    });
    assert.deepEqual(history?.units[0]?.values, [80, 79, 45]);
    assert.deepEqual(
      history.breaks.map(({ date }) => date),
      ['2024-01-01'],
    );
  });

  test('a unit that ended in a split is named, and its values go nowhere', () => {
    const history = historyOf([2020, 2023], { '635000000': [30, null] });
    assert.deepEqual(history?.left, [
      {
        kato_code: '635000000',
        name: 'Кокпектинский',
        until: '2022-06-07',
        reason: 'ended',
        to: ['104400000', '635600000'],
      },
    ]);
    assert.deepEqual(history.units, []);
  });

  test('a code that another unit has today goes by the other codes of the table', () => {
    const alone = historyOf([2020, 2023], { '191000000': [170, 60] });
    assert.deepEqual(alone?.left[0]?.reason, 'reused');
    assert.deepEqual(alone.units, [], 'the table does not tell, and nothing is moved');
    const older = historyOf([2020, 2023], { '191000000': [170, 60], '191600000': [58, null] });
    assert.deepEqual(older?.units, [
      {
        kato_code: '191000000',
        values: [58, 60],
        from: [{ kato_code: '191600000', until: '2022-05-03' }],
      },
      {
        kato_code: '331000000',
        values: [170, null],
        from: [{ kato_code: '191000000', until: '2022-06-08' }],
      },
    ]);
    const newer = historyOf([2020, 2023], { '191000000': [58, 60], '331000000': [170, 172] });
    assert.deepEqual(newer?.units, [], 'it has the code of Taldykorgan of today');
  });

  test('a period belongs to the units at its end', () => {
    const dates = [
      { start_date: '2021-01-01', end_date: '2021-12-31' },
      { start_date: '2022-01-01', end_date: '2022-12-31' },
    ];
    const values = new Map([['630000000', [1369, 730]]]);
    const history = historyOfSeries({ dates, values, today, drawn: new Set(['630000000']) }, succession);
    assert.deepEqual(
      history?.breaks.map(({ date }) => date),
      ['2022-06-08'],
    );
  });

  test('a rename breaks nothing, and a series without changes has no history', () => {
    assert.equal(historyOf([2017, 2025], { '710000000': [1, 2] })?.breaks.length, 0);
    assert.equal(historyOf([2025, 2026], { '111000000': [1, 2] }), undefined);
    assert.equal(historyOf([], { '111000000': [] }), undefined);
  });
});
