import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { z } from 'zod';
import { readReport } from '../../src/datasets/report.ts';
import type { Observation } from '../../src/datasets/observations.ts';
import { fixture } from '../support/geo.ts';
import { startProcessing } from '../support/processing.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const processing = await closeAfterTests(startProcessing());

const Table = z.object({
  features: z.array(
    z.object({ properties: z.record(z.string(), z.union([z.string(), z.number(), z.null()])) }),
  ),
});
type CellValue = string | number | null;

const pathOf = (name: string): string => fixture(`kato/${name}`);

async function readTable(name: string): Promise<Record<string, CellValue>[]> {
  const table = Table.parse(JSON.parse(await readFile(pathOf(name), 'utf8')));
  return table.features.map(({ properties }) => properties);
}

/** The columns in file order, from the text itself: parsed objects put keys like "2000" first. */
async function readColumns(name: string): Promise<string[]> {
  const [, ...rows] = (await readFile(pathOf(name), 'utf8')).split('"properties": {');
  const keys = rows.flatMap((row) =>
    [...(row.split('}')[0] ?? '').matchAll(/"([^"]+)": /g)].map(([, key]) => key ?? ''),
  );
  return [...new Set(keys)];
}

/** The facts that tell observations apart, as text that sorts. */
function lineOf(observation: Omit<Observation, 'id' | 'dataset_id'>): string {
  const { kato_code, start_date, end_date, value, value_text } = observation;
  return JSON.stringify([kato_code, start_date, end_date, value, value_text]);
}

interface TableCase {
  readonly file: string;
  readonly codeColumn: string;
  readonly rows: number;
  readonly yearColumns: RegExp;
  readonly read: (cell: CellValue) => { value: number | null; value_text: string | null };
}

const asNumber = (cell: CellValue) => ({ value: Number(cell), value_text: null });
const nothing = { value: null, value_text: null };

const cases: readonly TableCase[] = [
  {
    file: 'population_by_region_2000_2023.geojson',
    codeColumn: 'kato',
    rows: 20,
    yearColumns: /^\d{4}$/,
    read: (cell) => (cell === null ? nothing : asNumber(cell)),
  },
  {
    file: 'eco_spending_dash_for_missing.geojson',
    codeColumn: 'KATO',
    rows: 21,
    yearColumns: /^\d{4}\.0$/,
    read: (cell) => (cell === '-' ? { value: null, value_text: '-' } : asNumber(cell)),
  },
  {
    file: 'income_by_region_date_columns.geojson',
    codeColumn: 'kato',
    rows: 17,
    yearColumns: /^\d{4}-12-31$/,
    read: (cell) => (cell === null ? nothing : asNumber(cell)),
  },
  {
    file: 'watershed_precip_comma_decimals.geojson',
    codeColumn: 'code',
    rows: 14,
    yearColumns: /^\d{4}-01-01$/,
    read: (cell) => asNumber(String(cell).replace(',', '.')),
  },
];

for (const { file, codeColumn, rows, yearColumns, read } of cases) {
  test(`${file}: columns, samples and every observation`, async () => {
    const table = await readTable(file);
    assert.equal(table.length, rows);
    const names = await readColumns(file);
    const id = await processing.upload(pathOf(file), 'vector_with_kato');
    const detected = await processing.untilStatus(id, 'awaiting_mapping');
    assert.deepEqual(
      detected.attribute_columns,
      names.map((name) => {
        const texts = table
          .map((row) => row[name] ?? '')
          .filter((cell) => cell !== '')
          .map(String);
        return { name, samples: [...new Set(texts)].slice(0, 5) };
      }),
    );
    assert.deepEqual(await processing.observations(id), []);

    const mapped = names.filter((name) => yearColumns.test(name));
    assert.ok(mapped.length > 15);
    const startOf = (column: string) => `${column.slice(0, 4)}-01-01`;
    const year_columns = mapped.map((column) => ({ column, start_date: startOf(column) }));
    const extracting = await processing.map(id, { kato_column: codeColumn, year_columns });
    assert.equal(extracting.status, 'extracting');
    assert.deepEqual(extracting.year_columns, year_columns);
    await processing.untilStatus(id, 'ready');

    const expected = table.flatMap((row) =>
      mapped.map((column) =>
        lineOf({
          kato_code: String(row[codeColumn]),
          start_date: startOf(column),
          end_date: null,
          ...read(row[column] ?? null),
        }),
      ),
    );
    const observations = await processing.observations(id);
    assert.deepEqual(observations.map(lineOf).toSorted(), expected.toSorted());
    assert.equal(new Set(observations.map((observation) => observation.id)).size, expected.length);
    const inOrder = observations.map((row) => [row.kato_code, row.start_date, row.id].join(' '));
    assert.deepEqual(inOrder, inOrder.toSorted());
    assert.ok(observations.every(({ dataset_id }) => dataset_id === id));
  });
}

const Collection = z.strictObject({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.strictObject({
      type: z.literal('Feature'),
      geometry: z.unknown(),
      properties: z.strictObject({
        kato: z.string(),
        name: z.string(),
        data: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
        periods: z.record(z.string(), z.string()).optional(),
      }),
    }),
  ),
});

test('a table of districts for a period: codes without a district are left out, geometry is the district’s', async () => {
  const file = 'tax_rate_2026_by_district.geojson';
  const table = await readTable(file);
  assert.equal(table.length, 158);
  const id = await processing.upload(pathOf(file), 'vector_with_kato');
  await processing.untilStatus(id, 'awaiting_mapping');
  const period = { start_date: '2026-01-01', end_date: '2026-12-31' };
  await processing.map(id, { kato_column: 'kato', year_columns: [{ column: 'rate_2026', ...period }] });
  await processing.untilStatus(id, 'ready');

  const observations = await processing.observations(id);
  assert.deepEqual(
    observations.map(lineOf),
    table
      .map((row) =>
        lineOf({ kato_code: String(row['kato']), ...period, ...asNumber(row['rate_2026'] ?? null) }),
      )
      .toSorted(),
  );

  const report = await readReport(processing.db, id);
  assert.deepEqual(
    report?.warnings.map(({ code, message }) => [
      code,
      /^5 of 158 rows .*(?:"\d{9}"(?:, |\.$)){5}/.test(message),
    ]),
    [['codes_without_district', true]],
  );

  const rates = new Map(table.map((row) => [row['kato'], row['rate_2026']]));
  const districts = await processing.db.selectFrom('districts').selectAll().orderBy('kato_code').execute();
  const known = districts.filter(({ kato_code }) => rates.has(kato_code));
  assert.equal(known.length, 153);
  const collection = Collection.parse(JSON.parse(await processing.geoJson(id)));
  assert.deepEqual(
    collection.features,
    known.map(({ kato_code, name, geometry }) => ({
      type: 'Feature',
      geometry: z.unknown().parse(JSON.parse(geometry)),
      properties: {
        kato: kato_code,
        name,
        data: { '2026-01-01': rates.get(kato_code) },
        periods: { '2026-01-01': '2026-12-31' },
      },
    })),
  );
});
