import { type SheetCell, workbook } from '../../support/tables/workbooks.ts';
import {
  cellsOf,
  half,
  made,
  months,
  type Named,
  point,
  quarter,
  span,
  type Spreadsheet,
  type Time,
  typed,
  year,
  years,
} from '../truth.ts';
import { akmola, codesOf, pick, regions } from '../units.ts';

const some = codesOf(pick(regions, '110000000', '230000000', '390000000', '750000000'));

interface Times {
  readonly name: string;
  readonly layout: string;
  /** Lines of the header above the values, from top to bottom. */
  readonly lines: readonly (readonly SheetCell[])[];
  readonly times: readonly Time[];
  readonly merges?: readonly string[];
  readonly since1904?: boolean;
  readonly units?: readonly Named[];
  readonly correction?: Spreadsheet['correction'];
}

/** A table of codes with times in its header. */
function timed({
  name,
  layout,
  lines,
  times,
  merges = [],
  since1904,
  units = some,
  correction,
}: Times): Spreadsheet {
  const rows = made(
    units,
    times.map(({ start_date, end_date }) => `${start_date} ${end_date}`),
  );
  return {
    name,
    layout,
    file: 'времена.xlsx',
    units: 'codes',
    ...(correction === undefined ? {} : { correction }),
    truth: { times, rows },
    bytes: () =>
      workbook(
        [
          {
            name: 'Лист1',
            rows: [...lines.map((line, index) => [index === 0 ? 'КАТО' : null, ...line]), ...cellsOf(rows)],
            merges,
          },
        ],
        since1904 === undefined ? {} : { since1904 },
      ),
  };
}

const headers: readonly Spreadsheet[] = [
  timed({
    name: 'half-years below years',
    layout: 'stat.gov.kz, industry',
    lines: [
      ['2022 год', null, '2023 год', null],
      ['I полугодие', 'II полугодие', 'I полугодие', 'II полугодие'],
    ],
    times: [half(2022, 1), half(2022, 2), half(2023, 1), half(2023, 2)],
    merges: ['A1:A2', 'B1:C1', 'D1:E1'],
  }),
  timed({
    name: 'whole months from January',
    layout: 'stat.gov.kz, key indicators of regions',
    lines: [['январь-март 2021 года', 'январь-июнь 2022 года', 'январь-сентябрь 2023 года']],
    times: [months(2021, 1, 3), months(2022, 1, 6), months(2023, 1, 9)],
  }),
  timed({
    name: 'first days of years as text',
    layout: 'stat.gov.kz, population',
    lines: [['на 1 января 2020 г.', 'на 1 января 2021г.', 'На 01.01.2022', '2023 жылғы 1 қаңтарға']],
    times: [point('2020-01-01'), point('2021-01-01'), point('2022-01-01'), point('2023-01-01')],
  }),
  timed({
    name: 'years with marks of footnotes and words',
    layout: 'statistical yearbook',
    lines: [['2019*', '2020 г.', '2021 год¹⁾', '2022 (оценка)', '2023 ж.']],
    times: years(2019, 2023).map(year),
  }),
  timed({
    name: 'years as numbers in a format with a word',
    layout: 'Excel, format 0" г."',
    lines: [years(2019, 2021).map((number) => ({ number, format: '0" г."' }))],
    times: years(2019, 2021).map(year),
  }),
  timed({
    name: 'days as dates that count from 1904',
    layout: 'Excel for Macintosh',
    lines: [[{ day: '2021-04-01' }, { day: '2021-07-01' }]],
    times: [point('2021-04-01'), point('2021-07-01')],
    since1904: true,
  }),
  timed({
    name: 'quarters in English',
    layout: 'National Bank, regional tables',
    lines: [['Q1 2022', 'Q2 2022', '2022 Q3', '4Q 2022']],
    times: [1, 2, 3, 4].map((number) => quarter(2022, number)),
  }),
  timed({
    name: 'months in Kazakh behind their year',
    layout: 'stat.gov.kz in Kazakh',
    lines: [['2023 жылғы қаңтар', '2023 жылғы ақпан', '2023 жылғы наурыз']],
    times: [months(2023, 1), months(2023, 2), months(2023, 3)],
  }),
  timed({
    name: 'quarters as one number before the year',
    layout: 'akimat, reports',
    lines: [['1 кв. 2023', '2 кв. 2023', '3 кв. 2023', '4 кв. 2023']],
    times: [1, 2, 3, 4].map((number) => quarter(2023, number)),
  }),
];

