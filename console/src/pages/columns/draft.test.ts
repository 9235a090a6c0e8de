import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  draftOfMapping,
  draftOfSuggestion,
  faultOf,
  mappingOf,
  periodsOf,
  roleOf,
  withPeriod,
  withReading,
  withRole,
  yearsIn,
} from './draft.ts';

const dataset = {
  attribute_columns: ['kato', 'name', '2020', '2021', 'на 01.01.2022'].map((name) => ({ name })),
};
const periods = periodsOf(dataset);
const suggested = draftOfSuggestion({
  kato_column: 'kato',
  year_columns: [
    { column: '2020', start_date: '2020-01-01', end_date: '2020-12-31' },
    { column: 'на 01.01.2022', start_date: '2022-01-01', end_date: null },
  ],
});

test('a column has the role that was chosen last, and one column holds the codes', () => {
  const moved = withRole(suggested, 'name', { role: 'kato', periods });
  assert.deepEqual(
    ['kato', 'name', '2020'].map((column) => roleOf(moved, column)),
    ['none', 'kato', 'value'],
  );
  const taken = withRole(moved, '2020', { role: 'kato', periods });
  assert.deepEqual([taken.kato, taken.values.has('2020')], ['2020', false]);
  const left = withRole(taken, '2020', { role: 'none', periods });
  assert.deepEqual(faultOf(left), { code: 'kato' });
});

test('whole years become days and come back; a day, and a period given by hand, stay', () => {
  const own = withPeriod(withRole(suggested, '2021', { role: 'value', periods }), '2021', {
    start_date: '2021-06-30',
    end_date: null,
  });
  assert.equal(yearsIn(own, periods), 2);
  const end = withReading(own, 'end', periods);
  assert.deepEqual(mappingOf(end).year_columns, [
    { column: '2020', start_date: '2020-12-31', end_date: null },
    { column: 'на 01.01.2022', start_date: '2022-01-01', end_date: null },
    { column: '2021', start_date: '2021-06-30', end_date: null },
  ]);
  assert.deepEqual(mappingOf(withReading(end, 'whole', periods)), mappingOf(own));
});

test('a present mapping says how it reads years', () => {
  const mapped = { kato_column: 'kato', year_columns: [{ column: '2020', start_date: '2020-12-31' }] };
  assert.equal(draftOfMapping(mapped, periods)?.reading, 'end');
  assert.equal(draftOfMapping({ kato_column: null, year_columns: null }, periods), undefined);
});

test('what is missing is named: a period, its order, a column of values', () => {
  const named = withRole(suggested, 'name', { role: 'value', periods });
  assert.deepEqual(faultOf(named), { code: 'start', column: 'name' });
  const turned = withPeriod(named, 'name', { start_date: '2021-01-01', end_date: '2020-01-01' });
  assert.deepEqual(faultOf(turned), { code: 'order', column: 'name' });
  assert.equal(faultOf(suggested), undefined);
  assert.deepEqual(faultOf({ ...suggested, values: new Map() }), { code: 'values' });
});
