import { workbook } from '../../support/tables/workbooks.ts';
import { cellsOf, made, months, point, quarter, type Spreadsheet, year, years } from '../truth.ts';
import { abayInKazakh, akmola, akmolaInKazakh, pick, regions, regionsInKazakh } from '../units.ts';

const country = 'Республика Казахстан ';

/** Regions created in 2022 have no earlier figures. */
const newRegions = new Set(['100000000', '330000000', '620000000']);

const lifeYears = years(2018, 2023);
const life = made(regions, lifeYears).map((row) => ({
  ...row,
  values: row.values.map((value, index) => (newRegions.has(row.code) && index < 4 ? null : value)),
}));

/** Titles, a unit of measure at the right, the country first, dashes, a footnote mark at a name, the footnote over all columns. */
const lifeExpectancy: Spreadsheet = {
  name: 'one indicator by region and year, with a footnote',
  layout: 'stat.gov.kz, dynamic series',
  file: 'life.xlsx',
  units: 'names',
  truth: {
    times: lifeYears.map(year),
    rows: life.map((row) => (row.code === '610000000' ? { ...row, label: 'Туркестанская*' } : row)),
  },
  bytes: () =>
    workbook([
      {
        name: 'Все население',
        from: { row: 1, column: 0 },
        rows: [
          ['Ожидаемая продолжительность жизни при рождении в Республике Казахстан'],
          [],
          [],
          [null, null, null, null, null, null, 'число лет'],
          [null, ...lifeYears],
          [country, ...lifeYears.map((of) => of / 30)],
          ...cellsOf(life, '-').map(([label, ...cells]) => [
            label === 'Туркестанская' ? 'Туркестанская*' : (label ?? null),
            ...cells,
          ]),
          ['*Данные за 2018 г. по Южно-Казахстанской области.'],
        ],
        merges: ['A2:G2', 'A28:G28'],
      },
    ]),
};

const sexes = ['Барлық халық\nВсе население', 'ерлер\nмужчины', 'әйелдер\nженщины'] as const;
const populationRows = made([...abayInKazakh, ...akmolaInKazakh], sexes);

/** Sheets for a cover, signs and contents; a header of three lines in two languages; regions, then their districts. */
const population: Spreadsheet = {
  name: 'people by district on a day, after a cover and contents',
  layout: 'stat.gov.kz, express information on population',
  file: 'Численность населения.xlsx',
  units: 'names',
  correction: {
    why: 'three counts of one day: the one that the map shall have, and its day, which only the title says',
    sheet: '01',
    indicator: 'Все население',
    time: point('2023-01-01'),
  },
  truth: {
    times: [point('2023-01-01')],
    rows: [
      ...made(pick(regionsInKazakh, '100000000', '110000000'), sexes).map((row) => ({
        ...row,
        label: row.label.replace(' облысы', ''),
      })),
      ...populationRows,
    ].map((row) => ({ ...row, values: row.values.slice(0, 1) })),
  },
  bytes: () => {
    const region = (code: string, label: string) => [
      label,
      ...sexes.map((sex) => made([[code, label]], [sex])[0]?.values[0] ?? null),
    ];
    const below = (start: string) => cellsOf(populationRows.filter(({ code }) => code.startsWith(start)));
    return workbook([
      {
        name: 'Обложка',
        rows: [[], [], ['Қазақстан Республикасының халқы\nНаселение Республики Казахстан'], [], ['2023']],
        merges: ['A3:F7'],
      },
      {
        name: 'Усл.обозначения',
        from: { row: 3, column: 1 },
        rows: [
          ['Шартты белгілер:', null, 'Условные обозначения:'],
          ['«-» құбылыс жоқ', null, '«-» явление отсутствует'],
          ['«х» – деректер құпия', null, '«х» – данные конфиденциальны'],
          ['Қ.Ә.- Қалалық Әкімдік', null, 'Г.А.- Городской Акимат'],
        ],
      },
      {
        name: 'Содержание',
        from: { row: 0, column: 1 },
        rows: [
          [' Мазмұны '],
          ['Содержание'],
          [],
          ['1. Халық саны аудандар бойынша', '1'],
          ['Абай………………………………………………………............', '2'],
          ['Ақмола……………………………………………………...........', '2'],
        ],
      },
      {
        name: '01',
        rows: [
          ['1. 2023 жылғы 1 қаңтарға халық саны\nЧисленность населения на 1 января 2023 года'],
          ['адам', null, null, 'человек'],
          [null, sexes[0], 'соның ішінде:\nв том числе:', null],
          [null, null, sexes[1], sexes[2]],
          ['Қазақстан Республикасы ', 19_765_004, 9_646_722, 10_118_282],
          [],
          region('100000000', 'Абай'),
          ...below('10'),
          [],
          region('110000000', 'Ақмола'),
          ...below('11'),
          [],
          ['© Қазақстан Республикасы Ұлттық статистика бюросы'],
        ],
        merges: ['A1:D1', 'A3:A4', 'B3:B4', 'C3:D3'],
      },
    ]);
  },
};

