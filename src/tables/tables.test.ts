import assert from 'node:assert/strict';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { readReport } from '../datasets/report.ts';
import { getDataset } from '../datasets/queries.ts';
import { openTable } from './export/open-table.ts';
import { tableCsv } from './export/table-files.ts';
import { tableParquet } from './export/table-parquet.ts';
import { listObservations, type Observation } from './observations.ts';
import { fixture } from '../../test/support/geo/engine.ts';
import { readParquet } from '../../test/support/tables/parquet.ts';
import { startTables } from '../../test/support/tables/tables.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';

const tables = await closeAfterTests(startTables());
// Imported after the engine, which sets GDAL's options before it is loaded.
const { default: gdal } = await import('gdal-async');

const Cell = z.union([z.string(), z.number(), z.null()]);
const Table = z.object({ features: z.array(z.object({ properties: z.record(z.string(), Cell) })) });
const Collection = z.strictObject({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.strictObject({
      type: z.literal('Feature'),
      geometry: z.unknown(),
      properties: z.strictObject({
        kato: z.string(),
        name: z.string(),
        data: z.record(z.string(), Cell),
        periods: z.record(z.string(), z.string()).optional(),
      }),
    }),
  ),
});

async function featuresOf(id: string) {
  return Collection.parse(JSON.parse(await tables.geoJson(id))).features;
}

/** Sortable text of the fields that identify an observation. */
function lineOf(observation: Omit<Observation, 'id' | 'dataset_id'>): string {
  const { kato_code, start_date, end_date, value, value_text } = observation;
  return JSON.stringify([kato_code, start_date, end_date, value, value_text]);
}

/** The number in a cell, with a point or a comma, if it is one. */
function readCell(cell: z.infer<typeof Cell>) {
  if (cell === null) return { value: null, value_text: null };
  const number = Number(String(cell).replace(',', '.'));
  return Number.isNaN(number)
    ? { value: null, value_text: String(cell) }
    : { value: number, value_text: null };
}

interface TableCase {
  readonly rows: number;
  readonly codeColumn: string;
  /** Names of the columns with values. */
  readonly mapped: RegExp;
  readonly columns: number;
  /** Number of codes of regions and districts in the table. */
  readonly onMap: number;
}

const years = /^\d{4}$/;
const cases: Readonly<Record<string, TableCase>> = {
  doctors_by_region: { rows: 16, codeColumn: 'kato', mapped: /^y\d{4}$/, columns: 20, onMap: 16 },
  eco_spending_dash_for_missing: {
    rows: 21,
    codeColumn: 'KATO',
    mapped: /^\d{4}\.0$/,
    columns: 18,
    onMap: 20,
  },
  grain_production_4_districts_1991_2025: {
    rows: 4,
    codeColumn: 'kato',
    mapped: years,
    columns: 35,
    onMap: 4,
  },
  grain_yield_4_districts_1991_2025: { rows: 4, codeColumn: 'kato', mapped: years, columns: 35, onMap: 4 },
  income_by_region_date_columns: { rows: 17, codeColumn: 'kato', mapped: /-12-31$/, columns: 21, onMap: 17 },
  natural_zones_by_district: { rows: 216, codeColumn: 'KATO', mapped: /^ZONE_/, columns: 3, onMap: 190 },
  population_by_region_2000_2023: { rows: 20, codeColumn: 'kato', mapped: years, columns: 24, onMap: 20 },
  tax_rate_2026_by_district: { rows: 158, codeColumn: 'kato', mapped: /^rate_2026$/, columns: 1, onMap: 153 },
  // The codes are those of river basins.
  watershed_precip_comma_decimals: { rows: 14, codeColumn: 'code', mapped: /-01-01$/, columns: 24, onMap: 0 },
};

