import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import gdal from 'gdal-async';
import { drawBoth } from '../../../../test/support/maps/both-pictures.ts';
import { rasterStyle } from '../../../../test/support/maps/drawn-cogs.ts';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { createConversion } from '../../../../test/support/geo/raster-conversion.ts';
import { projectRoot } from '../../../../test/support/project.ts';

const folder = await temporaryFolder();
const { convert } = createConversion(folder);
const fixtures = join(projectRoot, 'test/fixtures/field-cases');
const sldOf = async (name: string) => await readFile(join(fixtures, `${name}.sld`), 'utf8');

async function drawn(file: string, sld?: string, size = 16) {
  const { cogPath, findings } = await convert(join(fixtures, `${file}.tif`));
  return { ...(await drawBoth(cogPath, sld, size)), findings };
}

const [red, green] = ['#ff0000ff', '#00ff00ff'];

for (const [file, style] of [
  ['scale-offset-style-in-units/ndvi_scaled', 'scale-offset-style-in-units/style_in_units'],
  ['int32-code-raster/kato_int32', 'int32-code-raster/codes'],
  ['int32-code-raster/kato_uint32', 'int32-code-raster/codes'],
  ['int32-code-raster/kato_f64', 'int32-code-raster/codes'],
  ['grid', 'se11-categorize-interpolate/categorize'],
  ['grid', 'unordered-colormap/soilgrids'],
  ['grid', 'opacity-in-ramp/ramp_opacity'],
  ['grid', 'qgis-discrete-inf/qgis_discrete'],
] as const) {
  // test/field-cases checks which colours these are.
  test(`${file} by ${style} has several colours`, async () => {
    const size = file.startsWith('scale') ? 8 : 16;
    const { at, width, height } = await drawn(file, await sldOf(style), size);
    const colours = Array.from({ length: width * height }, (_, pixel) =>
      at(pixel % width, Math.floor(pixel / width)),
    );
    assert.ok(new Set(colours).size > 2);
  });
}

test('int16 with a scale: the ramp and the pointer are in units', async () => {
  const { legend, valueAt, findings } = await drawn('scale-offset-style-in-units/ndvi_scaled', undefined, 8);
  assert.equal((await valueAt(3, 0))?.toFixed(9), '0.300000000');
  assert.ok(Number.isNaN(await valueAt(3, 2)));
  assert.deepEqual([findings.raster?.scale, findings.raster?.offset], [0.0001, 0]);
  assert.ok(legend.kind === 'ramp');
  const ends = [legend.stops[0], legend.stops.at(-1)].map((stop) => stop?.value.toFixed(2));
  assert.deepEqual(ends, ['0.03', '0.97']);
});

test('NaN and no data are transparent, infinity has the last colour', async () => {
  const { at, legend } = await drawn('nan-pixels-and-number-nodata/nan_and_nodata');
  assert.ok(legend.kind === 'ramp');
  assert.deepEqual([at(3, 0), at(3, 1)], ['.', '.']);
  assert.equal(at(0, 2), '#fee838ff');
  assert.equal(at(1, 2), '#00224eff');
});

test('a nodata value hides what it hides from GDAL', async () => {
  const style = rasterStyle(`<ColorMap><ColorMapEntry color="#ff0000" quantity="0"/></ColorMap>`);
  const first = async (file: string) => (await drawn(file, style)).at(0, 0);
  assert.equal(await first('nodata-outside-type/u8_nodata_0.5'), '.');
  assert.equal(await first('nodata-outside-type/i16_nodata_text'), '.');
  for (const file of [
    'nodata-outside-type/u8_nodata_-9999',
    'nodata-outside-type/u16_nodata_-32768',
    'nodata-outside-type/i16_nodata_nan',
    'nodata-outside-type/i16_nodata_comma',
  ])
    assert.equal(await first(file), red, file);
});

test('a raster whose pixels are points and one with a compound CRS are drawn like any other', async () => {
  for (const file of ['pixel-is-point/point', 'pixel-is-point/area'])
    assert.notEqual((await drawn(file, undefined, 8)).at(0, 0), '.');
  const { findings } = await drawn('compound-crs/dem_utm42_egm96', undefined, 40);
  assert.match(findings.raster?.proj ?? '', /\+proj=utm \+zone=42/);
});

