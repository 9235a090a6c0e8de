import { type Sheet, type SheetCell, workbook } from '../../support/tables/workbooks.ts';
import {
  cellsOf,
  half,
  made,
  months,
  type Named,
  point,
  quarter,
  type Spreadsheet,
  type Time,
  type TruthRow,
  typed,
  year,
  years,
} from '../truth.ts';

/** Subjects of the Russian Federation with their codes in OKATO, in the order of the federal districts. */
const subjects: readonly Named[] = [
  ['14000000000', 'Белгородская область'],
  ['15000000000', 'Брянская область'],
  ['17000000000', 'Владимирская область'],
  ['20000000000', 'Воронежская область'],
  ['45000000000', 'г. Москва'],
  ['84000000000', 'Республика Алтай'],
  ['01000000000', 'Алтайский край'],
  ['50000000000', 'Новосибирская область'],
  ['52000000000', 'Омская область'],
  ['11100000000', 'Ненецкий автономный округ'],
];
/** The country and the federal districts, which stand above their subjects as rows like all others. */
const withDistricts: readonly Named[] = [
  ['643', 'Российская Федерация'],
  ['030', 'Центральный федеральный округ'],
  ...subjects.slice(0, 5),
  ['041', 'Сибирский федеральный округ'],
  ...subjects.slice(5),
];

interface Layout {
  readonly name: string;
  readonly layout: string;
  readonly times: readonly Time[];
  readonly units?: readonly Named[];
  readonly sheets: (rows: readonly TruthRow[]) => readonly Sheet[];
  readonly rows?: (rows: readonly TruthRow[]) => readonly TruthRow[];
  readonly remarks?: readonly string[];
}

function rosstat({
  units = withDistricts,
  times,
  sheets,
  rows = (all) => all,
  ...about
}: Layout): Spreadsheet {
  const all = rows(
    made(
      units,
      times.map(({ start_date: start, end_date: end }) => `${about.name} ${start} ${end}`),
    ),
  );
  return {
    ...about,
    file: `${about.name}.xlsx`,
    units: 'names',
    truth: { times, rows: all },
    bytes: () => workbook(sheets(all)),
  };
}

const one = (rows: Sheet['rows'], more: Partial<Sheet> = {}): readonly Sheet[] => [
  { name: 'Лист1', rows, ...more },
];
const nothing = (width: number): SheetCell[] => Array.from({ length: width }, () => null);
const four = years(2020, 2023);

