import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { SheetCell } from '../support/tables/workbooks.ts';
import { below, dated, read, regions, remarks, rolesOf, valuesAt } from './remarked.ts';

interface Header {
  readonly lines: readonly (readonly SheetCell[])[];
  readonly merges?: readonly string[];
  readonly titles?: readonly string[];
  /** Time of each column of values as `first/last`, or `-` where the page must ask. */
  readonly times: string;
}

const y = (of: number) => `${of}-01-01/${of}-12-31`;

/** Headers in the forms of the tables and yearbooks of statistics offices. */
const headers: Readonly<Record<string, Header>> = {
  'indicators over years': {
    lines: [
      ['Регион', 'Посевная площадь', null, 'Валовой сбор', null],
      [null, 2021, 2022, 2021, 2022],
    ],
    merges: ['A1:A2', 'B1:C1', 'D1:E1'],
    times: `${y(2021)} ${y(2022)} ${y(2021)} ${y(2022)}`,
  },
  'years over indicators without merged cells': {
    lines: [
      ['Регион', 2021, null, 2022, null],
      [null, 'площадь', 'сбор', 'площадь', 'сбор'],
    ],
    times: `${y(2021)} ${y(2021)} ${y(2022)} ${y(2022)}`,
  },
  'growth beside its years': {
    lines: [['Регион', '2022', '2023', '2023 в % к 2022']],
    times: `${y(2022)} ${y(2023)} ${y(2023)}`,
  },
  'months compared with those of the year before': {
    lines: [['Регион', 'Январь-декабрь 2023 г.', 'Январь-декабрь 2023 г. в % к январю-декабрю 2022 г.']],
    times: `${y(2023)} ${y(2023)}`,
  },
  'an index against the same period of the year before': {
    lines: [
      ['Регион', 'Индекс, в % к соответствующему периоду предыдущего года', null],
      [null, 'январь-март 2022', 'янв.-март 2023'],
    ],
    merges: ['A1:A2', 'B1:C1'],
    times: '2022-01-01/2022-03-31 2023-01-01/2023-03-31',
  },
  'a difference': {
    lines: [['Регион', '2022 год', '2023 год', 'отклонение (+,-)']],
    times: `${y(2022)} ${y(2023)} -`,
  },
  'the beginning and the end of a year below it': {
    lines: [
      ['Регион', '2023 год', null],
      [null, 'на начало года', 'на конец года'],
    ],
    merges: ['A1:A2', 'B1:C1'],
    times: '2023-01-01/ 2023-12-31/',
  },
  'a line that numbers the columns': {
    lines: [
      ['Регион', '2022', '2023'],
      ['А', 1, 2],
    ],
    times: `${y(2022)} ${y(2023)}`,
  },
  'months that are part of a year beside it': {
    lines: [
      ['Регион', '2023 год', 'в том числе:', null],
      [null, null, 'январь', 'февраль'],
    ],
    merges: ['A1:A2', 'B1:B2', 'C1:D1'],
    times: `${y(2023)} - -`,
  },
  'years in brackets': {
    lines: [['Регион', 'Население (2022)', 'Население (2023)']],
    times: `${y(2022)} ${y(2023)}`,
  },
  'years in names of variables': {
    lines: [['region', 'pop_2022', 'dens_2022_per_km2']],
    times: `${y(2022)} ${y(2022)}`,
  },
  'quarters that are added up': {
    lines: [['Регион', '1 кв. 2023', '1-2 кв. 2023', '1-3 кв. 2023', '1-4 кв. 2023']],
    times: `2023-01-01/2023-03-31 2023-01-01/2023-06-30 2023-01-01/2023-09-30 ${y(2023)}`,
  },
  'the plan of a year and what was done in nine months': {
    lines: [['Регион', 'План на 2023 год', 'Факт за 9 месяцев 2023 года', '% исполнения']],
    times: `${y(2023)} 2023-01-01/2023-09-30 -`,
  },
  'a day in the title': {
    titles: ['Численность безработных по состоянию на 1 октября 2023 года'],
    lines: [['Регион', 'человек', 'доля, %']],
    times: '2023-10-01/ 2023-10-01/',
  },
  'two years in the title alone': {
    titles: ['Основные показатели за 2022-2023 годы'],
    lines: [['Регион', 'Всего']],
    times: '2022-01-01/2023-12-31',
  },
  'two years in the title, each in its column': {
    titles: ['Основные показатели за 2022-2023 годы'],
    lines: [['Регион', '2022', '2023']],
    times: `${y(2022)} ${y(2023)}`,
  },
  'the day on which the table was made': {
    titles: ['Отчет сформирован 12.02.2024'],
    lines: [['Регион', 'Кол-во']],
    times: '-',
  },
  'days of a season of work': {
    lines: [['Регион', 'на 05.06.23', 'на 12.06.23']],
    times: '2023-06-05/ 2023-06-12/',
  },
  'from day to day': {
    lines: [['Регион', '01.01.2023 - 31.03.2023', '01.04.2023 - 30.06.2023']],
    times: '2023-01-01/2023-03-31 2023-04-01/2023-06-30',
  },
  'years of studies': {
    lines: [['Регион', '2021/2022 уч.г.', '2022/2023 уч.г.']],
    times: '2021-09-01/2022-08-31 2022-09-01/2023-08-31',
  },
  'Kazakh months and an index': {
    lines: [['Өңір', '2022 жылғы қаңтар-желтоқсан', '2023 жылғы қаңтар-желтоқсан', '2023 ж. 2022 ж. %-бен']],
    times: `${y(2022)} ${y(2023)} ${y(2023)}`,
  },
  'the World Bank': { lines: [['Region', '2021 [YR2021]', '2022 [YR2022]']], times: `${y(2021)} ${y(2022)}` },
  'marks of footnotes': {
    lines: [['Регион', '2021¹', '2022²', '2023³)']],
    times: `${y(2021)} ${y(2022)} ${y(2023)}`,
  },
  'four lines': {
    lines: [
      ['Регион', 'Сельское хозяйство', null, null, null],
      [null, 'растениеводство', null, 'животноводство', null],
      [null, 2022, 2023, 2022, 2023],
      [null, 'млн тг', 'млн тг', 'млн тг', 'млн тг'],
    ],
    merges: ['A1:A4', 'B1:E1', 'B2:C2', 'D2:E2'],
    times: `${y(2022)} ${y(2023)} ${y(2022)} ${y(2023)}`,
  },
  'two languages in one line': {
    lines: [['Өңірлер / Регионы', '2022 жыл / 2022 год', '2023 жыл / 2023 год']],
    times: `${y(2022)} ${y(2023)}`,
  },
  'a base in brackets': {
    lines: [['Регион', '2022 (2010=100)', '2023 (2010=100)']],
    times: `${y(2022)} ${y(2023)}`,
  },
  'five years on average': {
    lines: [['Регион', '2016-2020 (в среднем за год)', '2021']],
    times: `2016-01-01/2020-12-31 ${y(2021)}`,
  },
  'groups of age': {
    lines: [['Регион', 'в возрасте 0-14 лет, 2023', '15-64 лет, 2023', '65+ лет, 2023']],
    times: `${y(2023)} ${y(2023)} ${y(2023)}`,
  },
  'a day of unknown date': {
    lines: [['Регион', 'Осадки за сутки 2023', 'Осадки за май 2023, мм']],
    times: '- 2023-05-01/2023-05-31',
  },
  'half-years in Roman numerals': {
    lines: [['Регион', 'I полугод. 2023', 'II полугод. 2023']],
    times: '2023-01-01/2023-06-30 2023-07-01/2023-12-31',
  },
  'a plan of three years': {
    lines: [['Регион', 'План на 2023-2025 годы', '2023']],
    times: `2023-01-01/2025-12-31 ${y(2023)}`,
  },
  'months as dates': {
    lines: [['Регион', '2023-01', '2023-02']],
    times: '2023-01-01/2023-01-31 2023-02-01/2023-02-28',
  },
  'a day and a year of studies': { lines: [['Регион', 'на 1 сентября 2022/2023 уч. года']], times: '-' },
  'a day in the title, for years alone': {
    titles: ['Поголовье скота на 1 января, тыс. голов'],
    lines: [['Регион', '2023', '2024 г.', '2024 г. в % к 2023 г.']],
    times: '2023-01-01/ 2024-01-01/ 2024-01-01/',
  },
  'months in the title, for years alone': {
    titles: ['Производство мяса в январе-сентябре'],
    lines: [['Регион', 2022, 2023]],
    times: '2022-01-01/2022-09-30 2023-01-01/2023-09-30',
  },
  'the end of years in a line on units': {
    titles: ['Численность скота', 'голов, на конец года'],
    lines: [['Регион', 2022, 2023]],
    times: '2022-12-31/ 2023-12-31/',
  },
  'a title with a month to compare with': {
    titles: ['Индекс цен, в % к декабрю предыдущего года'],
    lines: [['Регион', 2022, 2023]],
    times: `${y(2022)} ${y(2023)}`,
  },
  'a title with the day of a letter, and one with a bound': {
    titles: ['Приложение к письму от 5 мая', 'Собрано до 1 июня'],
    lines: [['Регион', 2022, 2023]],
    times: `${y(2022)} ${y(2023)}`,
  },
  'a Kazakh title with a day to compare with': {
    titles: ['Мал басы, 1 қаңтарға пайызбен'],
    lines: [['Өңір', 2022, 2023]],
    times: `${y(2022)} ${y(2023)}`,
  },
  'a Kazakh title with butter in it': {
    titles: ['Сары май өндірісі'],
    lines: [['Өңір', 2022, 2023]],
    times: `${y(2022)} ${y(2023)}`,
  },
  'the year before that of the title': {
    titles: ['Производство молока за 2023 год'],
    lines: [['Регион', 'тонн', 'Прошлый год', 'аналогичный период предыдущего года', 'в % к прошлому году']],
    times: `${y(2023)} - - ${y(2023)}`,
  },
  'the year before that of a Kazakh title': {
    titles: ['2023 жылғы қаңтар-қыркүйек'],
    lines: [['Өңір', 'есепті кезең', 'өткен жылдың тиісті кезеңі', 'өткен жылға %-бен']],
    times: '2023-01-01/2023-09-30 - 2023-01-01/2023-09-30',
  },
  'cattle and what it is compared with, in Kazakh': {
    titles: ['2023 жылғы 1 желтоқсанға мал басы'],
    lines: [
      ['Өңір', 'Ірі қара мал', null, 'оның ішінде сиыр', null],
      [null, 'барлығы', '2022 жылғы 1 желтоқсанға пайызбен', 'барлығы', '2022 жылғы 1 желтоқсанға %-бен'],
    ],
    merges: ['A1:A2', 'B1:C1', 'D1:E1'],
    times: '2023-12-01/ - 2023-12-01/ -',
  },
  'the corresponding period of a year': {
    lines: [['Регион', 'январь-сентябрь 2023 г.', 'соответствующий период 2022 г.']],
    times: '2023-01-01/2023-09-30 -',
  },
  'a ratio of two years': { lines: [['Регион', '2022, тыс. т', '2023/2022, %']], times: `${y(2022)} -` },
};

