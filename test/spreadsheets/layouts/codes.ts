import { type SheetCell, workbook } from '../../support/tables/workbooks.ts';
import {
  cellsOf,
  made,
  months,
  type Named,
  point,
  type Spreadsheet,
  type TruthRow,
  year,
  years,
} from '../truth.ts';
import { akmola, codesOf, pick, regions } from '../units.ts';

const few = akmola.slice(3, 11);
const two = years(2021, 2022);

interface CodeTable {
  readonly name: string;
  readonly layout: string;
  readonly units?: readonly Named[];
  /** Cell of a code. */
  readonly cell: (code: string) => SheetCell;
  /** Header of the column of codes; by default КАТО. */
  readonly header?: string;
  readonly remarks?: readonly string[];
  readonly flavour?: 'excel' | 'inline' | 'prefixed';
}

/** A plain table with one column of codes, one of names, and two years. */
function codeTable({
  name,
  layout,
  units = few,
  cell,
  header = 'КАТО',
  remarks,
  flavour,
}: CodeTable): Spreadsheet {
  const rows = made(codesOf(units), two);
  return {
    name,
    layout,
    file: 'КАТО.xlsx',
    units: 'codes',
    ...(remarks === undefined ? {} : { remarks }),
    truth: { times: two.map(year), rows },
    bytes: () =>
      workbook(
        [
          {
            name: 'Лист1',
            rows: [
              [header, 'Район', '2021 год', '2022 год'],
              ...rows.map(({ code, values }) => [
                cell(code),
                units.find(([known]) => known === code)?.[1] ?? '',
                ...values,
              ]),
            ],
          },
        ],
        flavour === undefined ? {} : { flavour },
      ),
  };
}

const spaced = (code: string) => code.replace(/^(..)(..)(..)/, '$1 $2 $3 ');

const spellings: readonly Spreadsheet[] = [
  codeTable({
    name: 'codes that are numbers',
    layout: 'Excel, typed by hand',
    cell: Number,
  }),
  codeTable({ name: 'codes that are text', layout: 'Excel, column of text', cell: (code) => code }),
  codeTable({
    name: 'codes with spaces between pairs of digits',
    layout: 'classifier of the Bureau, as it is printed',
    header: 'Код КАТО',
    cell: spaced,
    remarks: ['codesRepaired'],
  }),
  codeTable({
    name: 'codes with a decimal point',
    layout: 'pandas, a column with gaps written as text',
    cell: (code) => `${code}.0`,
    remarks: ['codesRepaired'],
    flavour: 'inline',
  }),
  codeTable({
    name: 'codes behind an apostrophe, with no-break spaces at their ends',
    layout: 'tables pasted from a web page',
    header: 'Код',
    cell: (code) => `'${code}\u00a0`,
    remarks: ['codesRepaired'],
  }),
  codeTable({
    name: 'codes as numbers in a format with spaces',
    layout: 'Excel, format "000 000 000"',
    cell: (code) => ({ number: Number(code), format: '000" "000" "000' }),
    flavour: 'prefixed',
  }),
  codeTable({
    name: 'codes that a formula makes',
    layout: 'akimat, codes looked up in a hidden sheet',
    cell: (code) => ({ formula: 'VLOOKUP(B2,Справочник!A:B,2,0)', value: code }),
  }),
];

/** Number and name of a unit in one cell, as some cubes write a member. */
const memberRows = made(
  pick(regions, '110000000', '270000000', '350000000').map(([code, label]): Named => [
    code,
    `${code} ${label} область`,
  ]),
  two,
);

const oldRows: readonly TruthRow[] = made(
  [
    ['101800000', '632200000'],
    ['103200000', '633200000'],
    ['103600000', '633400000'],
    ['331000000', '191000000'],
    ['333400000', '193400000'],
    ['621000000', '351800000'],
    ['623600000', '354400000'],
    ['113200000', '113200000'],
  ].map(([code = '', old = '']): Named => [code, old]),
  years(2018, 2020),
);

