import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createCodeTally, matchOf } from './code-tally.ts';
import { createMatchTally } from './match-tally.ts';
import { suggestMapping } from './suggestion.ts';
import { createTableFacts, TableFacts } from './table-facts.ts';

const districts = new Set(['110000000', '113200000', '113400000', '750000000']);
const all = { first: 0, most: 1000 };

type Value = string | number | null;

/** Returns the suggestion for a table of these columns. */
function suggest(names: readonly string[], rows: readonly (readonly Value[])[], columns = all) {
  const facts = createTableFacts(names, districts);
  for (const row of rows) facts.add(row.map((cell) => JSON.stringify(cell)));
  const stored = TableFacts.parse(JSON.parse(JSON.stringify(facts.result())));
  return suggestMapping(stored, districts, columns);
}

/** Returns the roles by column name. */
const rolesOf = ({ columns }: ReturnType<typeof suggest>) =>
  columns.map(({ name, role, reason }) => `${name}: ${role}, ${reason}`);

suite('the column of codes', () => {
  test('is found by its cells, after repairs, and not by a name', () => {
    const found = suggest(
      ['kato', 'Код', '2020'],
      [
        ['text', "'110000000", 1],
        ['other', '11 34 00 000', 2],
        ['more', 113_200_000, null],
      ],
    );
    assert.deepEqual(rolesOf(found), ['kato: none, no_period', 'Код: kato, codes', '2020: value, period']);
    assert.equal(found.kato_column, 'Код');
    assert.deepEqual(
      found.matches[0]?.units.map(({ kato_code: code }) => code),
      ['110000000', '113400000', '113200000'],
    );
  });

  test('is that of districts where another has their regions', () => {
    const rows = ['113200000', '113400000'].map((code) => ['110000000', code, 5]);
    const found = suggest(['region', 'district', '2021'], rows);
    assert.equal(found.kato_column, 'district');
    assert.equal(found.columns[0]?.reason, 'other_codes');
  });

  test('is not a column of sums of nine digits, which stays one of values', () => {
    const found = suggest(
      ['code', '2020'],
      [
        ['110000000', 345_678_901],
        ['750000000', 987_654_321],
      ],
    );
    assert.deepEqual([found.kato_column, found.year_columns.map(({ column }) => column)], ['code', ['2020']]);
  });

  test('may be called by a year, and is not one of values then', () => {
    const found = suggest(
      ['2020', '2021'],
      [
        ['110000000', 1],
        ['750000000', 2],
      ],
    );
    assert.deepEqual([found.kato_column, found.year_columns.map(({ column }) => column)], ['2020', ['2021']]);
  });

  test('of villages matches nothing, and the places within districts are counted', () => {
    const found = suggest(
      ['село', '2020'],
      [
        ['113230100', 1],
        ['113430200', 2],
        ['999999999', 3],
      ],
    );
    assert.equal(found.kato_column, 'село');
    const [match] = found.matches;
    assert.deepEqual([match?.with_district, match?.below_district], [0, 2]);
    assert.deepEqual(
      match?.unknown_codes.items.map(({ within }) => within),
      ['113200000', '113400000', null],
    );
  });

  test('is missing where there is none', () => {
    assert.equal(suggest(['name', '2020'], [['Семей', 1]]).kato_column, null);
    assert.equal(suggest(['name', '2020'], []).kato_column, null);
  });
});

suite('the columns of values', () => {
  const table = (names: readonly string[], values: readonly Value[]) =>
    suggest(['kato', ...names], [['110000000', ...values]]);

  test('have a period as name and at least one number', () => {
    const found = table(['2019', '2020', '2021', 'name', 'total'], [1, 'нет', null, 'Семей', 3]);
    assert.deepEqual(rolesOf(found).slice(1), [
      '2019: value, period',
      '2020: none, texts',
      '2021: none, empty',
      'name: none, no_period',
      'total: none, no_period',
    ]);
  });

  test('are one group where several begin on the same day: the larger, then facts, and the rest is named', () => {
    const plan = table(['2020 план', '2020 факт', '2021 план', '2021 факт'], [1, 2, 3, 4]);
    assert.deepEqual(
      plan.year_columns.map(({ column }) => column),
      ['2020 факт', '2021 факт'],
    );
    assert.deepEqual(plan.left_out, { total: 2, items: ['2020 план', '2021 план'] });
    const larger = table(['2020 план', '2020 факт', '2021 план'], [1, 2, 3]);
    assert.deepEqual(
      larger.year_columns.map(({ column }) => column),
      ['2020 план', '2021 план'],
    );
    const parts = table(['2021', 'I кв. 2021', 'II кв. 2021', '2021 Q3'], [1, 2, 3, 4]);
    assert.deepEqual(
      parts.year_columns.map(({ column }) => column),
      ['I кв. 2021', 'II кв. 2021', '2021 Q3'],
    );
    assert.deepEqual(parts.left_out.items, ['2021']);
    const newest = table(['2022', '2023 план', '2023 факт'], [1, 2, 3]);
    assert.deepEqual(
      newest.year_columns.map(({ column }) => column),
      ['2022', '2023 факт'],
    );
    const beside = table(['2022', '2023', '2023 план', '2024 план'], [1, 2, 3, 4]);
    assert.deepEqual(
      beside.year_columns.map(({ column }) => column),
      ['2022', '2023'],
    );
    const growing = table(['январь-март 2021', 'январь-июнь 2021'], [1, 2]);
    assert.deepEqual(
      growing.year_columns.map(({ column }) => column),
      ['январь-июнь 2021'],
    );
  });

  test('may differ in their notes where no two begin on the same day', () => {
    const found = table(['2020', '2021 (оценка)'], [1, 2]);
    assert.equal(found.year_columns.length, 2);
    assert.deepEqual(found.left_out, { total: 0, items: [] });
  });

  test('of the same name are suggested once', () => {
    const found = table(['2020', '2020'], [1, 2]);
    assert.deepEqual(rolesOf(found).slice(1), ['2020: value, period', '2020: none, repeated_name']);
    assert.equal(found.year_columns.length, 1);
  });
});

