import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { makeTable, map } from '../support/datasets.ts';
import { type DbfColumn, dbfOf, layerFiles, zipFileOf } from '../support/shapefile.ts';
import { expectWarning, readVector, warningsOf } from '../support/geojson.ts';
import { readObservations } from '../support/observations.ts';

type Rows = Parameters<typeof dbfOf>[1];

/** A zipped shapefile of points with this table. */
function tableFile(columns: readonly DbfColumn[], rows: Rows): File {
  const places = rows.map((_, index) => [70 + index / 100, 50] as const);
  const points = { points: places, texts: rows.map(() => Buffer.from('x')) };
  return zipFileOf(layerFiles('t', points, { '.dbf': dbfOf(columns, rows) }));
}

async function readRows(client: Client, file: File) {
  const { dataset, collection } = await readVector(client, file);
  return { id: dataset.id, rows: collection.features[0]?.properties.rows ?? [] };
}

const numbers = [
  { name: 'KATO', type: 'C', length: 9 },
  { name: 'N0', type: 'N', length: 10 },
  { name: 'N2', type: 'N', length: 12, decimals: 2 },
  { name: 'F', type: 'F', length: 20, decimals: 3 },
  { name: 'BIG', type: 'N', length: 20 },
] as const;
/** What the rules for cells make of the same texts: a number, or a text. */
const written = [
  [
    ['110000000', '12.7', '12,5', '1 234,56', '12345678901234567890'],
    [12.7, 12.5, 1234.56, Number('12345678901234567890')],
  ],
  [
    ['150000000', '7', '-3.25', '1.5e+3', '99999999999999999999'],
    [7, -3.25, 1500, 1e20],
  ],
  [
    ['190000000', 'abc', '5.', '-', '-9223372036854775809'],
    ['abc', null, '-', Number('-9223372036854775809')],
  ],
  [
    ['230000000', '1 234', '0', '+7', '007'],
    [1234, 0, 7, 7],
  ],
] as const;

claim(
  ['D9 cells dbf', 'D9 cells whole'],
  'numbers of a .dbf are what its bytes say, whatever decimals and digits the column declares',
  async (client) => {
    const { id } = await makeTable(
      client,
      tableFile(
        numbers,
        written.map(([cells]) => cells),
      ),
    );
    const years = numbers
      .slice(1)
      .map(({ name }, index) => ({ column: name, start_date: `200${index}-01-01` }));
    await map(client, id, 'KATO', years);
    const observations = await readObservations(client, id);
    for (const [[code], values] of written) {
      for (const [index, value] of values.entries()) {
        const found = observations.find(
          (each) => each.kato_code === code && each.start_date === `200${index}-01-01`,
        );
        // "5." is a text by the rules for cells, though a program that writes numbers may mean 5.
        if (value === null)
          assert.ok(found?.value === 5 || found?.value_text === '5.', JSON.stringify(found));
        else assert.equal(found?.value ?? found?.value_text, value, `${code} ${index}`);
      }
    }
  },
);

const missing = [
  { name: 'C', type: 'C', length: 5 },
  { name: 'N', type: 'N', length: 8, decimals: 2 },
  { name: 'F', type: 'F', length: 12, decimals: 3 },
  { name: 'D', type: 'D', length: 8 },
  { name: 'L', type: 'L', length: 1 },
] as const;

claim(
  ['D9 missing'],
  'blanks, stars, zeros of a date, question marks and NaN are null, and no key is missing from a row',
  async (client) => {
    const { id, rows } = await readRows(
      client,
      tableFile(missing, [
        ['here', '1.50', '2.5', '20200131', 'T'],
        ['', '', '', '', ''],
        ['stars', '********', '************', '********', '?'],
        ['zeros', 'NaN', 'nan', '00000000', '?'],
        ['last', '-nan', '-1.#IND', '00000000', ' '],
      ]),
    );
    const { L: flag, ...first } = Object(rows[0]);
    assert.deepEqual(first, { C: 'here', N: 1.5, F: 2.5, D: '2020-01-31' });
    assert.ok(flag === 'T' || flag === true);
    const none = { N: null, F: null, D: null, L: null };
    assert.deepEqual(rows.slice(1), [
      { C: null, ...none },
      { C: 'stars', ...none },
      { C: 'zeros', ...none },
      { C: 'last', ...none },
    ]);
    assert.ok(!(await warningsOf(client, id)).includes('dates_impossible'));
  },
);

claim(
  ['D9 dates', 'D9 languages'],
  'a date that no calendar has is kept as its text, with a warning',
  async (client) => {
    const columns = [{ name: 'DAY', type: 'D', length: 8 }] as const;
    const dates = [['20201340'], ['20200229'], ['20210229'], ['18991231'], ['20200000']];
    const { id, rows } = await readRows(client, tableFile(columns, dates));
    assert.deepEqual(rows, [
      { DAY: '20201340' },
      { DAY: '2020-02-29' },
      { DAY: '20210229' },
      { DAY: '1899-12-31' },
      { DAY: '20200000' },
    ]);
    await expectWarning(client, id, 'dates_impossible', /DAY/, /3/);
  },
);

claim(
  ['D9 binary dbf', 'D9 languages'],
  'binary columns are read, or named in a warning and left out; the columns beside them stay',
  async (client) => {
    const integer = Buffer.alloc(4);
    integer.writeInt32LE(-123_456);
    const columns = [
      { name: 'NAME', type: 'C', length: 4 },
      { name: 'COUNT', type: 'I', length: 4 },
      { name: 'NOTES', type: 'M', length: 10 },
      { name: 'LAST', type: 'N', length: 5 },
    ] as const;
    const file = tableFile(columns, [
      ['a', integer, '         7', '42'],
      ['b', Buffer.alloc(4), '', '43'],
    ]);
    const { id, rows } = await readRows(client, file);
    const [first, second] = rows.map((row) => ({ ...Object(row) }));
    assert.deepEqual([first.NAME, first.LAST, second.NAME, second.LAST], ['a', 42, 'b', 43]);
    if ('COUNT' in first) assert.deepEqual([first.COUNT, second.COUNT], [-123_456, 0]);
    else await expectWarning(client, id, 'columns_left_out', /COUNT/);
    assert.ok(!('NOTES' in first) && !('NOTES' in second), JSON.stringify(rows));
    await expectWarning(client, id, 'columns_left_out', /NOTES/);
  },
);