suite('headers of statistics offices', () => {
  for (const [name, { lines, merges = [], titles = [], times }] of Object.entries(headers))
    test(name, async () => {
      const width = Math.max(...lines.map(({ length }) => length)) - 1;
      const moved = merges.map((range) =>
        range.replaceAll(/\d+/g, (row) => String(Number(row) + titles.length)),
      );
      const rows = [...titles.map((title) => [title]), ...below(lines, width)];
      const table = await read({ rows, merges: moved });
      const values = table.columns.filter(({ role }) => role === 'value');
      const found = values.map(({ period }) =>
        period === undefined ? '-' : `${period.start_date}/${period.end_date ?? ''}`,
      );
      assert.deepEqual(found, times.split(' '));
      assert.deepEqual(
        table.rows.map((row) => row.at(-1)),
        valuesAt(width - 1),
      );
      const speaks = values.some(
        ({ name: text, period }) => period === undefined && /\d{4}|январь|прошл|предыдущ|өткен/iu.test(text),
      );
      assert.equal(
        remarks(table).some((each) => each.startsWith('periodsOpen')),
        speaks,
      );
    });
});

suite('rows of statistics offices', () => {
  test('a time or a place that stands once for its group is that of each row', async () => {
    const expected = { [y(2021)]: [1, 3], [y(2022)]: [2, 4] };
    for (const text of [
      'Регион;Год;Значение\nАбай;2021;1\n;2022;2\nАкмолинская;2021;3\n;2022;4\n',
      'Год;Регион;Значение\n2021;Абай;1\n;Акмолинская;3\n2022;Абай;2\n;Акмолинская;4\n',
    ]) {
      const table = await read(text);
      assert.deepEqual([dated(table), remarks(table)], [expected, ['groupsFilled 2']]);
    }
  });

  test('years as lines between the rows are their times', async () => {
    const table = await read(
      'Регион;Значение\n2021 год;\nАбай;1\nАкмолинская;3\n2022 год;\nАбай;2\nАкмолинская;4\n',
    );
    assert.deepEqual(dated(table), { [y(2021)]: [1, 3], [y(2022)]: [2, 4] });
  });

  test('indicators down the side with their units, regions from left to right', async () => {
    const table = await read({
      rows: [
        ['Показатель', 'Ед. изм.', ...regions],
        ['Население', 'чел.', 1, 2, 3, 4],
        ['Площадь', 'га', 5, 6, 7, 8],
      ],
    });
    assert.deepEqual(rolesOf(table), [
      'Показатель Ед. изм.: name',
      'Население чел.: value',
      'Площадь га: value',
    ]);
  });

  test('years of a long table are the days that its title names', async () => {
    const table = await read(
      'Население на начало года;;\nРегион;Год;человек\nАбай;2022;1\nАбай;2023;2\nАкмолинская;2022;3\nАкмолинская;2023;4\n',
    );
    assert.deepEqual(dated(table), { '2022-01-01/': [1, 3], '2023-01-01/': [2, 4] });
    assert.deepEqual(remarks(table), ['partAbove 4']);
  });

  test('totals of regions below their districts do not make the regions the places', async () => {
    const rows = [
      ['Область', 'Район', 'га 2023'],
      ['Акмолинская', 'Аккольский', 1],
      [null, 'Аршалынский', 2],
      ['Итого по Акмолинской', null, 3],
      ['Костанайская', 'Карасуский', 4],
      [null, 'Жангельдинский', 5],
      ['Итого по Костанайской', null, 9],
      ['ВСЕГО', null, 12],
    ];
    const table = await read({ rows });
    assert.deepEqual(rolesOf(table), ['Область: region', 'Район: name', 'га 2023: value']);
    assert.deepEqual(remarks(table), ['groupsFilled 2', 'totalsKept 3']);
  });

  test('districts from left to right below their regions are the places', async () => {
    const rows = [
      ['Показатель', 'Акмолинская область', null, 'Алматинская область', null],
      [null, 'Аккольский район', 'Жаксынский район', 'Жамбылский район', 'Илийский район'],
      ['Пашня 2023', 1, 2, 3, 4],
      ['Залежь 2023', 5, 6, 7, 8],
    ];
    const table = await read({ rows, merges: ['A1:A2', 'B1:C1', 'D1:E1'] });
    assert.deepEqual(
      table.columns.map(({ role }) => role),
      ['region', 'name', 'value', 'value'],
    );
    assert.deepEqual(
      table.rows.map((row) => row.slice(1)),
      [
        ['Аккольский район', 1, 5],
        ['Жаксынский район', 2, 6],
        ['Жамбылский район', 3, 7],
        ['Илийский район', 4, 8],
      ],
    );
  });

  test('numbers of rows are no values', async () => {
    const lines = [
      ['Районы', '№ строки', 'га'],
      ['А', 'Б', 1],
    ];
    const rows = [...lines, ['Аккольский район', '01', 5], ['Аршалынский район', '02', 6]];
    assert.deepEqual(rolesOf(await read({ rows })), ['Районы: name', '№ строки: note', 'га: value']);
    const unnamed = [
      [null, null, 2022],
      [1, 'Абай', 7],
      [2, 'Акмолинская', 8],
    ];
    assert.deepEqual(rolesOf(await read({ rows: unnamed })), ['A: note', 'B: name', '2022: value']);
  });

  test('amounts of nine digits are no codes', async () => {
    const amounts = 'Район;Бюджет, тенге\nАккольский;152345678\nАршалынский;193456789\nЕсильский;116789012\n';
    assert.deepEqual(rolesOf(await read(amounts)), ['Район: name', 'Бюджет, тенге: value']);
  });

  test('ranges and words are texts among the numbers, and are remarked', async () => {
    const table = await read('Регион;2022;2023\nАбай;10-15;да\nАкмолинская;1;2\nАктюбинская;3;4\n');
    assert.deepEqual(dated(table), { [y(2022)]: ['10-15', 1, 3], [y(2023)]: ['да', 2, 4] });
    assert.deepEqual(remarks(table), ['textInValues 1', 'textInValues 1']);
  });

  test('three tables beside each other, and a list that goes on at the right, are asked about', async () => {
    const three = await read({
      rows: [
        ['Область', '2022', null, 'Область', '2022', null, 'Область', '2022'],
        ...regions.map((region, at) => [
          region,
          at,
          null,
          regions.at(-1 - at) ?? '',
          10 + at,
          null,
          region,
          20 + at,
        ]),
      ],
    });
    assert.ok(remarks(three).includes('severalTables 3'));
    const list = await read('Район;2023;Район;2023\nАккольский;1;Есильский;5\nАршалынский;2;Жаксынский;6\n');
    assert.ok(remarks(list).includes('severalTables 2'));
  });
});
