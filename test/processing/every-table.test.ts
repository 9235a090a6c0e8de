import assert from 'node:assert/strict';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import gdal from 'gdal-async';
import { z } from 'zod';
import { fixture } from '../support/geo.ts';
import { startProcessing } from '../support/processing.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const processing = await closeAfterTests(startProcessing());

const Cell = z.union([z.string(), z.number(), z.null()]);
const Table = z.object({ features: z.array(z.object({ properties: z.record(z.string(), Cell) })) });
const Collection = z.object({
  features: z.array(
    z.object({ properties: z.object({ kato: z.string(), data: z.record(z.string(), Cell) }) }),
  ),
});

async function extract(path: string, kato_column: string, columns: readonly string[]) {
  const id = await processing.upload(path, 'vector_with_kato');
  await processing.untilStatus(id, 'awaiting_mapping');
  const year_columns = columns.map((column, index) => ({ column, start_date: `${1990 + index}-01-01` }));
  await processing.map(id, { kato_column, year_columns });
  await processing.untilStatus(id, 'ready');
  const { features } = Collection.parse(JSON.parse(await processing.geoJson(id)));
  return { id, observations: await processing.observations(id), features };
}

const isCode = (column: string): boolean => /^(kato|code)$/i.test(column);

test('every table with codes of regions or districts is on the map, one feature for each code', async () => {
  const districts = await processing.db.selectFrom('districts').select('kato_code').execute();
  const known = new Set(districts.map(({ kato_code }) => kato_code));
  const names = (await readdir(fixture('kato'))).filter((name) => name.endsWith('.geojson')).toSorted();
  const counts: Record<string, number> = {};
  for (const name of names) {
    const table = Table.parse(JSON.parse(await readFile(fixture(`kato/${name}`), 'utf8'))).features;
    const columns = [...new Set(table.flatMap(({ properties }) => Object.keys(properties)))];
    const codeColumn = columns.find(isCode) ?? '';
    const values = columns.filter((column) => !isCode(column)).slice(0, 4);
    const { features } = await extract(fixture(`kato/${name}`), codeColumn, values);
    const codes = new Set(table.map(({ properties }) => String(properties[codeColumn])));
    assert.deepEqual(
      features.map(({ properties }) => properties.kato),
      [...codes].filter((code) => known.has(code)).toSorted(),
      name,
    );
    counts[name.replace(/_.*/, '')] = features.length;
  }
  assert.deepEqual(counts, {
    doctors: 16,
    eco: 20,
    grain: 4,
    income: 17,
    natural: 190,
    population: 20,
    tax: 153,
    watershed: 0, // codes of river basins
  });
});

test('texts are kept as text, in every language, and the numbers of two tables as they are', async () => {
  const zones = ['ZONE_EN', 'ZONE_KK', 'ZONE_RU'];
  const grain = Array.from({ length: 35 }, (_, year) => String(1991 + year));
  for (const [name, codeColumn, columns] of [
    ['natural_zones_by_district', 'KATO', zones],
    ['grain_yield_4_districts_1991_2025', 'kato', grain],
    ['doctors_by_region', 'kato', ['y2003', 'y2022']],
  ] as const) {
    const path = fixture(`kato/${name}.geojson`);
    const table = Table.parse(JSON.parse(await readFile(path, 'utf8'))).features;
    const expected = table.flatMap(({ properties }) =>
      columns.map((column, index) => {
        const cell = properties[column] ?? null;
        const [value, text] = typeof cell === 'string' ? [null, cell] : [cell, null];
        return JSON.stringify([properties[codeColumn], `${1990 + index}-01-01`, value, text]);
      }),
    );
    const { observations } = await extract(path, codeColumn, columns);
    const found = observations.map(({ kato_code, start_date, value, value_text }) =>
      JSON.stringify([kato_code, start_date, value, value_text]),
    );
    assert.deepEqual(found.toSorted(), expected.toSorted(), name);
  }
});

/** Codes as number cells, as decimal number cells, with letters before them and with blanks around, and the values of a year. */
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
  const written = join(processing.folder, format === 'gpkg' ? 'codes.gpkg' : 'codes.shz');
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
  const path = join(processing.folder, `codes.${format}`);
  if (path !== written) await rename(written, path);
  return path;
}

for (const format of ['gpkg', 'zip'] as const) {
  test(`codes are text whatever the cells of a .${format} are, and match when the text is that of a unit`, async () => {
    const path = await writeTable(format);
    for (const [column, prefix] of [
      ['whole', ''],
      ['real', ''],
      ['blanks', ''],
      ['prefixed', 'KZ'],
    ] as const) {
      const { observations, features } = await extract(path, column, ['y', 't']);
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
