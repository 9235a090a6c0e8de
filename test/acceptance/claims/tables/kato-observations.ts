import assert from 'node:assert/strict';
import { claim } from '../../claim.ts';
import { makeTable, map, upload } from '../../support/datasets.ts';
import { emptyLayer, geojsonFile } from '../../support/files.ts';
import { readReport } from '../../support/geojson.ts';
import {
  askObservations,
  brief,
  type ObservationPage,
  readObservations,
} from '../../support/observations.ts';
import { failedTable, sharedRaster, sharedTable, sharedVector, unmappedTable } from '../../support/shared.ts';
import { assertKeys } from '../../support/errors.ts';
import { lowerCaseUuid } from '../../support/values.ts';

claim(
  [
    '4.4 observations',
    '2.4 ObservationPage',
    '2.3 Observation.id, dataset_id',
    '2.3 Observation.kato_code',
    '2.3 Observation.start_date',
    '2.3 Observation.end_date',
    '2.3 Observation.value',
    '2.3 Observation.value_text',
    'D3K one each',
    '1.2 vector_with_kato',
  ],
  'each row and mapped column gives one observation, with no fields but those of the contract',
  async (client) => {
    const { id } = await sharedTable(client);
    const { data, ...page } = (await askObservations(client, id)).read<ObservationPage>();
    assert.deepEqual(page, { page: 1, page_size: 20, total: 6, total_pages: 1 });
    assert.deepEqual(data.map(brief), [
      ['110000000', '2022-12-31', null, 788, null],
      ['110000000', '2023-01-01', '2023-12-31', 789.5, null],
      ['710000000', '2022-12-31', null, 1354.5, null],
      ['710000000', '2023-01-01', '2023-12-31', null, null],
      ['750000000', '2022-12-31', null, null, 'н/д'],
      ['750000000', '2023-01-01', '2023-12-31', 2.25, null],
    ]);
    for (const observation of data) {
      assertKeys(observation, [
        'dataset_id',
        'end_date',
        'id',
        'kato_code',
        'start_date',
        'value',
        'value_text',
      ]);
      assert.equal(observation.dataset_id, id);
      assert.match(observation.id, lowerCaseUuid);
    }
    assert.equal(new Set(data.map((each) => each.id)).size, 6);
  },
);

