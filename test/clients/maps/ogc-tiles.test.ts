import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installDebianPackages } from '../../../scripts/debian-packages.ts';
import { createClient } from '../../support/client.ts';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { writeRaster } from '../../support/geo/geotiffs.ts';
import { eventually } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';
import { startService } from '../../support/service.ts';
import { pixelCentres, runGdal, valuesAt } from './gdal-tools.ts';
import { grid } from './maps.ts';

installDebianPackages(['gdal-bin']);
// Its wheel includes GDAL 3.12; the driver of Debian's GDAL 3.6 does not know version 2.0 of tile matrix
// sets.
const python = installPythonTools({ name: 'pyogrio', packages: ['pyogrio==0.13.0'] });
const program = fileURLToPath(new URL('ogc-tiles.py', import.meta.url));

const { baseUrl } = await closeAfterTests(startService());
const folder = await temporaryFolder();
const client = createClient(baseUrl);
const category = await client.createCategory('tiles');
const settled = async (id: string, wanted: string) =>
  await eventually(wanted, async () => (await client.status(id)).status === wanted);

const path = join(folder, 'zones.tif');
/** Ten classes in squares of eight kilometres. */
const value = (column: number, row: number): number => 1 + (((column >> 3) + 3 * (row >> 3)) % 10);
writeRaster(path, { ...grid, dataType: 'Byte', noData: 0, value });
const raster = await client.upload(category, 'raster', new File([await readFile(path)], 'zones.tif'));
const source = await readFile(join(projectRoot, 'examples/population-by-region.geojson'), 'utf8');
const table = await client.upload(category, 'vector_with_kato', new File([source], 'population.geojson'));
await settled(table, 'awaiting_mapping');
const day = '2023-12-31';
await client.map(table, { kato_column: 'kato', year_columns: [{ column: '2023', start_date: day }] });
await Promise.all([settled(table, 'ready'), settled(raster, 'ready')]);
const collection = `${baseUrl}/ogc/collections/${raster}`;
await eventually('a view', async () => (await fetch(collection)).ok);

const picture = join(folder, 'tiles.tif');
/** Bounding box of Kazakhstan, in metres. */
const box = '5000000,4800000,9800000,7500000';
const said = execFileSync(
  join(python, 'python'),
  [program, baseUrl, raster, picture, box, table, 'regions'],
  {
    cwd: folder,
    encoding: 'utf8',
  },
);
type Row = Readonly<Record<string, unknown>>;
const [shown = [], regions = []] = said
  .trim()
  .split('\n')
  .map((line): readonly Row[] => JSON.parse(line));

test('GDAL reads the map tiles of a raster by OGC API - Tiles: the same colours at the same places as by WMTS', () => {
  const wmts = join(folder, 'wmts.png');
  runGdal(folder, ['gdal_translate', '-q', '-of', 'PNG', `WMTS:${baseUrl}/datasets/${raster}/wmts`, wmts]);
  const places = pixelCentres(folder, path, 7);
  const colours = valuesAt(folder, picture, places);
  assert.deepEqual(colours, valuesAt(folder, wmts, places));
  assert.ok(new Set(colours.map(String)).size >= 10);
});

test('GDAL reads a table by KATO from its vector tiles: each region with its value', () => {
  const told: { features: readonly { properties: Row }[] } = JSON.parse(source);
  const byCode = (rows: readonly Row[], name: string) =>
    rows.map((row) => `${String(row['kato'])}: ${String(row[name])}`).toSorted();
  assert.deepEqual(
    byCode(shown, 'value'),
    byCode(
      told.features.map(({ properties }) => properties),
      '2023',
    ),
  );
});

test('GDAL reads the regions from theirs, without any district', () => {
  assert.ok(regions.length >= 20);
  assert.deepEqual(new Set(regions.map(({ level }) => level)), new Set(['region']));
});

test('clients of features do not see rasters', () => {
  const layers = runGdal(folder, ['ogrinfo', '-ro', `OAPIF:${baseUrl}/ogc`]);
  assert.ok(layers.includes(table) && !layers.includes(raster), layers);
});