const planUnits = pick(regions, '110000000', '390000000', '550000000', '590000000', '750000000');
const planYears = years(2020, 2022);
const planRows = made(
  planUnits,
  planYears.flatMap((of) => [`${of} план`, `${of} факт`, `${of} %`]),
);

/** Years above "план", "факт" and a percentage, merged. */
const planAndFact: Spreadsheet = {
  name: 'plan and fact under each year',
  layout: 'Ministry of Agriculture, forecasts',
  file: 'План и факт.xlsx',
  units: 'names',
  correction: { why: 'each year has a plan and a fact: which of them is the map', indicator: 'факт' },
  truth: {
    times: planYears.map(year),
    rows: planRows.map((row) => ({
      ...row,
      values: planYears.map((_, index) => row.values[3 * index + 1] ?? null),
    })),
  },
  bytes: () =>
    workbook([
      {
        name: 'Сбор',
        rows: [
          ['Валовой сбор зерновых и бобовых культур'],
          [...Array.from({ length: 9 }, () => null), 'тыс. тонн'],
          ['Области', ...planYears.flatMap((of) => [`${of} год`, null, null])],
          [null, ...planYears.flatMap(() => ['план', 'факт', '% выполнения'])],
          ['А', 1, 2, 3, 4, 5, 6, 7, 8, 9],
          ['Всего', ...planYears.flatMap(() => [18_000.5, 17_500.1, 97.2])],
          ...cellsOf(planRows),
          ['Источник: Бюро национальной статистики АСПР РК'],
        ],
        merges: ['A1:J1', 'A3:A4', 'B3:D3', 'E3:G3', 'H3:J3'],
      },
    ]),
};

const threeLanguages = made(regionsInKazakh, [2021, 2022]);
/** One header in three languages, names in two columns. */
const languages: Spreadsheet = {
  name: 'a header in three languages over two columns of names',
  layout: 'stat.gov.kz, statistical yearbook',
  file: 'Жылнамалық.xlsx',
  units: 'names',
  truth: { times: [year(2021), year(2022)], rows: threeLanguages },
  bytes: () =>
    workbook([
      {
        name: '1.1',
        rows: [
          ['Ауыл шаруашылығы өнімінің жалпы шығарылымы / Валовой выпуск / Gross output'],
          ['млн. теңге / млн. тенге / mln. tenge'],
          ['Өңірлер\nРегионы\nRegions', '2021 жыл\n2021 год\n2021', '2022 жыл\n2022 год\n2022'],
          ['Қазақстан Республикасы', 7_500_000.1, 9_500_000.2],
          ...cellsOf(threeLanguages),
        ],
      },
    ]),
};

const sowing = [point('2023-05-10'), point('2023-05-20'), point('2023-06-01')] as const;
const sowingRows = made(
  pick(regions, '110000000', '390000000', '550000000', '590000000'),
  sowing.map(({ start_date }) => start_date),
);
/** Dates as headers, one of them a text. */
const operative: Spreadsheet = {
  name: 'dates as cells and as text over the columns',
  layout: 'Ministry of Agriculture, progress of sowing',
  file: 'Посевная.xlsx',
  units: 'names',
  truth: { times: sowing, rows: sowingRows },
  bytes: () =>
    workbook([
      {
        name: 'Оперативка',
        rows: [
          ['Ход весенне-полевых работ, тыс. га'],
          [],
          ['Область', { day: '2023-05-10' }, { day: '2023-05-20' }, 'на 1 июня 2023 г.'],
          ...cellsOf(sowingRows),
          ['Итого', ...sowing.map(() => 12_345.6)],
        ],
      },
    ]),
};