for (const [file, { rows, codeColumn, mapped, columns, onMap }] of Object.entries(cases)) {
  test(`${file}: columns, samples, every observation, and one feature for each code of a unit`, async () => {
    const text = await readFile(fixture(`kato/${file}.geojson`), 'utf8');
    const table = Table.parse(JSON.parse(text)).features.map(({ properties }) => properties);
    assert.equal(table.length, rows);
    const names = columnsIn(text);
    const id = await tables.upload(fixture(`kato/${file}.geojson`), 'vector_with_kato');
    const detected = await tables.untilStatus(id, 'awaiting_mapping');
    assert.deepEqual(
      detected.attribute_columns,
      names.map((name) => {
        const texts = table.map((row) => String(row[name] ?? '')).filter((cell) => cell !== '');
        return { name, samples: [...new Set(texts)].slice(0, 5) };
      }),
    );
    assert.deepEqual(await tables.observations(id), []);

    const wanted = names.filter((name) => mapped.test(name));
    assert.equal(wanted.length, columns);
    const startOf = (index: number) => `${1990 + index}-01-01`;
    const year_columns = wanted.map((column, index) => ({ column, start_date: startOf(index) }));
    const extracting = await tables.map(id, { kato_column: codeColumn, year_columns });
    assert.deepEqual([extracting.status, extracting.year_columns], ['extracting', year_columns]);
    await tables.untilStatus(id, 'ready');

    const expected = table.flatMap((row) =>
      wanted.map((column, index) =>
        lineOf({
          kato_code: String(row[codeColumn]),
          start_date: startOf(index),
          end_date: null,
          ...readCell(row[column] ?? null),
        }),
      ),
    );
    const observations = await tables.observations(id);
    assert.deepEqual(observations.map(lineOf).toSorted(), expected.toSorted());
    assert.equal(new Set(observations.map((observation) => observation.id)).size, expected.length);
    const inOrder = observations.map((row) => [row.kato_code, row.start_date, row.id].join(' '));
    assert.deepEqual(inOrder, inOrder.toSorted());
    assert.ok(observations.every(({ dataset_id }) => dataset_id === id));

    const units = await tables.db.selectFrom('districts').select('kato_code').execute();
    const known = new Set(units.map(({ kato_code }) => kato_code));
    const codes = new Set(table.map((row) => String(row[codeColumn])));
    const features = await featuresOf(id);
    assert.deepEqual(
      features.map(({ properties }) => properties.kato),
      [...codes].filter((code) => known.has(code)).toSorted(),
    );
    assert.equal(features.length, onMap);
  });
}

/** Columns in file order, from the text itself: parsed objects move keys like "2000" to the front. */
function columnsIn(text: string): string[] {
  const [, ...rows] = text.split('"properties": {');
  const keys = rows.flatMap((row) =>
    [...(row.split('}')[0] ?? '').matchAll(/"([^"]+)": /g)].map(([, key]) => key ?? ''),
  );
  return [...new Set(keys)];
}

