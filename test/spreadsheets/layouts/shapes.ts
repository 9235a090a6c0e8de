import { workbook } from '../../support/tables/workbooks.ts';
import { cellsOf, made, type Named, point, type Spreadsheet, type TruthRow, year, years } from '../truth.ts';
import { akmola, akmolaInKazakh, codesOf, pick, regions, withWord } from '../units.ts';

const two = years(2022, 2023);
const head = (rows: readonly TruthRow[]) => cellsOf(rows);

const sexRows = made(regions.slice(1, 8), two);
/** Three tables in one sheet, each below lines that are merged over all columns. */
const blocks: Spreadsheet = {
  name: 'three tables below each other with one header',
  layout: 'stat.gov.kz, population by sex',
  file: 'Численность мужчин.xlsx',
  units: 'names',
  correction: { why: 'three tables about the same regions: which of them is the map', indicator: 'Мужчины' },
  truth: { times: two.map((of) => point(`${of}-01-01`)), rows: sexRows },
  bytes: () => {
    const part = (title: string, key: string) => [
      [title],
      ['Республика Казахстан ', 7_000_000, 7_100_000],
      ...head(
        made(
          regions.slice(1, 8),
          two.map((of) => (key === '' ? of : `${of}${key}`)),
        ),
      ),
    ];
    return workbook([
      {
        name: 'Мужчины',
        rows: [
          [],
          ['Численность мужчин по регионам Республики Казахстан'],
          [],
          [null, null, 'человек, на начало года'],
          [null, ...two],
          ...part('Мужчины', ''),
          ...part('Городское население', 'г'),
          ...part('Сельское население', 'с'),
          ['1) Данные за 2000-2016гг. по Южно-Казахстанской области.'],
        ],
        merges: ['A2:C2', 'A6:C6', 'A15:C15', 'A24:C24', 'A33:C33'],
      },
    ]);
  },
};

const wheat = made(akmola.slice(3, 8), two);
/** Each crop has its own title and line of years. */
const crops: Spreadsheet = {
  name: 'a table for each crop, each with its own years',
  layout: 'stat.gov.kz, dynamic series of the Kostanay region',
  file: 'Растениеводство.xlsx',
  units: 'names',
  correction: { why: 'two crops, of which the first one is named in the title', indicator: /^\d{4}$/ },
  truth: { times: two.map(year), rows: wheat },
  bytes: () =>
    workbook([
      {
        name: 'Валовой сбор (районы)',
        rows: [
          ['Пшеница'],
          [null, null, 'тыс. тонн'],
          [null, ...two],
          ['Всего по области', 4512.3, 4012.9],
          ...head(wheat),
          [],
          ['Ячмень'],
          [null, null, 'тыс. тонн'],
          [null, ...two],
          ['Всего по области', 512.3, 412.9],
          ...akmola.slice(3, 8).map(([, label]) => [label, 1.1, 2.2]),
        ],
      },
    ]),
};

const numbered = made(codesOf(akmola.slice(3, 9)), two);
/** A number for each row, a line of column numbers, subtotals, and the header again on the next page. */
const form: Spreadsheet = {
  name: 'numbered rows and columns, sums, and the header again on the next page',
  layout: 'akimat, departmental form',
  file: 'Форма 3.xlsx',
  units: 'codes',
  remarks: ['rowsLeftOut'],
  truth: { times: two.map(year), rows: numbered },
  bytes: () => {
    const line = ({ code, values }: TruthRow, index: number) => [index + 1, code, 'район', ...values];
    const header = ['№ п/п', 'Код КАТО', 'Наименование района', '2022', '2023'];
    return workbook([
      {
        name: 'Форма',
        rows: [
          ['Приложение 3'],
          ['к приказу № 15 от 12.01.2024'],
          header,
          [1, 2, 3, 4, 5],
          ...numbered.slice(0, 3).map(line),
          [
            null,
            null,
            'Итого по листу',
            { formula: 'SUM(D5:D7)', value: 1 },
            { formula: 'SUM(E5:E7)', value: 2 },
          ],
          header,
          ...numbered.slice(3).map((row, index) => line(row, index + 3)),
          [null, null, 'Итого', 3, 4],
          [null, null, 'ВСЕГО ПО ОБЛАСТИ:', 5, 6],
          [],
          ['Исполнитель: Иванова А.Б., тел. 25-12-34'],
        ],
      },
    ]);
  },
};

const bare = made(codesOf(akmola.slice(3, 8)), ['x']);
const headless: Spreadsheet = {
  name: 'no header at all',
  layout: 'pieces of tables, sent by mail',
  file: 'районы.csv',
  units: 'codes',
  remarks: ['noHeader'],
  correction: { why: 'the year of the figures stands nowhere', time: year(2023) },
  truth: { times: [year(2023)], rows: bare },
  bytes: () =>
    new TextEncoder().encode(
      bare.map(({ code, values }) => `${code};район;${values.join(';').replace('.', ',')}`).join('\n'),
    ),
};

const sheetRows = made(codesOf(akmola.slice(3, 8)), ['2023 га']);
/** A sheet for each year, a list of codes in a hidden sheet, and the figures of a chart in a very hidden one. */
const sheetsByYear: Spreadsheet = {
  name: 'a sheet for each year, hidden ones first',
  layout: 'akimat, yearly report',
  file: 'Отчет.xlsx',
  units: 'codes',
  correction: { why: 'the year is the name of its sheet', sheet: '2023', time: year(2023) },
  truth: { times: [year(2023)], rows: sheetRows },
  bytes: () => {
    const sheet = (name: string, rows: readonly TruthRow[]) => ({
      name,
      rows: [
        ['Площадь пашни'],
        ['КАТО', 'Район', 'га'],
        ...rows.map(({ code, values }) => [code, 'район', ...values]),
      ],
    });
    return workbook([
      {
        name: 'Коды',
        state: 'hidden',
        rows: [['КАТО', '2001'], ...akmola.map(([code], index) => [code, index])],
      },
      {
        name: 'data',
        state: 'veryHidden',
        rows: [
          ['КАТО', '2002'],
          ['110000000', 1],
        ],
      },
      sheet('2022', made(codesOf(akmola.slice(3, 8)), ['2022 га'])),
      sheet('2023', sheetRows),
    ]);
  },
};

