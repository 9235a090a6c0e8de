import { cellsOf, made, type Named, point, type Spreadsheet, typed, year, years } from '../truth.ts';
import { akmola, codesOf, pick, regions, regionsInEnglish, withWord } from '../units.ts';

/** Encodes the letters of windows-1251 above ASCII that these tables use. */
export function windows1251(text: string): Uint8Array {
  const others = new Map(
    [...'ЁёІі№«»–—\u00a0'].map((letter, index) => [
      letter,
      [0xa8, 0xb8, 0xb2, 0xb3, 0xb9, 0xab, 0xbb, 0x96, 0x97, 0xa0][index],
    ]),
  );
  return Uint8Array.from([...text], (letter) => {
    const code = letter.codePointAt(0) ?? 0x3f;
    if (code < 0x80) return code;
    if (code >= 0x410 && code <= 0x44f) return code - 0x350;
    return others.get(letter) ?? 0x3f;
  });
}

export function utf16(text: string, order: 'le' | 'be' = 'le'): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return new Uint8Array(order === 'be' ? bytes.swap16() : bytes);
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const two = years(2022, 2023);

const rayons = withWord(akmola.slice(0, 8), ' район');
const semicolonRows = made(rayons, two).map((row, index) =>
  index === 2 ? { ...row, values: [null, 0] } : row,
);
const semicolons: Spreadsheet = {
  name: 'semicolons, windows-1251, decimal commas, no-break spaces between thousands',
  layout: 'Excel in Russian, "CSV (разделители - запятые)"',
  file: 'Районы.csv',
  units: 'names',
  truth: { times: two.map(year), rows: semicolonRows },
  bytes: () =>
    windows1251(
      [
        'Район;2022;2023',
        ...semicolonRows.map(({ label, values }) =>
          [label, ...values.map((value) => typed(value, '\u00a0', '-'))].join(';'),
        ),
        '',
      ].join('\r\n'),
    ),
};

const unicodeRows = made(codesOf(akmola.slice(5, 12)), two);
const unicodeText: Spreadsheet = {
  name: 'tabs in UTF-16 with the mark of its order',
  layout: 'Excel, "Текст Юникод"',
  file: 'Юникод.txt',
  units: 'codes',
  truth: { times: two.map(year), rows: unicodeRows },
  bytes: () =>
    utf16(
      [
        'Код КАТО\tАудан атауы\t2022 ж.\t2023 ж.',
        ...unicodeRows.map(({ code, values }) =>
          [code, '"ауданы, Ақмола"', ...values.map((value) => typed(value, ' '))].join('\t'),
        ),
      ].join('\r\n'),
    ),
};

const bigEndian: Spreadsheet = {
  ...unicodeText,
  name: 'the same, the high byte first',
  layout: 'export of an old database',
  file: 'export.tsv',
  bytes: () => {
    const little = unicodeText.bytes();
    return new Uint8Array(Buffer.from(little).swap16());
  },
};

const pastedRows = made(pick(regions, '110000000', '270000000', '590000000', '710000000'), two);
const pasted: Spreadsheet = {
  name: 'pasted cells with quotation marks and breaks of lines in them',
  layout: 'cells copied from Excel',
  file: 'вставка.tsv',
  units: 'names',
  truth: { times: two.map(year), rows: pastedRows },
  bytes: () =>
    utf8(
      [
        'Область\t"2022\nгод"\t"2023\nгод"\tПримечание',
        ...pastedRows.map(({ label, values }) =>
          [
            label,
            ...values.map((value) => typed(value, ' ')),
            quoted('по данным\n"Единого" реестра;\tсм. ниже'),
          ].join('\t'),
        ),
      ].join('\n'),
    ),
};

const separatorRows = made(codesOf(akmola.slice(3, 9)), two);
const separator: Spreadsheet = {
  name: 'a first line that names the separator, codes as formulas of text',
  layout: 'portals of open data, CSV for Excel',
  file: 'opendata.csv',
  units: 'codes',
  truth: { times: two.map(year), rows: separatorRows },
  bytes: () =>
    utf8(
      `\ufeff${[
        'sep=;',
        'kato;name;2022;2023',
        ...separatorRows.map(
          ({ code, values }) =>
            `="${code}";"имя; с точкой";${values.map((value) => typed(value, '')).join(';')}`,
        ),
      ].join('\r\n')}`,
    ),
};

