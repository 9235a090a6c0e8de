import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnknownColumns } from './mapping.ts';

const unknown = 'is not among the attribute_columns of the dataset';

function errorsOf(kato_column: string, columns: readonly string[], mapped: readonly string[] = []) {
  const year_columns = mapped.map((column) => ({ column, start_date: '2020-01-01' }));
  const errors = findUnknownColumns(
    { kato_column, year_columns },
    columns.map((name) => ({ name })),
  );
  return Object.fromEntries(Object.entries(errors).map(([field, fault]) => [field, fault.english]));
}

test('columns that are there are no fault', () => {
  assert.deepEqual(errorsOf('kato', ['kato', '2020'], ['2020']), {});
});

test('a column that differs in case or blanks only is the one that is meant', () => {
  for (const sent of ['KATO', ' kato', 'k ato\u00a0']) {
    assert.deepEqual(errorsOf(sent, ['name', 'kato']), {
      kato_column: `${unknown}; did you mean "kato"?`,
    });
  }
  assert.deepEqual(errorsOf('kato', ['kato', 'Население 2020'], ['население  2020']), {
    'year_columns.0.column': `${unknown}; did you mean "Население 2020"?`,
  });
});

test('any other is told the first columns, once', () => {
  const columns = ['kato', 'name', 'a', 'b', 'c', 'd', 'e'];
  assert.deepEqual(errorsOf('code', columns, ['x', 'a', 'y']), {
    kato_column: `${unknown}, which are "kato", "name", "a", "b", "c" and 2 more`,
    'year_columns.0.column': unknown,
    'year_columns.2.column': unknown,
  });
});

test('columns that cannot be read do not disturb the sentence', () => {
  assert.deepEqual(errorsOf('code', ['a"\n\u202e', 'x'.repeat(100)]), {
    kato_column: `${unknown}, which are "a", "${'x'.repeat(60)}…"`,
  });
});