const monthly = [months(2023, 1), months(2023, 2), months(2023, 3)];
const cubeRows = made(codesOf(pick(regions, '110000000', '390000000', '710000000')), ['1', '2', '3']);
/** A table from a data cube: months of a year with those of the year before, codes as text, an empty row and a total. */
const cube: Spreadsheet = {
  name: 'months with their year, the country among the codes',
  layout: 'taldau.stat.gov.kz, table by period',
  file: 'taldau.xlsx',
  units: 'codes',
  truth: { times: monthly, rows: cubeRows },
  bytes: () =>
    workbook(
      [
        {
          name: 'Sheet1',
          rows: [
            ['Показатель: Индекс физического объема, в процентах'],
            ['Периодичность: Месяц'],
            [],
            ['Код КАТО', 'Наименование', 'январь 2023', 'февраль 2023', 'март 2023'],
            ['000000000', 'РЕСПУБЛИКА КАЗАХСТАН', 101.1, 102.2, 103.3],
            ...cubeRows.map(({ code, values }) => [code, 'ОБЛАСТЬ', ...values]),
            [],
            ['Данные сформированы: 12.02.2024 10:15'],
          ],
        },
      ],
      { flavour: 'inline' },
    ),
};

const sides = pick(akmola, '114800000', '116600000', '113200000');
const north: readonly Named[] = [
  ['594200000', 'Есильский'],
  ['594600000', 'Жамбылский'],
];
const jambyl: readonly Named[] = [
  ['314000000', 'Жамбылский'],
  ['316600000', 'Шуский'],
];
/** The region stands once, in cells that are merged down along its districts. */
const mergedSides: Spreadsheet = {
  name: 'the region merged down the side of its districts, of which some have the same name',
  layout: 'Ministry of Agriculture, by district',
  file: 'По районам.xlsx',
  units: 'names',
  truth: { times: two.map(year), rows: made([...sides, ...north, ...jambyl], two) },
  bytes: () => {
    const part = (region: string, units: readonly Named[]) =>
      cellsOf(made(units, two)).map((cells, index) => [index === 0 ? region : null, ...cells]);
    return workbook([
      {
        name: 'Районы',
        rows: [
          ['№', 'Область', 'Район', '2021', '2022'],
          ...[
            ...part('Акмолинская область', sides),
            ...part('Северо-Казахстанская область', north),
            ...part('Жамбылская область', jambyl),
          ].map((cells, index): SheetCell[] => [index + 1, ...cells]),
        ],
        merges: ['B2:B4', 'B5:B6', 'B7:B8'],
      },
    ]);
  },
};

/** A reading of a day, with codes in the third column after two empty ones. */
const shiftedRows = made(codesOf(few), ['день']);
const shifted: Spreadsheet = {
  name: 'a table that begins in the middle of a sheet',
  layout: 'akimat, a sheet with pictures at its left',
  file: 'Сводка.xlsx',
  units: 'codes',
  truth: { times: [point('2024-07-01')], rows: shiftedRows },
  bytes: () =>
    workbook([
      {
        name: 'Сводка',
        from: { row: 6, column: 2 },
        rows: [
          ['Поголовье скота'],
          ['КАТО', 'Район', 'на 01.07.2024'],
          ...shiftedRows.map(({ code, values }) => [Number(code), 'район', ...values]),
        ],
        merges: ['C7:E7'],
      },
    ]),
};

const members: Spreadsheet = {
  name: 'the code and the name of a unit in one cell',
  layout: 'cube, members with their codes',
  file: 'OLAP.xlsx',
  units: 'names',
  truth: { times: two.map(year), rows: memberRows },
  bytes: () =>
    workbook([
      {
        name: 'Отчет',
        rows: [['Территория', 2021, 2022], ...cellsOf(memberRows)],
      },
    ]),
};

const older: Spreadsheet = {
  name: 'codes of the classifier of 2018',
  layout: 'tables saved before the regions of 2022',
  file: '2018-2020.xlsx',
  units: 'codes',
  correction: { why: '191000000 was Taldykorgan and is Konaev: which of them the row is', unit: '191000000' },
  truth: { times: years(2018, 2020).map(year), rows: oldRows },
  bytes: () =>
    workbook([
      {
        name: 'Районы',
        rows: [['te', ...years(2018, 2020)], ...cellsOf(oldRows)],
      },
    ]),
};

export const codes: readonly Spreadsheet[] = [...spellings, cube, mergedSides, shifted, members, older];