const englishRows = made(regionsInEnglish, two);
const english: Spreadsheet = {
  name: 'commas, English names, commas between thousands',
  layout: 'World Bank, press release',
  file: 'regions.csv',
  units: 'names',
  truth: { times: two.map(year), rows: englishRows },
  bytes: () =>
    utf8(
      [
        'Region,2022,2023,Comment',
        ...englishRows.map(({ label, values }) =>
          [
            label,
            ...values.map((value) =>
              quoted((value ?? 0).toLocaleString('en-US', { minimumFractionDigits: 1 })),
            ),
            'preliminary',
          ].join(','),
        ),
      ].join('\n'),
    ),
};

const underscored: readonly Named[] = regionsInEnglish.map(([code, label]) => [
  code,
  label.replaceAll(' ', '_'),
]);
const pandasRows = made(underscored, two);
const pandas: Spreadsheet = {
  name: 'years as decimals, an index without a name, underscores in names',
  layout: 'pandas, to_csv of a table of regions',
  file: 'data.csv',
  units: 'names',
  truth: { times: two.map(year), rows: pandasRows },
  bytes: () =>
    utf8(
      [
        ',Regions_KZ,2022.0,2023.0',
        ...cellsOf(pandasRows).map((cells, index) => [index, ...cells].join(',')),
        '',
      ].join('\n'),
    ),
};

const marks = ['0,5', '-', '–', '—', 'х', 'x', '...', '…', 'н/д', ''];
const markRows = made(codesOf(akmola.slice(0, 10)), ['сбор']).map((row, index) => ({
  ...row,
  values: [row.values[0] ?? null, index === 0 ? 0.5 : null, index === 0 ? 0 : (row.values[0] ?? null)],
}));
const missing: Spreadsheet = {
  name: 'all the marks of a missing value',
  layout: 'stat.gov.kz, signs at the front of each publication',
  file: 'знаки.csv',
  units: 'codes',
  remarks: ['missingMarks'],
  truth: { times: years(2020, 2022).map(year), rows: markRows },
  bytes: () =>
    utf8(
      [
        'kato;2020;2021;2022',
        ...markRows.map(({ code, values }, index) =>
          [code, typed(values[0] ?? null), marks[index], index === 0 ? '0,0' : typed(values[2] ?? null)].join(
            ';',
          ),
        ),
      ].join('\n'),
    ),
};

const shareRows = made(codesOf(akmola.slice(3, 8)), ['доля']).map((row, index) => ({
  ...row,
  values: [index * 10 + 0.5],
}));
const shares: Spreadsheet = {
  name: 'shares with a percent sign',
  layout: 'akimat, share of ploughed land on a day',
  file: 'доли.csv',
  units: 'codes',
  remarks: ['percents'],
  truth: { times: [point('2020-01-01')], rows: shareRows },
  bytes: () =>
    utf8(
      [
        'Код КАТО;на 1 января 2020 г.',
        ...shareRows.map(({ code, values }) => `${code};${typed(values[0] ?? null)} %`),
      ].join('\n'),
    ),
};

const tallRows = made(codesOf(akmola.slice(3, 7)), two);
const tall: Spreadsheet = {
  name: 'one row for each district and year',
  layout: 'open data of a ministry',
  file: 'long.csv',
  units: 'codes',
  truth: { times: two.map(year), rows: tallRows },
  bytes: () =>
    utf8(
      [
        'region_code;year;value;source',
        ...tallRows.flatMap(({ code, values }) =>
          values.map((value, index) => [code, two[index], typed(value, ''), 'МСХ'].join(';')),
        ),
      ].join('\n'),
    ),
};

export const texts: readonly Spreadsheet[] = [
  semicolons,
  unicodeText,
  bigEndian,
  pasted,
  separator,
  english,
  pandas,
  missing,
  shares,
  tall,
];