const monthDays = ['2023-01-01', '2023-02-01', '2023-03-01'];
const tallRows = made(codesOf(akmola.slice(0, 4)), monthDays);
/** A long table with cells of dates. */
const tallDays: Spreadsheet = {
  name: 'one row for each district and day, the days as dates',
  layout: 'export of a register of cattle',
  file: 'Поголовье.xlsx',
  units: 'codes',
  truth: { times: monthDays.map(point), rows: tallRows },
  bytes: () =>
    workbook(
      [
        {
          name: 'export',
          rows: [
            ['kato', 'Дата', 'Количество'],
            ...monthDays.flatMap((day, index) =>
              tallRows.map(({ code, values }) => [code, { day }, values[index] ?? null]),
            ),
          ],
        },
      ],
      { flavour: 'prefixed' },
    ),
};

const indicators = ['Посевная площадь, тыс. га', 'Валовой сбор, тыс. тонн'] as const;
const reportYears = [2021, 2022];
const reportRows = made(
  codesOf(akmola.slice(3, 7)),
  indicators.flatMap((name) => reportYears.map((of) => `${name} ${of}`)),
);
/** A cube in long form: territory, indicator, year, value. */
const cube: Spreadsheet = {
  name: 'one row for each district, indicator and year',
  layout: 'taldau.stat.gov.kz, long export',
  file: 'показатели.xlsx',
  units: 'codes',
  correction: { why: 'two indicators: the one that the map shall have', indicator: 'Валовой сбор' },
  truth: {
    times: reportYears.map(year),
    rows: reportRows.map((row) => ({ ...row, values: row.values.slice(2) })),
  },
  bytes: () =>
    workbook(
      [
        {
          name: 'Куб',
          rows: [
            ['КАТО', 'Территория', 'Показатель', 'Период', 'Значение'],
            ...indicators.flatMap((name, which) =>
              reportYears.flatMap((of, index) =>
                reportRows.map(({ code, values }) => [
                  code,
                  'район',
                  name,
                  `${of} год`,
                  values[2 * which + index] ?? null,
                ]),
              ),
            ),
          ],
        },
      ],
      { flavour: 'inline' },
    ),
};

const namedRows = made(regions.slice(1, 6), [2021, 2022]);
/** A long table of names, with figures as text. */
const tallNames: Spreadsheet = {
  name: 'one row for each region and year, the figures as text',
  layout: 'open data Kazakhstan, archive',
  file: 'kazpop.csv',
  units: 'names',
  truth: { times: [year(2021), year(2022)], rows: namedRows },
  bytes: () =>
    new TextEncoder().encode(
      [
        '"Область","Год","Население"',
        ...[0, 1].flatMap((index) =>
          namedRows.map(
            ({ label, values }) => `"${label}",${2021 + index},"${typed(values[index] ?? null, ' ')}"`,
          ),
        ),
      ].join('\n'),
    ),
};

const seasons: readonly Spreadsheet[] = [
  timed({
    name: 'seasons over two years, from July to June',
    layout: 'Ministry of Agriculture, balance of grain',
    lines: [['2021/22', '2022/2023', '2023-2024']],
    times: [2021, 2022, 2023].map((of) => span(`${of}-07-01`, `${of + 1}-06-30`)),
  }),
  timed({
    name: 'years of studies, from September to August',
    layout: 'Ministry of Education, schools by region',
    lines: [['2021/2022 учебный год', '2022/2023 учебный год']],
    times: [2021, 2022].map((of) => span(`${of}-09-01`, `${of + 1}-08-31`)),
  }),
];

export const times: readonly Spreadsheet[] = [...headers, tallDays, cube, tallNames, ...seasons];
