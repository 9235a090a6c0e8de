import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SheetCell, Sheet as Written } from '../support/tables/workbooks.ts';
import { below, dated, read, regions, remarks, valuesAt, year } from './remarked.ts';

suite('a period in a header of several lines', () => {
  test('is that of the column, and not the base year of the heading above it', async () => {
    for (const heading of [
      'В ценах 2010 года, млрд тенге',
      'в процентах к 2015 году',
      'в сопоставимых ценах',
      '2010 = 100',
    ]) {
      const rows = below(
        [
          ['Регион', heading, null, null],
          [null, 2021, '2022 г.', '2023 год'],
        ],
        3,
      );
      const table = await read({ rows, merges: ['A1:A2', 'B1:D1'] });
      assert.deepEqual(dated(table), {
        [year(2021)]: valuesAt(0),
        [year(2022)]: valuesAt(1),
        [year(2023)]: valuesAt(2),
      });
    }
  });

  test('is made of all three of them', async () => {
    const lines = [
      ['Регион', 'Ввод жилья', null, null],
      [null, 2022, null, null],
      [null, 'янв.', 'янв.-июнь', 'янв.–дек.'],
    ];
    const table = await read({ rows: below(lines, 3), merges: ['A1:A3', 'B1:D1', 'B2:D2'] });
    assert.deepEqual(dated(table), {
      '2022-01-01/2022-01-31': valuesAt(0),
      '2022-01-01/2022-06-30': valuesAt(1),
      [year(2022)]: valuesAt(2),
    });
  });

  test('is a quarter for I to IV below a year, and open for I and II', async () => {
    const of = async (numerals: readonly string[]) => {
      const blanks = numerals.slice(1).map(() => null);
      const rows = below(
        [
          ['Регион', '2022 год', ...blanks],
          [null, ...numerals],
        ],
        numerals.length,
      );
      return await read({ rows, merges: ['A1:A2', numerals.length === 4 ? 'B1:E1' : 'B1:C1'] });
    };
    const quarters = await of(['I', 'II', 'III', 'IV']);
    assert.deepEqual(Object.keys(dated(quarters)), [
      '2022-01-01/2022-03-31',
      '2022-04-01/2022-06-30',
      '2022-07-01/2022-09-30',
      '2022-10-01/2022-12-31',
    ]);
    const open = await of(['I', 'II']);
    assert.deepEqual([dated(open), remarks(open)], [{}, ['periodsOpen 2']]);
  });

  test('is a half-year below a merged year', async () => {
    const rows = below(
      [
        ['Регион', '2023 г.', null],
        [null, '1-е полугодие', '2-е полугодие'],
      ],
      2,
    );
    const table = await read({ rows, merges: ['A1:A2', 'B1:C1'] });
    assert.deepEqual(Object.keys(dated(table)), ['2023-01-01/2023-06-30', '2023-07-01/2023-12-31']);
  });

  test('takes its year from the title where the header has none', async () => {
    const rows = [['Ввод жилья за 2023 год'], ...below([['Регион', 'I квартал', 'II квартал', 'Всего']], 3)];
    const table = await read({ rows });
    assert.deepEqual(Object.keys(dated(table)), [
      '2023-01-01/2023-03-31',
      '2023-04-01/2023-06-30',
      year(2023),
    ]);
  });

  test('has no date where it is not understood whole, and the remark says so', async () => {
    const table = await read({ rows: below([['Регион', '5-я неделя 2023', 'Q1-Q5 2023', '2021, 2022']], 3) });
    assert.deepEqual([dated(table), remarks(table)], [{}, ['periodsOpen 3']]);
  });

  test('is not the date of a decree in the title', async () => {
    const rows = [
      ['Приложение 2 к приказу от 12.03.2019 № 45'],
      ['Площадь пашни за 2023 год'],
      ...below([['Регион', 'га']], 1),
    ];
    assert.deepEqual(dated(await read({ rows })), { [year(2023)]: valuesAt(0) });
  });
});

suite('several tables on one sheet are not joined', () => {
  const half = (years: readonly number[], first: number): SheetCell[][] => [
    ['Регион', ...years],
    ...regions.map((region, row) => [region, ...years.map((_, at) => first + 10 * row + at)]),
  ];
  const cases: Readonly<Record<string, Omit<Written, 'name'>>> = {
    'beside each other': {
      rows: half([2021, 2022], 0).map((row, at) => [
        ...row,
        null,
        ...(half([2019, 2020], 500).at(at === 0 ? 0 : -at) ?? []),
      ]),
    },
    'beside each other without a column between': {
      rows: half([2021, 2022], 0).map((row, at) => [
        ...row,
        ...(half([2019, 2020], 500).at(at === 0 ? 0 : -at) ?? []),
      ]),
    },
    'below each other': { rows: [...half([2021, 2022], 0), [], ...half([2019, 2020], 500)] },
    'below each other with titles': {
      rows: [['Пшеница'], ...half([2021, 2022], 0), ['Ячмень'], ...half([2019, 2020], 500)],
    },
    'below each other, years alone above the second': {
      rows: [...half([2021, 2022], 0), [null, 2019, 2020], ...half([2019, 2020], 500).slice(1)],
    },
  };
  for (const [name, sheet] of Object.entries(cases))
    test(name, async () => {
      const first = await read(sheet);
      assert.ok(remarks(first).includes('severalTables 2'), remarks(first).join());
      assert.deepEqual(dated(first), { [year(2021)]: valuesAt(0), [year(2022)]: valuesAt(1) });
      const second = await read(sheet, { table: 1 });
      const order = name.startsWith('beside') ? regions.toReversed() : regions;
      const row = second.rows.find((cells) => cells.includes(order[0] ?? ''));
      assert.equal(second.rows.length, 4);
      const at = second.columns.findIndex(({ period }) => period?.start_date === '2020-01-01');
      assert.equal(row?.[at], name.startsWith('beside') ? 531 : 501);
    });

  test('a rating names its regions for each year', async () => {
    const text =
      'Место;Регион;2022;Место;Регион;2023\n1;Абай;10;1;Акмолинская;20\n2;Акмолинская;9;2;Абай;18\n3;Актюбинская;8;3;Алматинская;17\n';
    const second = await read(text, { table: 1 });
    assert.deepEqual(
      second.rows,
      [
        ['1', 'Акмолинская', 20],
        ['2', 'Абай', 18],
        ['3', 'Алматинская', 17],
      ].map(([rank, ...rest]) => [Number(rank), ...rest]),
    );
  });

  test('one table alone, with notes and a header again on each page, is one', async () => {
    const table = await read({
      rows: [...half([2021, 2022], 0), ...half([2021, 2022], 100), ['Примечание: данные за год', 'см. сайт']],
    });
    assert.ok(!remarks(table).some((each) => each.startsWith('severalTables')), remarks(table).join());
  });
});