/** Workbooks in layouts of the Federal State Statistics Service, by subject of the federation. */
export const ofRosstat: readonly Spreadsheet[] = [
  rosstat({
    name: 'sown area by subject and year',
    layout: 'rosstat.gov.ru, bulletin on sown area',
    times: four.map(year),
    sheets: (rows) =>
      one(
        [
          ['ПОСЕВНЫЕ ПЛОЩАДИ СЕЛЬСКОХОЗЯЙСТВЕННЫХ КУЛЬТУР'],
          ['в хозяйствах всех категорий'],
          [...nothing(3), '(тысяч гектаров)'],
          [null, ...four.map(String)],
          ...cellsOf(rows),
        ],
        { merges: ['A1:E1', 'A2:E2'] },
      ),
  }),
  rosstat({
    name: 'names that are indented below their federal district',
    layout: 'rosstat.gov.ru, Regions of Russia',
    times: four.map(year),
    sheets: (rows) =>
      one([
        ['14.4. ВАЛОВОЙ СБОР ЗЕРНА (в весе после доработки; тысяч тонн)'],
        [null, ...four],
        ...cellsOf(rows).map(([label, ...cells]) => [
          /округ$|Федерация$/.test(String(label)) && label !== 'Ненецкий автономный округ'
            ? String(label)
            : `    ${label}`,
          ...cells,
        ]),
      ]),
  }),
  rosstat({
    name: 'months of one year below a merged heading',
    layout: 'rosstat.gov.ru, consumer prices',
    times: Array.from({ length: 6 }, (_, index) => months(2023, index + 1)),
    sheets: (rows) =>
      one(
        [
          ['Средние потребительские цены на муку пшеничную, рублей за килограмм'],
          [null, '2023 г.', ...nothing(5)],
          [null, 'январь', 'февраль', 'март', 'апрель', 'май', 'июнь'],
          ...cellsOf(rows),
        ],
        { merges: ['A1:G1', 'A2:A3', 'B2:G2'] },
      ),
  }),
  rosstat({
    name: 'quarters of two years',
    layout: 'rosstat.gov.ru, wages',
    times: [2022, 2023].flatMap((of) => [1, 2, 3, 4].map((number) => quarter(of, number))),
    sheets: (rows) =>
      one(
        [
          ['Среднемесячная заработная плата работников, рублей'],
          ['Субъект', '2022 год', ...nothing(3), '2023 год'],
          [null, ...['I', 'II', 'III', 'IV', 'I', 'II', 'III', 'IV'].map((number) => `${number} квартал`)],
          ...cellsOf(rows),
        ],
        { merges: ['A2:A3', 'B2:E2', 'F2:I2'] },
      ),
  }),
  rosstat({
    name: 'months from January',
    layout: 'rosstat.gov.ru, socio-economic situation of Russia',
    times: [months(2023, 1, 3), months(2023, 1, 6), months(2023, 1, 9), year(2023)],
    sheets: (rows) =>
      one([
        ['Производство скота и птицы на убой в хозяйствах всех категорий, тысяч тонн'],
        ['', 'Январь-март 2023 г.', 'Январь-июнь 2023 г.', 'Январь-сентябрь 2023 г.', '2023 г.'],
        ...cellsOf(rows),
      ]),
  }),
  rosstat({
    name: 'people on the first of January',
    layout: 'rosstat.gov.ru, bulletin on population',
    times: [point('2022-01-01'), point('2023-01-01'), point('2024-01-01')],
    sheets: (rows) =>
      one([
        ['Численность постоянного населения'],
        ['человек'],
        [null, 'на 1 января 2022 г.', 'на 1 января 2023 г.', 'на 1 января 2024 г.'],
        ...cellsOf(rows),
      ]),
  }),
  rosstat({
    name: 'half-years',
    layout: 'rosstat.gov.ru, housing',
    times: [half(2022, 1), half(2022, 2), half(2023, 1), half(2023, 2)],
    sheets: (rows) =>
      one([
        ['Введено в действие жилых домов, тыс. кв. м общей площади'],
        [
          'Регион',
          'I полугодие 2022 г.',
          'II полугодие 2022 г.',
          'I полугодие 2023 г.',
          'II полугодие 2023 г.',
        ],
        ...cellsOf(rows),
      ]),
  }),
  rosstat({
    name: 'years with raised footnotes',
    layout: 'rosstat.gov.ru, Agriculture in Russia',
    times: four.map((of) => point(`${of}-12-31`)),
    sheets: (rows) =>
      one([
        ['Поголовье крупного рогатого скота (на конец года; тысяч голов)'],
        [null, '2020', '2021', { runs: ['2022'], raised: '1)' }, { runs: ['2023'], raised: '2)' }],
        ...cellsOf(rows),
        ['1) Уточнённые данные.'],
        ['2) Предварительные данные.'],
      ]),
  }),
  rosstat({
    name: 'signs for no phenomenon and no data',
    layout: 'rosstat.gov.ru, legend of signs',
    times: four.map(year),
    rows: (rows) =>
      rows.map((row, index) => (index % 4 === 2 ? { ...row, values: [null, ...row.values.slice(1)] } : row)),
    sheets: (rows) =>
      one([
        ['Урожайность сахарной свёклы, центнеров с гектара убранной площади'],
        [null, ...four],
        ...cellsOf(rows, '…'),
        ['… данных не имеется'],
      ]),
    remarks: ['missingMarks'],
  }),
  rosstat({
    name: 'numbers as text with spaces and commas',
    layout: 'rosstat.gov.ru, tables converted from text',
    times: four.map(year),
    sheets: (rows) =>
      one([
        ['Объём отгруженных товаров, миллионов рублей'],
        [null, ...four.map((of) => `${of} г.`)],
        ...rows.map(({ label, values }) => [label, ...values.map((value) => typed(value))]),
      ]),
  }),
  rosstat({
    name: 'a row that numbers the columns',
    layout: 'rosstat.gov.ru, form 29-СХ',
    times: four.map(year),
    sheets: (rows) =>
      one([
        ['Площадь многолетних насаждений, га'],
        ['Наименование субъекта', ...four],
        ['А', 1, 2, 3, 4],
        ...cellsOf(rows),
      ]),
  }),
  rosstat({
    name: 'codes with leading zeros in a number format beside names',
    layout: 'fedstat.ru, export by OKATO',
    units: subjects,
    times: four.map(year),
    sheets: (rows) =>
      one([
        ['Внесено минеральных удобрений, тонн'],
        ['Код ОКАТО', 'Территория', ...four],
        ...rows.map(({ code, label, values }) => [
          { number: Number(code), format: '00000000000' },
          label,
          ...values,
        ]),
      ]),
  }),
  rosstat({
    name: 'one row for each subject and year',
    layout: 'fedstat.ru, long export',
    units: subjects,
    times: four.map(year),
    sheets: (rows) =>
      one([
        ['Субъект Российской Федерации', 'Год', 'Значение показателя'],
        ...rows.flatMap(({ label, values }) => four.map((of, index) => [label, of, values[index] ?? null])),
      ]),
  }),
  rosstat({
    name: 'contents, and a sheet for each table',
    layout: 'rosstat.gov.ru, statistical yearbook',
    times: four.map(year),
    sheets: (rows) => [
      {
        name: 'Содержание',
        rows: [['Содержание'], ['1. Посевные площади', 'стр. 2'], ['К титульному листу']],
      },
      {
        name: '1',
        rows: [['К содержанию'], ['Посевные площади, тыс. га'], [null, ...four], ...cellsOf(rows)],
        merges: ['A2:E2'],
      },
      { name: 'Методология', state: 'hidden', rows: [['Методологические пояснения']] },
    ],
  }),
  rosstat({
    name: 'earlier years in hidden columns',
    layout: 'rosstat.gov.ru, dynamic series',
    times: years(2016, 2023).map(year),
    sheets: (rows) =>
      one([['Рабочий скот, голов'], [null, ...years(2016, 2023)], ...cellsOf(rows)], {
        hidden: { columns: [2, 3, 4] },
      }),
    remarks: ['hiddenKept'],
  }),
  rosstat({
    name: 'dates as cells of a date',
    layout: 'rosstat.gov.ru, weekly observation of prices',
    times: [point('2023-03-06'), point('2023-03-13'), point('2023-03-20')],
    sheets: (rows) =>
      one([
        ['Цены на говядину на дату, рублей за килограмм'],
        [null, { day: '2023-03-06' }, { day: '2023-03-13' }, { day: '2023-03-20' }],
        ...cellsOf(rows),
      ]),
  }),
];
