import assert from 'node:assert/strict';
import type { Client } from '../acceptance/client.ts';
import { makeTable, map } from '../acceptance/support/datasets.ts';
import { readReport } from '../acceptance/support/geojson.ts';
import { readObservations } from '../acceptance/support/observations.ts';
import { caseFile, type FieldCase, plain } from './case.ts';

/** Maps each value column of a file to a year of its own; gives the columns and the cells of each in the order of rows: a number, or a text. */
async function readTable(client: Client, path: string, kato: string) {
  const { id, attribute_columns } = await makeTable(client, await caseFile(path));
  const columns = (attribute_columns ?? []).map(({ name }) => name);
  const mapped = columns.filter((name) => name !== kato);
  const years = mapped.map((column, index) => ({ column, start_date: `${2001 + index}-01-01` }));
  await map(client, id, kato, years);
  const observations = await readObservations(client, id);
  const cellsOf = (column: string) =>
    plain(
      observations
        .filter(({ start_date }) => start_date === years.find((each) => each.column === column)?.start_date)
        .map(({ kato_code, value, value_text }) => [kato_code, value ?? value_text] as const),
    );
  return { id, columns, cellsOf, report: await readReport(client, id) };
}

const valuesOf = (cells: readonly (readonly [string, unknown])[]) => cells.map(([, value]) => value);

export const tableCases: readonly FieldCase[] = [
  {
    slug: 'dbf-duplicate-names',
    text: 'columns of one name are all offered',
    async check(client) {
      const { columns, cellsOf } = await readTable(client, 'dbf-duplicate-names/dup.zip', 'KATO');
      assert.equal(new Set(columns).size, 5);
      assert.deepEqual(
        columns.slice(1).map((column) => valuesOf(cellsOf(column))),
        [
          [1, 5],
          [2, 6],
          [3, 7],
          [4, 8],
        ],
      );
    },
  },
  {
    slug: 'dbf-null-markers',
    text: 'marks of missing values are empty cells, and an impossible date is its text',
    async check(client) {
      const { cellsOf } = await readTable(client, 'dbf-null-markers/dbf_nulls.zip', 'NAME');
      const names = ['one', 'stars', 'zerodate', 'blank', 'exp', 'nan'];
      const inFileOrder = (column: string) => {
        const cells = new Map(cellsOf(column));
        return names.map((name) => cells.get(name));
      };
      for (const [column, cells] of Object.entries({
        AREA: [12.5, null, 0, null, 1500, null],
        CNT: [7, null, 0, null, 12, 0],
        DT: ['2020-01-31', null, null, null, 20_201_340, '1899-12-31'],
        F: [1.5, null, null, null, null, null],
      }))
        assert.deepEqual(inFileOrder(column), cells, column);
      const flags = inFileOrder('OK');
      assert.deepEqual([flags[1], flags[3]], [null, null]);
    },
  },
  {
    slug: 'geojson-bigint',
    text: 'an observation is the nearest double, and what no double holds is text',
    async check(client) {
      const { cellsOf } = await readTable(client, 'geojson-bigint/bigint.geojson', 'kato');
      assert.deepEqual(cellsOf('v'), [
        ['110000000', 2 ** 64],
        ['150000000', 3],
      ]);
      assert.deepEqual(valuesOf(cellsOf('e')), ['1e400', 2]);
      assert.deepEqual(valuesOf(cellsOf('w')), [1.1, 1]);
    },
  },
  {
    slug: 'geojson-feature-ids',
    text: 'ids of features are a column that can be mapped',
    async check(client) {
      const { columns, cellsOf } = await readTable(client, 'geojson-feature-ids/ids.geojson', 'id');
      assert.deepEqual(columns.toSorted(), ['2020', 'id', 'name']);
      assert.deepEqual(cellsOf('2020'), [
        ['110000000', 1],
        ['150000000', 2],
      ]);
    },
  },
  {
    slug: 'gpkg-loose-types',
    text: 'cells are what SQLite stores, whatever type the column declares',
    async check(client) {
      const { cellsOf } = await readTable(client, 'gpkg-loose-types/loose.gpkg', 'kato');
      for (const [column, cells] of Object.entries({
        i: [12.7, 1234, 'abc'],
        r: ['н/д', 1234.5, null],
        m: [99_999_999_999, '-', 7],
        b: [2, 'да', 'false'],
        d: ['2020-05-06', 20_200_506, '06.05.2020'],
      }))
        assert.deepEqual(valuesOf(cellsOf(column)), cells, column);
      assert.deepEqual(valuesOf(cellsOf('t')).slice(0, 2), [5, 5.5]);
    },
  },
  {
    slug: 'gpkg-spatial-view',
    text: 'a computed column of a view has numbers',
    async check(client) {
      const { cellsOf } = await readTable(client, 'gpkg-spatial-view/view_joined_only.gpkg', 'code');
      assert.deepEqual(cellsOf('v10'), [
        ['110000000', 15],
        ['150000000', 25],
      ]);
    },
  },
  {
    slug: 'kato-code-spellings',
    text: 'codes match whatever a spreadsheet did to them, and nothing else is guessed',
    async check(client) {
      const path = 'kato-code-spellings/codes.geojson';
      const { id, cellsOf, report } = await readTable(client, path, 'КАТО');
      // The year 2020 numbers the rows; row 14 has no code.
      const cells = new Map(cellsOf('2020').map(([code, row]) => [row, code]));
      const codes = Array.from({ length: 20 }, (_, row) => cells.get(row));
      // An exponent in a text, and wide digits, may be a code or no code, but nothing else.
      for (const [row, code, spelling] of [
        [9, '430000000', '4.3e8'],
        [19, '610000000', '６１００００００0'],
      ] as const) {
        assert.ok(codes[row] === code || codes[row] === spelling, codes[row]);
      }
      assert.deepEqual(
        codes.filter((_, row) => ![9, 14, 19].includes(row)),
        [
          '110000000',
          '150000000',
          '190000000',
          '190000000',
          '230000000',
          '27000000',
          '31000000000',
          '350000000',
          '390000000',
          '47,000,0000',
          '550000000',
          '590000000',
          '590000000',
          '0',
          '000000000',
          'Всего',
          'КАТО 610000000',
        ],
      );
      const { features } = await client.get<{ features: readonly unknown[] }>(`/datasets/${id}.geojson`);
      assert.ok(features.length >= 8 && features.length <= 10, String(features.length));
      const warnings = [...new Set(report.warnings.map(({ code }) => code))].toSorted();
      assert.deepEqual(warnings, ['codes_repaired', 'codes_without_district', 'rows_without_code']);
    },
  },
];
