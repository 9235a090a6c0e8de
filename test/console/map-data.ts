import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import gdal from 'gdal-async';
import { createClient } from '../support/client.ts';
import { writeRaster } from '../support/geo/geotiffs.ts';
import { eventually } from '../support/processes.ts';
import { fixturePath } from './fixtures.ts';

/** Colours of the style of five classes. */
export const classColours = ['#d73027', '#fc8d59', '#fee08b', '#91cf60', '#1a9850'];
/** A style that draws each value in the colour at the same position, and labels it S1, S2, …. */
const styleOf = (values: readonly number[]): string => {
  const stops = values.map(
    (value, index) =>
      `<ColorMapEntry color="${classColours[index]}" quantity="${value}" label="S${index + 1}"/>`,
  );
  return `<StyledLayerDescriptor version="1.0.0"><NamedLayer><UserStyle><FeatureTypeStyle><Rule><RasterSymbolizer>
<ColorMap type="values">${stops.join('')}</ColorMap></RasterSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
};

/** Sets the style of a raster with these values. */
export async function addStyle(baseUrl: string, id: string, values: readonly number[]): Promise<void> {
  const form = new FormData();
  form.append('file', new File([styleOf(values)], 'classes.sld'));
  const styled = await fetch(`${baseUrl}/datasets/${id}/sld`, { method: 'POST', body: form });
  assert.equal(styled.status, 200);
}

export const classes = {
  width: 400,
  height: 300,
  affine: [500_000, 1000, 0, 5_800_000, 0, -1000],
  epsg: 32_642,
  /** Bands from west to east: 80 columns of each class; the upper left corner has no data. */
  value: (column: number, row: number) => (column < 40 && row < 40 ? 0 : 1 + Math.floor(column / 80)),
} as const;

/** Position of the middle of a pixel of the raster of classes. */
export function lonLatOf(column: number, row: number): { lon: number; lat: number } {
  const [utm, wgs84] = [gdal.SpatialReference.fromEPSG(classes.epsg), gdal.SpatialReference.fromEPSG(4326)];
  const [x0, dx, , y0, , dy] = classes.affine;
  const { x, y } = new gdal.CoordinateTransformation(utm, wgs84).transformPoint(
    x0 + (column + 0.5) * dx,
    y0 + (row + 0.5) * dy,
  );
  // GDAL returns the latitude first for EPSG:4326.
  return { lat: x, lon: y };
}

/** Uploads the maps of the tests, and waits until they are ready. */
export async function uploadMaps(baseUrl: string, folder: string) {
  const client = createClient(baseUrl);
  const category = await client.createCategory('maps');
  const become = async (id: string, wanted: string) =>
    await eventually(wanted, async () => {
      const { status, parse_error: error } = await client.status(id);
      assert.notEqual(status, 'failed', error ?? '');
      return status === wanted ? id : undefined;
    });
  const upload = async (path: string, type: string) =>
    await client.upload(category, type, new File([await readFile(path)], basename(path)));
  const path = join(folder, 'classes.tif');
  writeRaster(path, { ...classes, dataType: 'Byte', noData: 0 });
  const raster = await become(await upload(path, 'raster'), 'ready');
  await addStyle(baseUrl, raster, [1, 2, 3, 4, 5]);
  const population = await upload(
    fixturePath('kato/population_by_region_2000_2023.geojson'),
    'vector_with_kato',
  );
  await become(population, 'awaiting_mapping');
  const years = [2021, 2022, 2023].map((year) => ({
    column: String(year),
    start_date: `${year}-01-01`,
    end_date: `${year}-12-31`,
  }));
  await client.map(population, { kato_column: 'kato', year_columns: years });
  await become(population, 'ready');
  const nowhere = await become(await upload(fixturePath('raster/no_georef.tif'), 'raster'), 'ready');
  const dateline = await become(await upload(fixturePath('raster/cog_dateline.tif'), 'raster'), 'ready');
  return { raster, population, nowhere, dateline };
}