/** Three bands of 64 by 64 samples of 16 bits or floats, from 200 to 3200, darker from band to band. */
function writeBands(
  name: string,
  type: string,
  options: Readonly<Record<string, string>>,
  bands = 3,
): string {
  const path = join(folder, `${name}.tif`);
  const words = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  const raster = gdal.drivers.get('GTiff').create(path, 64, 64, bands, type, words);
  raster.srs = gdal.SpatialReference.fromEPSG(4326);
  raster.geoTransform = [70, 0.001, 0, 50, 0, -0.001];
  raster.bands.forEach((band) => {
    const values = Float64Array.from({ length: 4096 }, (_, at) =>
      at === 0 ? 0 : (200 + (3000 * at) / 4095) / (band.id ?? 1),
    );
    band.pixels.write(0, 0, 64, 64, values);
    band.noDataValue = 0;
  });
  raster.close();
  return path;
}

for (const type of ['UInt16', 'Int16', 'Float32']) {
  test(`three bands of ${type} are stretched from their 2nd to 98th percentile, each its own`, async () => {
    const path = writeBands(`rgb-${type}`, type, { PHOTOMETRIC: 'RGB' });
    const { at } = await drawBoth((await convert(path)).cogPath, undefined, 64);
    assert.deepEqual([at(0, 0), at(2, 0), at(60, 63)], ['.', '#000000ff', '#ffffffff']);
    const middle = at(0, 32);
    assert.match(middle, /^#(?:7f|80|81){3}ff$/, middle);
  });
}

test('a style chooses any bands of a raster, with the stretch that QGIS writes', async () => {
  const { cogPath } = await convert(writeBands('s2', 'UInt16', {}, 4));
  assert.equal((await drawBoth(cogPath, undefined, 64)).legend.kind, 'ramp');
  const channel = (name: string, band: number, from: number, to: number) =>
    `<sld:${name}Channel><sld:SourceChannelName>${band}</sld:SourceChannelName><sld:ContrastEnhancement><sld:Normalize>
      <sld:VendorOption name="algorithm">StretchToMinimumMaximum</sld:VendorOption><sld:VendorOption name="minValue">${from}</sld:VendorOption>
      <sld:VendorOption name="maxValue">${to}</sld:VendorOption></sld:Normalize></sld:ContrastEnhancement></sld:${name}Channel>`;
  const three = channel('Red', 3, 0, 1000) + channel('Green', 2, 0, 1000) + channel('Blue', 1, 0, 3200);
  const { at, legend } = await drawBoth(
    cogPath,
    rasterStyle(`<ChannelSelection>${three}</ChannelSelection>`),
    64,
  );
  // 1700.4 / 3, / 2 and undivided.
  assert.equal(
    at(0, 32),
    `#${[567, 850].map((value) => Math.round((value * 255) / 1000).toString(16)).join('')}87ff`,
  );
  assert.equal(legend.kind, 'colours');
  const stops =
    '<sld:ColorMapEntry color="#000000" quantity="0"/><sld:ColorMapEntry color="#ffffff" quantity="255"/>';
  const grey = `<ChannelSelection>${channel('Gray', 1, 200, 3200)}</ChannelSelection><sld:ColorMap>${stops}</sld:ColorMap>`;
  const qgisGrey = await drawBoth(cogPath, rasterStyle(grey), 64);
  assert.match(qgisGrey.at(0, 32), /^#(?:7f|80){3}ff$/);
  assert.deepEqual(
    qgisGrey.legend.kind === 'ramp' && qgisGrey.legend.stops.map(({ value }) => value),
    [200, 3200],
  );
  const missing = rasterStyle(`<ChannelSelection>${channel('Gray', 7, 0, 1)}</ChannelSelection>`);
  await assert.rejects(drawBoth(cogPath, missing, 64), /the style draws band 7, and the raster has 4/);
});

test('floats are compared as floats', async () => {
  const path = writeBands('tenths', 'Float32', {}, 1);
  const raster = gdal.open(path, 'r+');
  raster.bands.get(1).pixels.write(0, 0, 4, 1, Float32Array.of(0.1, 0.2, 0.7, 0.3));
  raster.close();
  const entry = (quantity: number, color: string) =>
    `<ColorMapEntry color="${color}" quantity="${quantity}"/>`;
  const values = entry(0.1, '#ff0000') + entry(0.7, '#00ff00');
  const { cogPath } = await convert(path);
  const { at } = await drawBoth(cogPath, rasterStyle(`<ColorMap type="values">${values}</ColorMap>`), 64);
  assert.deepEqual([at(0, 0), at(1, 0), at(2, 0), at(3, 0)], [red, '.', green, '.']);
});