test('a table with years in a column is long', () => {
  const rows = ['110000000', '750000000'].flatMap((code) =>
    [2019, 2020, 2021].map((year) => [code, year, 5]),
  );
  assert.deepEqual(suggest(['kato', 'год', 'значение'], rows).long_table, { period_column: 'год' });
  const wide = suggest(
    ['kato', 'founded'],
    [
      ['110000000', 1999],
      ['750000000', 2001],
    ],
  );
  assert.equal(wide.long_table, null, 'each unit once');
});

test('of 5,000 columns those are answered that are asked for, and the mapping has all', () => {
  const names = [
    'kato',
    ...Array.from(
      { length: 5000 },
      (_, at) =>
        `${1900 + (at % 200)}-${String(1 + (Math.floor(at / 200) % 12)).padStart(2, '0')}-${String(1 + Math.floor(at / 2400)).padStart(2, '0')}`,
    ),
  ];
  const row = ['110000000', ...names.slice(1).map(() => 1)];
  const found = suggest(names, [row, row], { first: 4990, most: 20 });
  assert.deepEqual([found.column_count, found.columns.length, found.columns[0]?.index], [5001, 11, 4990]);
  assert.deepEqual(
    found.rows.map((cells) => cells.length),
    [11, 11],
  );
  assert.ok(found.year_columns.length > 2000);
});

test('rows beyond the first thousand are counted and not read', () => {
  const rows = Array.from({ length: 1500 }, (_, at) => [at < 1000 ? '110000000' : 'x', 1]);
  const { row_count: all, counted_rows: counted, matches, rows: shown } = suggest(['kato', '2020'], rows);
  assert.deepEqual([all, counted, matches[0]?.rows, shown.length], [1500, 1000, 1000, 20]);
});

test('a match lists fifty codes of each kind and counts the others; texts are counted by column', () => {
  const tally = createCodeTally(districts);
  for (let at = 0; at < 60; at += 1) tally.add(`x${at}`);
  for (const code of ['110000000', '110000000', undefined]) tally.add(code);
  const match = matchOf(tally.result(), districts);
  assert.deepEqual([match.rows, match.with_district, match.without_code], [63, 2, 1]);
  assert.deepEqual([match.unknown_codes.total, match.unknown_codes.items.length], [60, 50]);
  assert.deepEqual(match.repeated_codes, {
    total: 1,
    items: [{ kato_code: '110000000', rows: 2, first_row: 61 }],
  });
  const yearColumns = [
    { column: '2020', start_date: '2020-01-01' },
    { column: '2021', start_date: '2021-01-01' },
  ];
  const texts = createMatchTally({ yearColumns }, districts);
  texts.add({ katoCode: '110000000', readings: ['н/д', 1] }, 0);
  texts.add({ katoCode: '750000000', readings: ['н/д', 'x'.repeat(300)] }, 1);
  const { total, items } = texts.result().texts;
  assert.deepEqual(
    [total, items[0], items[1]?.value.length],
    [3, { column: '2020', value: 'н/д', cells: 2, first_row: 1 }, 201],
  );
});

test('codes beyond 20,000 different ones are counted together, those of districts by themselves', () => {
  const tally = createCodeTally(districts);
  for (let at = 0; at < 20_010; at += 1) tally.add(`x${at}`);
  tally.add('110000000');
  const match = matchOf(tally.result(), districts);
  assert.deepEqual([match.uncounted_rows, match.with_district, match.unknown_codes.total], [10, 1, 20_000]);
});