claim(
  ['4.4 observations kato_code', '4.4 observations page, page_size', 'D4 Link'],
  'observations are filtered by one code and paged, with links that keep the code',
  async (client) => {
    const { id } = await sharedTable(client);
    const one = await askObservations(client, id, '?kato_code=710000000&page_size=1&page=2');
    const { data, ...page } = one.read<ObservationPage>();
    assert.deepEqual(page, { page: 2, page_size: 1, total: 2, total_pages: 2 });
    assert.deepEqual(
      data.map(({ start_date }) => start_date),
      ['2023-01-01'],
    );
    const link = one.headers.get('link') ?? '';
    assert.match(link, /rel="?prev/);
    assert.doesNotMatch(link, /rel="?next/);
    assert.equal(link.match(/kato_code=710000000/g)?.length, link.match(/rel=/g)?.length);
    const { total } = (await askObservations(client, id, '?kato_code=71')).read<ObservationPage>();
    assert.equal(total, 0);
  },
);

claim(
  ['D3 observations empty'],
  'what has no observations gives an empty page, whatever it is',
  async (client) => {
    const pending = await upload(client, emptyLayer());
    const all = [sharedRaster, sharedVector, unmappedTable, failedTable].map(
      async (each) => await each(client),
    );
    for (const { id } of [...(await Promise.all(all)), pending]) {
      const empty = { data: [], page: 1, page_size: 20, total: 0, total_pages: 0 };
      assert.deepEqual((await askObservations(client, id)).read(), empty);
    }
  },
);

/** JSON text of a cell, and the content of its observation. */
const cells: readonly (readonly [
  row: string,
  cell: string | undefined,
  value: number | null,
  text: string | null,
])[] = [
  ['D3K number type', '12', 12, null],
  ['D3K number type', '-1.50', -1.5, null],
  ['D3K number type', '1e400', null, '1e400'],
  ['D3K number text', '" +5 "', 5, null],
  ['D3K number text', '"\u22125,25"', -5.25, null],
  ['D3K number text', String.raw`"\u00a0\t7\u00a0"`, 7, null],
  ['D3K number text', '"1 234,5"', 1234.5, null],
  ['D3K number text', '"12\u00a0345\u2009678\u202f901.5"', 12_345_678_901.5, null],
  ['D3K number text', '".5"', 0.5, null],
  ['D3K number text', '"1,5E-2"', 0.015, null],
  ['D3K text', '"5."', null, '5.'],
  ['D3K text', '"12 34"', null, '12 34'],
  ['D3K text', '"1.2.3"', null, '1.2.3'],
  ['D3K text', '"5 %"', null, '5 %'],
  ['D3K text', 'true', null, 'true'],
  ['D3K text', '"NaN"', null, 'NaN'],
  ['D3K text', '"н/д"', null, 'н/д'],
  ['D3K text', '{"a": [1, "x y"]}', null, '{"a":[1,"x y"]}'],
  ['D3K blanks', '""', null, null],
  ['D3K blanks', String.raw`" \u00a0\t\n"`, null, null],
  ['D3K blanks', 'null', null, null],
  ['D3K blanks', undefined, null, null],
];

claim(
  [...new Set(cells.map(([row]) => row)), '2.3 Observation.value', '2.3 Observation.value_text'],
  'a cell is a number, a text or empty, as it is written',
  async (client) => {
    const members = cells.flatMap(([, cell], index) => (cell === undefined ? [] : [`"c${index}":${cell}`]));
    const all = cells.map((_, index) => `"c${index}":null`);
    const feature = (properties: readonly string[]): string =>
      `{"type":"Feature","geometry":null,"properties":{${properties.join()}}}`;
    const rows = [feature(['"kato":"1"', ...members]), feature(all)];
    const file = geojsonFile(`{"type":"FeatureCollection","features":[${rows.join()}]}`);
    const { id } = await makeTable(client, file);
    const years = cells.map((_, index) => ({ column: `c${index}`, start_date: `${2000 + index}-01-01` }));
    await map(client, id, 'kato', years);
    const found = (await readObservations(client, id)).map(({ value, value_text }) => [value, value_text]);
    assert.deepEqual(
      found,
      cells.map(([, , value, text]) => [value, text]),
    );
  },
);

/** Cells of a column, their numbers, and the warning about the column. */
const commas = {
  decimal: [
    ['12,5', '1,234', '7'],
    [12.5, 1.234, 7],
  ],
  thousands: [
    ['1,234,567', '1,234', '12'],
    [1_234_567, 1234, 12],
  ],
  both: [
    ['1,234.5', '-12,345', null],
    [1234.5, -12_345, null],
  ],
  mixed: [['1,234.5', '12,5', '1,234,567'], [1234.5, 12.5, 1_234_567], 'mixed_decimal_comma'],
  ambiguous: [['1,234', '56,789', null], [1.234, 56.789, null], 'ambiguous_decimal_comma'],
} as const;

claim(
  [...['decimal', 'thousands', 'mixed', 'ambiguous'].map((row) => `D3K commas ${row}`), 'D3 report warnings'],
  'the commas of a column are decided together, with a warning where they are mixed or may mean either',
  async (client) => {
    const columns = Object.entries(commas);
    const rows = [0, 1, 2].map((row) => ({
      kato: String(row),
      ...Object.fromEntries(columns.map(([name, [cells]]) => [name, cells[row]])),
    }));
    const { id } = await makeTable(client, rows);
    const { warnings } = await readReport(client, id);
    assert.deepEqual(
      warnings.map(({ code, message }) => [
        code,
        columns.find(([name]) => message.includes(`"${name}"`))?.[0],
      ]),
      [
        ['mixed_decimal_comma', 'mixed'],
        ['ambiguous_decimal_comma', 'ambiguous'],
      ],
    );
    const years = columns.map(([column], index) => ({ column, start_date: `200${index}-01-01` }));
    await map(client, id, 'kato', years);
    const observations = await readObservations(client, id);
    for (const [index, [name, [, values]]] of columns.entries()) {
      const inYear = observations.filter(({ start_date }) => start_date === `200${index}-01-01`);
      assert.deepEqual(
        inYear.map(({ value }) => value),
        values,
        name,
      );
    }
  },
);

claim(
  ['D3K code', 'D3K no code', 'D3 report rows'],
  'codes are text: trimmed, numbers written plainly; rows without one are skipped and counted',
  async (client) => {
    const codes = [
      ['" 110000000\\t"', '110000000'],
      ['710000000', '710000000'],
      ['7.5e8', '750000000'],
      ['790000000.0', '790000000'],
      ['1.50', '1.5'],
      ['12345678901234567890', '12345678901234567890'],
      ['"0101"', '0101'],
      ['true', 'true'],
      ['null', undefined],
      ['"  "', undefined],
      ['""', undefined],
    ] as const;
    const rows = codes.map(
      ([code]) => `{"type":"Feature","geometry":null,"properties":{"kato":${code},"v":1}}`,
    );
    const file = geojsonFile(`{"type":"FeatureCollection","features":[${rows.join()}]}`);
    const { id } = await makeTable(client, file);
    assert.deepEqual((await readReport(client, id)).rows, { read: 11, skipped: null });
    await map(client, id, 'kato', [{ column: 'v', start_date: '2020-01-01' }]);
    const expected = codes.flatMap(([, code]) => (code === undefined ? [] : [code]));
    const found = (await readObservations(client, id)).map(({ kato_code }) => kato_code);
    assert.deepEqual(found, expected.toSorted());
    const report = await readReport(client, id);
    assert.deepEqual(report.rows, { read: 11, skipped: 3 });
    assert.deepEqual(
      report.warnings.map(({ code }) => code),
      ['rows_without_code', 'codes_without_district'],
    );
  },
);
