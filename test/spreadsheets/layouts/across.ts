import { workbook } from '../../support/tables/workbooks.ts';
import { figure, made, months, type Spreadsheet, year, years } from '../truth.ts';
import { pick, regions, withWord } from '../units.ts';

const two = years(2022, 2023);

const crops = ['Пшеница', 'Ячмень', 'Кукуруза (маис)', 'Семена подсолнечника'];
const priceRows = made(withWord(regions.slice(1, 10), ' область'), crops).map((row) => ({
  ...row,
  values: [row.code === '270000000' ? null : (row.values[0] ?? null)],
}));
/** Regions from left to right, crops from top to bottom, the month in the title. */
const prices: Spreadsheet = {
  name: 'regions from left to right over crops',
  layout: 'stat.gov.kz, producer prices by region',
  file: 'Цены производителей.xlsx',
  units: 'names',
  remarks: ['turned'],
  correction: { why: 'four crops: which of them is the map', indicator: 'Пшеница', time: months(2024, 3) },
  truth: { times: [months(2024, 3)], rows: priceRows },
  bytes: () =>
    workbook([
      {
        name: '5',
        rows: [
          ['5. Средние цены производителей на продукцию сельского хозяйства по регионам в марте 2024 года'],
          [...priceRows.map(() => null), 'тенге за тонну'],
          [null, 'Республика Казахстан', ...priceRows.map(({ label }) => label)],
          ...crops.map((crop) => [
            crop,
            99_999.9,
            ...regions.slice(1, 10).map(([code]) => (code === '270000000' ? 'х' : figure(code, crop))),
          ]),
          ['х - данные конфиденциальны'],
        ],
      },
    ]),
};

const doctorYears = years(2019, 2023);
const doctorRows = made(
  pick(regions, '110000000', '150000000', '610000000').concat([
    ['710000000', 'город Астана'],
    ['750000000', 'город Алматы'],
  ]),
  doctorYears,
);
const doctors: Spreadsheet = {
  name: 'years below each other, regions from left to right',
  layout: 'open data Kazakhstan, doctors by region',
  file: 'doctors.csv',
  units: 'names',
  remarks: ['turned'],
  truth: { times: doctorYears.map(year), rows: doctorRows },
  bytes: () =>
    new TextEncoder().encode(
      [
        ['Годы', ...doctorRows.map(({ label }) => label)].join(','),
        ...doctorYears.map((of, index) => [of, ...doctorRows.map(({ values }) => values[index])].join(',')),
      ].join('\n'),
    ),
};

const pairRows = made(pick(regions, '110000000', '390000000', '590000000'), two);
const pairs: Spreadsheet = {
  name: 'regions from left to right, each merged over its years',
  layout: 'Ministry of Agriculture, comparison of regions',
  file: 'Сравнение.xlsx',
  units: 'names',
  remarks: ['turned'],
  correction: { why: 'two crops: which of them is the map', indicator: 'Ячмень' },
  truth: { times: two.map(year), rows: pairRows },
  bytes: () =>
    workbook([
      {
        name: 'Сравнение',
        rows: [
          ['Урожайность, ц/га'],
          ['Культура', ...pairRows.flatMap(({ label }) => [label, null])],
          [null, ...pairRows.flatMap(() => ['2022 г.', '2023 г.'])],
          ['Пшеница', 1.1, 1.2, 1.3, 1.4, 1.5, 1.6],
          ['Ячмень', ...pairRows.flatMap(({ values }) => values)],
        ],
        merges: ['A2:A3', 'B2:C2', 'D2:E2', 'F2:G2'],
      },
    ]),
};

export const across: readonly Spreadsheet[] = [prices, doctors, pairs];
