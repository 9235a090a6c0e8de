import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { addStyle, classes as classesRaster } from '../../test/console/map-data.ts';
import { createClient } from '../../test/support/client.ts';
import { writeRaster } from '../../test/support/geo/geotiffs.ts';
import { insertPendingDatasets } from '../../test/support/geo/rasters.ts';
import { eventually } from '../../test/support/processes.ts';
import type { Service } from '../../test/support/service.ts';
import { connectTo } from '../../test/support/service-database.ts';

/** Width and height of the floating-point raster, pixels. */
export const side = 10_000;
export const dates = 24;
const listed = 5000;

/** Uploads the data of the maps, and waits until they are ready; returns the ids. */
export async function uploadData(baseUrl: string, folder: string) {
  const client = createClient(baseUrl);
  const category = await client.createCategory('bench');
  const become = async (id: string, wanted: string) =>
    await eventually(wanted, async () => ((await client.status(id)).status === wanted ? id : undefined), 300);
  const path = join(folder, 'relief.tif');
  writeRelief(path);
  const file = new File([await readFile(path)], 'relief.tif');
  const raster = await become(await client.upload(category, 'raster', file), 'ready');
  const classed = join(folder, 'classes.tif');
  writeRaster(classed, { ...classesRaster, dataType: 'Byte', noData: 0 });
  const classes = await become(
    await client.upload(category, 'raster', new File([await readFile(classed)], 'classes.tif')),
    'ready',
  );
  await addStyle(baseUrl, classes, [1, 2, 3, 4, 5]);
  const districts: { features: { properties: { kato: string } }[] } = JSON.parse(
    await (await fetch(`${baseUrl}/districts.geojson?level=district`)).text(),
  );
  const years = Array.from({ length: dates }, (_, index) => String(2000 + index));
  const features = districts.features.map(({ properties: { kato } }, row) => {
    const values = years.map((year, column) => [year, (row * 37 + column * 11) % 101]);
    return { type: 'Feature', geometry: null, properties: { kato, ...Object.fromEntries(values) } };
  });
  const text = JSON.stringify({ type: 'FeatureCollection', features });
  const table = await client.upload(category, 'vector_with_kato', new File([text], 'table.geojson'));
  await become(table, 'awaiting_mapping');
  const columns = years.map((year) => ({
    column: year,
    start_date: `${year}-01-01`,
    end_date: `${year}-12-31`,
  }));
  await client.map(table, { kato_column: 'kato', year_columns: columns });
  return { raster, classes, table: await become(table, 'ready') };
}

/** Adds 5,000 waiting datasets to the list. */
export async function fillList(service: Service): Promise<void> {
  const database = await connectTo(service);
  try {
    await insertPendingDatasets(database, listed);
  } finally {
    await database.end();
  }
}

/** Draws hills over the north of Kazakhstan, with no two equal rows. */
function writeRelief(path: string): void {
  const options = { TILED: 'YES', COMPRESS: 'DEFLATE', ZLEVEL: '1', BIGTIFF: 'YES' };
  const file = gdal.drivers.get('GTiff').create(path, side, side, 1, 'Float32', options);
  file.srs = gdal.SpatialReference.fromEPSG(32_642);
  file.geoTransform = [200_000, 60, 0, 5_900_000, 0, -60];
  const band = file.bands.get(1);
  const rows = 500;
  const values = new Float32Array(side * rows);
  for (let top = 0; top < side; top += rows) {
    for (let at = 0; at < values.length; at += 1) {
      const [x, y] = [at % side, top + Math.floor(at / side)];
      values[at] = 300 + 180 * Math.sin(x / 371) * Math.cos(y / 293) + ((x * 31 + y * 17) % 13);
    }
    band.pixels.write(0, top, side, rows, values);
  }
  file.close();
}
