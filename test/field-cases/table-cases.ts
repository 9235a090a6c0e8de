import assert from 'node:assert/strict';
import type { Client } from '../acceptance/client.ts';
import { makeTable, map } from '../acceptance/support/datasets.ts';
import { readReport } from '../acceptance/support/geojson.ts';
import { readObservations } from '../acceptance/support/observations.ts';
import { caseFile, type FieldCase, plain } from './case.ts';

/** Maps each value column of a file to a year; returns the columns and their cells in the order of rows: a number, or a text. */
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

export const tableCases: readonly FieldCase<Client>[] = [
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
    slug: 'kato-code-spellings',
    text: 'codes match whatever a spreadsheet did to them, and nothing else is guessed',
    async check(client) {
      const path = 'kato-code-spellings/codes.geojson';
      const { id, cellsOf, report } = await readTable(client, path, 'КАТО');
      // The year 2020 numbers the rows; row 14 has no code.
      const cells = new Map(cellsOf('2020').map(([code, row]) => [row, code]));
      const codes = Array.from({ length: 20 }, (_, row) => cells.get(row));
      // A text with an exponent or with full-width digits may or may not be read as a code, but never as
      // another code.
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
      assert.deepEqual(warnings, [
        'codes_repaired',
        'codes_repeated',
        'codes_without_district',
        'rows_without_code',
      ]);
    },
  },
];
