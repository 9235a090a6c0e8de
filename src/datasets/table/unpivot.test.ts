import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../common/errors.ts';
import { createObservationIds, createUnpivot } from './unpivot.ts';

const mapping = {
  katoColumn: 'kato',
  yearColumns: [
    { column: 'y2', start_date: '2021-01-01', end_date: '2021-12-31' },
    { column: 'y1', start_date: '2020-01-01', end_date: null },
  ],
  formats: [{ column: 'y2', commas: 'thousands' as const }],
};

test('a row gives one value per mapped column, in the order of the mapping, each read as its column does', () => {
  const unpivot = createUnpivot(['y1', 'kato', 'y2'], mapping);
  const both = { katoCode: '110000000', valueText: null, rowNumber: 7 };
  assert.deepEqual(unpivot(['"1,234"', '110000000', '"1,234"'], 7), [
    { ...both, column: 'y2', startDate: '2021-01-01', endDate: '2021-12-31', value: 1234, mappingOrder: 0 },
    { ...both, column: 'y1', startDate: '2020-01-01', endDate: null, value: 1.234, mappingOrder: 1 },
  ]);
});

test('a short row gives empty values, and a row without a code gives none', () => {
  const unpivot = createUnpivot(['kato', 'y1', 'y2'], mapping);
  const values = unpivot(['"1"'], 0).map(({ value, valueText }) => ({ value, valueText }));
  const empty = { value: null, valueText: null };
  assert.deepEqual(values, [empty, empty]);
  assert.deepEqual(unpivot(['" "', '1', '2'], 1), []);
  assert.deepEqual(unpivot([], 2), []);
});

test('a column that is not there, and a text that cannot be a code, are told to the user', () => {
  assert.throws(() => createUnpivot(['kato', 'y1'], mapping), Problem);
  const unpivot = createUnpivot(['kato', 'y1', 'y2'], mapping);
  assert.throws(() => unpivot([`"${'x'.repeat(256)}"`], 4), /holds a text of 256 characters in row 5/);
});

test('an observation id is the UUID of version 5 of what it observes', () => {
  const idOf = createObservationIds('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 1);
  assert.equal(idOf(0, 'y1'), '71a96b2a-c041-5228-862e-67ee57495ac1');
  assert.notEqual(idOf(0, 'y2'), idOf(0, 'y1'));
  assert.notEqual(idOf(1, 'y1'), idOf(0, 'y1'));
  assert.notEqual(createObservationIds('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 2)(0, 'y1'), idOf(0, 'y1'));
});
