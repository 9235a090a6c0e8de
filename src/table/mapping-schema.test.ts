import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MappingInput } from './mapping-schema.ts';

function wrongFields(input: unknown): string[] {
  const issues = MappingInput.safeParse(input).error?.issues ?? [];
  return issues.map((issue) => issue.path.join('.')).toSorted();
}

const a2020 = { column: 'a', start_date: '2020-01-01' };

test('a mapping of points and periods is taken as it is', () => {
  const mapping = {
    kato_column: 'kato',
    year_columns: [a2020, { column: '', start_date: '2021-01-01', end_date: '2021-01-01' }],
  };
  assert.deepEqual(MappingInput.parse(mapping), mapping);
});

test('every failing field is named at once', () => {
  const year_columns = [
    { start_date: '2020-01-01', end_date: '2019-12-31' },
    { column: 'b', start_date: '2023-02-29' },
  ];
  assert.deepEqual(wrongFields({ kato_column: 7, year_columns }), [
    'kato_column',
    'year_columns.0.column',
    'year_columns.0.end_date',
    'year_columns.1.start_date',
  ]);
});

test('an item that is not an object, a wrong container and an empty list go by their own name', () => {
  assert.deepEqual(wrongFields({ kato_column: 'k', year_columns: [a2020, 'b'] }), ['year_columns.1']);
  assert.deepEqual(wrongFields({ kato_column: 'k', year_columns: {} }), ['year_columns']);
  assert.deepEqual(wrongFields({ kato_column: 'k', year_columns: [] }), ['year_columns']);
  assert.deepEqual(wrongFields({}), ['kato_column', 'year_columns']);
});

test('the KATO column and every repetition of a column are refused, beside other mistakes', () => {
  const year_columns = [{ column: 'k', start_date: 'soon' }, a2020, a2020, a2020];
  assert.deepEqual(wrongFields({ kato_column: 'k', year_columns }), [
    'year_columns.0.column',
    'year_columns.0.start_date',
    'year_columns.2.column',
    'year_columns.3.column',
  ]);
});

test('dates outside the calendar, U+0000 and lone surrogates are refused', () => {
  for (const start_date of ['0000-01-01', '10000-01-01', '2024-1-1', '2024-01-01T00:00:00Z', '2024-02-30']) {
    assert.deepEqual(wrongFields({ kato_column: 'k', year_columns: [{ ...a2020, start_date }] }), [
      'year_columns.0.start_date',
    ]);
  }
  assert.deepEqual(wrongFields({ kato_column: 'k\u0000', year_columns: [a2020] }), ['kato_column']);
  assert.deepEqual(wrongFields({ kato_column: '\ud800', year_columns: [a2020] }), ['kato_column']);
});

test('fifty thousand year columns are looked at one by one, more are one fault', () => {
  const many = (count: number) => Array.from({ length: count }, () => ({ ...a2020, column: 7 }));
  assert.equal(wrongFields({ kato_column: 'k', year_columns: many(50_000) }).length, 50_000);
  assert.deepEqual(wrongFields({ kato_column: 'k', year_columns: many(50_001) }).at(-1), 'year_columns');
  const distinct = Array.from({ length: 50_001 }, (_, index) => ({ ...a2020, column: String(index) }));
  assert.deepEqual(wrongFields({ kato_column: 'k', year_columns: distinct }), ['year_columns']);
  assert.deepEqual(wrongFields({ kato_column: 'k', year_columns: distinct.slice(1) }), []);
});