const formerNames: readonly Named[] = [
  ['110000000', 'Акмолинская'],
  ['270000000', 'Зап.-Казахстанская'],
  ['590000000', 'Северо-Казахстанская обл.'],
  ['710000000', 'г. Нур-Султан'],
  ['750000000', 'г.Алматы'],
  ['790000000', 'Шымкент г.'],
];
const formerRows = made(formerNames, years(2018, 2019));
const former: Spreadsheet = {
  name: 'names of 2018 and abbreviations',
  layout: 'stat.gov.kz, tables of 2019',
  file: '2018-2019.xlsx',
  units: 'names',
  truth: { times: years(2018, 2019).map(year), rows: formerRows },
  bytes: () =>
    workbook([
      {
        name: 'T1',
        rows: [['Наименование областей', '2018', '2019'], ...head(formerRows)],
      },
    ]),
};

const formerDistricts: readonly Named[] = [
  ['634800000', 'Зыряновский район'],
  ['114500000', 'Енбекшильдерский район'],
  ['196600000', 'Уйгурский р-н'],
  ['113400000', 'Аршалынский р-он'],
  ['191000000', 'г. Капшагай'],
];
const formerDistrictRows = made(formerDistricts, [2018]);
const former2: Spreadsheet = {
  name: 'former names of districts, with the regions beside them',
  layout: 'Ministry of Agriculture, 2018',
  file: 'районы 2018.xlsx',
  units: 'names',
  truth: { times: [year(2018)], rows: formerDistrictRows },
  bytes: () => {
    const region = ['Восточно-Казахстанская', 'Акмолинская', 'Алматинская', 'Акмолинская', 'Алматинская'];
    return workbook([
      {
        name: 'T1',
        rows: [
          ['Область', 'Район (город)', '2018 год'],
          ...head(formerDistrictRows).map((cells, index) => [region[index] ?? null, ...cells]),
        ],
      },
    ]);
  },
};

const kazakhRows = made(akmolaInKazakh, two);
const kazakh: Spreadsheet = {
  name: 'districts in Kazakh, with the region as a line above them',
  layout: 'akimat of the Akmola region',
  file: 'Аудандар.xlsx',
  units: 'names',
  truth: { times: two.map(year), rows: kazakhRows },
  bytes: () =>
    workbook([
      {
        name: 'Парақ1',
        rows: [
          ['Ақмола облысы бойынша егіс көлемі, мың га'],
          ['р/с №', 'Аудандар мен қалалардың атауы', '2022 жыл', '2023 жыл'],
          ...head(kazakhRows).map((cells, index) => [index + 1, ...cells]),
          [null, 'Облыс бойынша барлығы', 1, 2],
        ],
      },
    ]),
};

const pages = made(withWord(akmola.slice(3), ' р-н'), ['площадь', 'сбор']);
/** Several counts of one year, which the title states; names with line breaks and double spaces. */
const counts: Spreadsheet = {
  name: 'several counts of the year in the title',
  layout: 'akimat, results of the harvest',
  file: 'Итоги.xlsx',
  units: 'names',
  correction: {
    why: 'two counts of one year, which only the title says',
    indicator: 'Валовой',
    time: year(2023),
  },
  truth: {
    times: [year(2023)],
    rows: pages.map((row) => ({
      ...row,
      label: row.label.replace(' р-н', '  р-н '),
      values: row.values.slice(1),
    })),
  },
  bytes: () =>
    workbook([
      {
        name: 'Итоги уборки',
        rows: [
          ['Итоги уборочных работ по Акмолинской области за 2023 год'],
          ['Районы', 'Убранная площадь,\nтыс. га', 'Валовой\nсбор, тыс. тонн'],
          ...head(pages).map(([label, ...cells]) => [String(label).replace(' р-н', '  р-н '), ...cells]),
        ],
      },
    ]),
};

const bordering = made(codesOf(pick(regions, '110000000', '150000000')), ['2024-01-01']);
const raised: Spreadsheet = {
  name: 'raised letters in the header, errors and formulas in cells',
  layout: 'Excel, tables that are computed',
  file: 'расчет.xlsx',
  units: 'codes',
  remarks: ['errorCells', 'formulasWithoutValue'],
  truth: {
    // A map shows only one of several columns that begin on the same day.
    times: [year(2024)],
    rows: bordering.map((row, index) => ({ ...row, values: [index === 0 ? 12.5 : null] })),
  },
  bytes: () =>
    workbook([
      {
        name: 'Расчет',
        rows: [
          [{ runs: ['КА', 'ТО'] }, { runs: ['на 1 января 2024 г.', '1)'] }, '2024 год'],
          [bordering[0]?.code ?? '', bordering[0]?.values[0] ?? null, { formula: 'B2/C9', value: 12.5 }],
          [bordering[1]?.code ?? '', bordering[1]?.values[0] ?? null, { error: '#DIV/0!' }],
          [null, null, { formula: 'SUM(C2:C3)' }],
        ],
      },
    ]),
};

export const shapes: readonly Spreadsheet[] = [
  blocks,
  crops,
  form,
  headless,
  sheetsByYear,
  former,
  former2,
  kazakh,
  counts,
  raised,
];