const quarters = [1, 2, 3, 4].flatMap((number) => [`2022 ${number}`, `2023 ${number}`]).toSorted();
const quarterRows = made(pick(regions, '150000000', '230000000', '470000000', '750000000'), quarters);
/** Quarters in Roman numerals below merged years. */
const wages: Spreadsheet = {
  name: 'quarters in Roman numerals below merged years',
  layout: 'stat.gov.kz, wages by quarter',
  file: 'Зарплата.xlsx',
  units: 'names',
  truth: {
    times: quarters.map((key) => quarter(Number(key.slice(0, 4)), Number(key.slice(5)))),
    rows: quarterRows,
  },
  bytes: () =>
    workbook([
      {
        name: 'Лист1',
        rows: [
          ['Среднемесячная заработная плата, тенге'],
          [null, '2022 год', null, null, null, '2023 год', null, null, null],
          [null, ...['I', 'II', 'III', 'IV', 'I', 'II', 'III', 'IV'].map((roman) => `${roman} квартал`)],
          ['Республика Казахстан', ...quarters.map(() => 309_697)],
          ...cellsOf(quarterRows),
        ],
        merges: ['B2:E2', 'F2:I2', 'A2:A3'],
      },
    ]),
};

const monthNames = ['Январь', 'Февраль', 'Март', 'Апрель', 'Май', 'Июнь'];
const monthRows = made(pick(regions, '110000000', '190000000', '710000000', '790000000'), monthNames);
/** Months below one year, followed by a half-year of the same year. */
const prices: Spreadsheet = {
  name: 'months below a year, and their half-year',
  layout: 'stat.gov.kz, price statistics',
  file: 'Цены.xlsx',
  units: 'names',
  // A map shows only one of several columns that begin on the same day: January, not the half-year.
  truth: { times: monthNames.map((_, index) => months(2024, index + 1)), rows: monthRows },
  bytes: () =>
    workbook([
      {
        name: 'Цены',
        rows: [
          ['Средние цены на муку, тенге за килограмм'],
          ['Регион', '2024 г.', null, null, null, null, null, '1 полугодие 2024 г.'],
          [null, ...monthNames, null],
          ...cellsOf(monthRows).map((cells) => [...cells, 77.5]),
        ],
        merges: ['A2:A3', 'B2:G2', 'H2:H3'],
      },
    ]),
};

const lines = years(2019, 2022);
const cropRows = made(akmola, lines);
/** The unit of measure and years, the total of the region, districts, then the same again for a crop. */
const ofWhich: Spreadsheet = {
  name: 'districts, and the same districts again below "из них"',
  layout: 'stat.gov.kz, dynamic series of the Akmola region',
  file: 'Валовой сбор зерновых.xlsx',
  units: 'names',
  correction: { why: 'all grain, and wheat: which of them is the map', indicator: /^\d{4}$/ },
  truth: { times: lines.map(year), rows: cropRows },
  bytes: () =>
    workbook([
      {
        name: 'зерновые',
        rows: [
          ['Валовой сбор зерновых (включая рис) и бобовых культур'],
          [null, null, null, null, 'центнеров'],
          [null, ...lines],
          ['Всего по области', ...lines.map(() => 45_123_456)],
          ...cellsOf(cropRows, '-'),
          ['из них:\nпшеницы'],
          ['Всего по области', ...lines.map(() => 35_123_456)],
          ...akmola.map(([, label]) => [label, ...lines.map(() => 1)]),
          ['"-" явление отсутствует'],
        ],
      },
    ]),
};

export const bureau: readonly Spreadsheet[] = [
  lifeExpectancy,
  population,
  planAndFact,
  languages,
  operative,
  wages,
  prices,
  ofWhich,
];
