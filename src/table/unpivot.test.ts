import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../lib/errors.ts';
import { createUnpivot } from './unpivot.ts';

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
  assert.deepEqual(unpivot(['"1,234"', '110000000', '"1,234"'], 7), {
    katoCode: '110000000',
    readings: [1234, 1.234],
  });
});

test('a short row gives empty values, and a row without a code gives none', () => {
  const unpivot = createUnpivot(['kato', 'y1', 'y2'], mapping);
  assert.deepEqual(unpivot(['"1"'], 0), { katoCode: '1', readings: [null, null] });
  assert.equal(unpivot(['" "', '1', '2'], 1), undefined);
  assert.equal(unpivot([], 2), undefined);
});

test('a column that is not there, and a text that cannot be a code, are told to the user', () => {
  assert.throws(() => createUnpivot(['kato', 'y1'], mapping), Problem);
  const unpivot = createUnpivot(['kato', 'y1', 'y2'], mapping);
  assert.throws(() => unpivot([`"${'x'.repeat(256)}"`], 4), /contains a text of 256 characters in row 5/);
});