test('a table of districts for a period: codes without a district are left out, geometry is the district’s', async () => {
  const path = fixture('kato/tax_rate_2026_by_district.geojson');
  const table = Table.parse(JSON.parse(await readFile(path, 'utf8'))).features;
  const id = await tables.upload(path, 'vector_with_kato');
  await tables.untilStatus(id, 'awaiting_mapping');
  const period = { start_date: '2026-01-01', end_date: '2026-12-31' };
  await tables.map(id, { kato_column: 'kato', year_columns: [{ column: 'rate_2026', ...period }] });
  await tables.untilStatus(id, 'ready');
  assert.ok((await tables.observations(id)).every(({ end_date }) => end_date === period.end_date));

  const report = await readReport(tables.db, id);
  assert.deepEqual(
    report?.warnings.map(({ code, message }) => [
      code,
      /^5 rows have .*(?:"\d{9}"(?:, |\. )){5}/.test(message),
    ]),
    [['units_without_border', true]],
  );

  const rates = new Map(table.map(({ properties }) => [properties['kato'], properties['rate_2026']]));
  const districts = await tables.db.selectFrom('districts').selectAll().orderBy('kato_code').execute();
  assert.deepEqual(
    await featuresOf(id),
    districts
      .filter(({ kato_code }) => rates.has(kato_code))
      .map(({ kato_code, name, geometry }) => ({
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

/** Codes as integers, as decimals, with a prefix of letters and with blanks around them, and the values of a year. */
const rows = [
  { whole: 100000000, real: 100000000, prefixed: 'KZ100000000', blanks: ' 100000000 ', y: 1.5, t: '1 234,5' },
  { whole: 110000000, real: 110000000, prefixed: 'KZ110000000', blanks: '110000000', y: -0.25, t: 'н/д' },
  { whole: 101000000, real: 101000000, prefixed: 'KZ101000000', blanks: '\t101000000', y: 1e21, t: '' },
] as const;
const fields = [
  ['whole', gdal.OFTInteger64],
  ['real', gdal.OFTReal],
  ['prefixed', gdal.OFTString],
  ['blanks', gdal.OFTString],
  ['y', gdal.OFTReal],
  ['t', gdal.OFTString],
] as const;

/** Writes the rows as a table of a GeoPackage, or as a zipped shapefile of points. */
async function writeTable(format: 'gpkg' | 'zip'): Promise<string> {
  const written = join(tables.folder, format === 'gpkg' ? 'codes.gpkg' : 'codes.shz');
  const file = gdal.drivers.get(format === 'gpkg' ? 'GPKG' : 'ESRI Shapefile').create(written);
  const options = format === 'gpkg' ? ['ASPATIAL_VARIANT=GPKG_ATTRIBUTES'] : ['ENCODING=UTF-8'];
  const layer = file.layers.create(
    'codes',
    gdal.SpatialReference.fromEPSG(4326),
    format === 'gpkg' ? gdal.wkbNone : gdal.wkbPoint,
    options,
  );
  for (const [name, type] of fields) {
    const definition = new gdal.FieldDefn(name, type);
    if (format === 'zip' && name === 'whole') definition.width = 10;
    layer.fields.add(definition);
  }
  for (const row of rows) {
    const feature = new gdal.Feature(layer);
    feature.fields.set({ ...row });
    if (format === 'zip') feature.setGeometry(new gdal.Point(70, 50));
    layer.features.add(feature);
  }
  layer.flush();
  file.close();
  const path = join(tables.folder, `codes.${format}`);
  if (path !== written) await rename(written, path);
  return path;
}

for (const format of ['gpkg', 'zip'] as const) {
  test(`codes are text whatever the cells of a .${format} are, and match when the text is that of a unit`, async () => {
    const id = await tables.upload(await writeTable(format), 'vector_with_kato');
    await tables.untilStatus(id, 'awaiting_mapping');
    for (const [column, prefix] of [
      ['whole', ''],
      ['real', ''],
      ['blanks', ''],
      ['prefixed', 'KZ'],
    ] as const) {
      await tables.mapColumns(id, column, 'y', 't');
      const [observations, features] = [await tables.observations(id), await featuresOf(id)];
      const codes = ['100000000', '101000000', '110000000'];
      assert.deepEqual(
        features.map(({ properties }) => properties.kato),
        prefix === '' ? codes : [],
        column,
      );
      assert.deepEqual(
        observations.map(({ kato_code, value, value_text }) => [kato_code, value, value_text]),
        [
          [`${prefix}100000000`, 1.5, null],
          [`${prefix}100000000`, 1234.5, null],
          [`${prefix}101000000`, 1e21, null],
          [`${prefix}101000000`, null, null],
          [`${prefix}110000000`, -0.25, null],
          [`${prefix}110000000`, null, 'н/д'],
        ],
        column,
      );
    }
  });
}

/** The columns of a table as the page writes them: values, and what its signs mean. */
const remarkedRows = [
  { kato: '110000000', 2022: 4903.2, 2023: 4951.7, '2023 [*]': 'revised: р.' },
  {
    kato: '150000000',
    2022: null,
    2023: 0,
    '2022 [*]': 'confidential: х',
    '2023 [*]': 'negligible: 0,0',
  },
  { kato: '190000000', 2022: '…', 2023: null, '2023 [*]': 'none: -' },
  { kato: '230000000', 2022: 6.1, 2023: 0.29, '2022 [*]': 'checked by hand' },
].map((row) => ({ '2022 [*]': null, '2023 [*]': null, ...row }));
const remarkedColumn = (year: number) => ({
  column: String(year),
  start_date: `${year}-01-01`,
  end_date: `${year}-12-31`,
  remarks_column: `${year} [*]`,
});
/** Code, value, text, status and remark of each observation. */
const remarked = [
  ['110000000', 4_903_200, null, null, null],
  ['110000000', 4_951_700, null, 'revised', 'р.'],
  ['150000000', null, null, 'confidential', 'х'],
  ['150000000', 0, null, 'negligible', '0,0'],
  ['190000000', null, '…', 'not_available', null],
  ['190000000', null, null, 'none', '-'],
  ['230000000', 6100, null, null, 'checked by hand'],
  ['230000000', 290, null, null, null],
];

test('remarks reach observations, CSV and Parquet; a conversion is on record', async () => {
  const { db } = tables;
  const id = await tables.uploadTable(remarkedRows);
  const measure = { unit: 'га', source_unit: 'тыс. га', factor: 1000 };
  const mapping = (extra: object) => ({
    kato_column: 'kato',
    year_columns: [2022, 2023].map((year) => ({ ...remarkedColumn(year), ...extra })),
  });
  await assert.rejects(tables.map(id, mapping({ factor: 1000, unit: 'га' })), /needs unit and source_unit/);
  await assert.rejects(tables.map(id, mapping({ remarks_column: 'x' })), /remarks_column: is not among/);
  await tables.map(id, mapping(measure));
  await tables.untilStatus(id, 'ready');

  const page = { limit: 20, offset: 0 };
  const { rows } = await listObservations(db, id, { withRemarks: true }, page);
  assert.deepEqual(
    rows.map((each) => [each.kato_code, each.value, each.value_text, each.status, each.remark]),
    remarked,
  );
  assert.ok(rows.every(({ unit }) => unit === 'га'));
  const [plain = {}] = (await listObservations(db, id, {}, page)).rows;
  assert.deepEqual(
    Object.keys(plain),
    'id dataset_id kato_code start_date end_date value value_text'.split(' '),
  );

  const { unit, year_columns: years } = await getDataset(db, id);
  assert.equal(unit, 'га');
  assert.deepEqual(JSON.parse(years ?? '')[0], { ...remarkedColumn(2022), ...measure });
  const { warnings = [] } = (await readReport(db, id)) ?? {};
  assert.deepEqual(
    warnings.filter(({ code }) => code === 'values_converted').map(({ message }) => message),
    [2022, 2023].map(
      (year) =>
        `The numbers of column "${year}" were multiplied by 1000: from "тыс. га" to "га", as the mapping says.`,
    ),
  );

  const unitAreas = async () => await Promise.reject(new Error('no rates are asked for'));
  await using table = await openTable(db, id, {
    withRate: false,
    unitAreas,
    signal: new AbortController().signal,
  });
  const csv = (await Array.fromAsync(tableCsv(table, { shape: 'wide', language: 'en' }))).join('');
  assert.deepEqual(csv.split('\r\n').slice(0, 3), [
    'kato,name,2022,2023,2022 [*],2023 [*]',
    '110000000,Akmola,4903200,4951700,,revised: р.',
    '150000000,Aktobe,,0,confidential: х,"negligible: 0,0"',
  ]);
  await using again = await openTable(db, id, {
    withRate: false,
    unitAreas,
    signal: new AbortController().signal,
  });
  const parts = await Array.fromAsync(tableParquet(again, { shape: 'long', language: 'en' }));
  const { rows: found } = await readParquet(Buffer.concat(parts));
  assert.deepEqual(
    found.map((each) => ['kato_code', 'value', 'value_text', 'status', 'remark'].map((name) => each[name])),
    remarked,
  );
});
