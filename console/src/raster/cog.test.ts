import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import gdal from 'gdal-async';
import { type Cog, openCog } from './cog.ts';
import { temporaryFolder } from '../../../test/support/for-tests.ts';
import { fixture, rangesOf } from './file-ranges.for-tests.ts';

const openFixture = async (path: string) => await openCog('x', (await rangesOf(fixture(path))).fetch);

async function pixelsOf({ levels, bands }: Cog, band: number): Promise<number[]> {
  const [level] = levels;
  assert.ok(level);
  const { width, height, tileWidth, tileHeight, isPlanar } = level;
  const values: number[] = Array.from({ length: width * height });
  for (let y = 0; y < height; y += tileHeight) {
    for (let x = 0; x < width; x += tileWidth) {
      const samples = await level.read(x / tileWidth, y / tileHeight, isPlanar ? band : 0);
      for (let row = 0; row < Math.min(tileHeight, height - y); row += 1) {
        for (let column = 0; column < Math.min(tileWidth, width - x); column += 1) {
          const at = row * tileWidth + column;
          const sample = samples[isPlanar ? at : at * bands + band];
          values[(y + row) * width + x + column] = sample ?? Number.NaN;
        }
      }
    }
  }
  return values;
}

for (const path of [
  'raster/big_endian_rgbi16.tif',
  'raster/c_lerc.tif',
  'raster/c_lzw_pred3.tif',
  'raster/c_zstd.tif',
  'raster/float_nan.tif',
  'raster/gdal_float64.tif',
  'raster/gdal_int16.tif',
  'raster/oddsize1bit.tif',
  'raster/rgba_full.tif',
  'raster-codecs/deflate_bigtiff_big_endian.tif',
  'raster-codecs/deflate_old_32946.tif',
  'raster-codecs/deflate_predictor3_overviews.tif',
  'raster-codecs/lerc_zstd_float64.tif',
  'raster-codecs/lzw_predictor2_int16.tif',
  'raster-codecs/none_big_endian_float32.tif',
  'raster-codecs/none_separate_planes.tif',
  'raster-codecs/none_strips_uint16.tif',
  'raster-codecs/packbits_palette.tif',
  'raster-codecs/zstd_predictor2_mask.tif',
]) {
  test(`every sample of ${path} is what GDAL reads`, async () => {
    const cog = await openFixture(path);
    const raster = gdal.open(fixture(path));
    const { x: width, y: height } = raster.rasterSize;
    for (let band = 0; band < raster.bands.count(); band += 1) {
      const expected = raster.bands.get(band + 1).pixels.read(0, 0, width, height);
      assert.deepEqual(await pixelsOf(cog, band), [...expected]);
    }
  });
}

for (const [title, type, options] of [
  ['with sign', 'Int64', {}],
  ['without sign, as differences', 'UInt64', { PREDICTOR: '2' }],
  ['with sign, as differences and in foreign bytes', 'Int64', { PREDICTOR: '2', ENDIANNESS: 'BIG' }],
] as const) {
  test(`whole numbers of 64 bits ${title} are read as numbers`, async () => {
    const path = join(await temporaryFolder(), 'wide.tif');
    const source = gdal.open(fixture('raster-codecs/lzw_predictor2_int16.tif'));
    const creation = { TILED: 'YES', COMPRESS: 'DEFLATE', ...options };
    const written = Object.entries(creation).flatMap(([key, value]) => ['-co', `${key}=${value}`]);
    gdal.translate(path, source, ['-ot', type, ...written]).close();
    const { x: width, y: height } = source.rasterSize;
    const cog = await openCog('x', (await rangesOf(path)).fetch);
    const isUnsigned = type === 'UInt64';
    const expected = [...source.bands.get(1).pixels.read(0, 0, width, height)];
    assert.deepEqual(
      await pixelsOf(cog, 0),
      isUnsigned ? expected.map((value) => Math.max(0, value)) : expected,
    );
  });
}

test('colours of JPEG are told from those that need no conversion', async () => {
  assert.equal((await openFixture('raster/c_jpeg_ycbcr.tif')).meaning, 'ycbcr');
  assert.deepEqual((await openFixture('raster/rgba_full.tif')).colourBands, [1, 2, 3]);
  assert.equal((await openFixture('raster/rgba_full.tif')).alphaBand, 3);
  assert.equal((await openFixture('raster/dsm_2m.tif')).colourBands, undefined);
});

test('overviews are levels, masks are none, and a colour table has its colours', async () => {
  const masked = await openFixture('raster-codecs/jpeg_ycbcr_mask_overviews.tif');
  assert.equal(masked.levels.length, 2);
  assert.ok(masked.levels.every(({ readMask }) => readMask !== undefined));
  const nlcd = await openFixture('raster/nlcd_2011_palette.tif');
  assert.deepEqual(nlcd.palette?.[11], [71, 107, 160, 255], 'open water');
});

test('ground control points alone are no place', async () => {
  assert.equal((await openFixture('raster/gcp.tif')).affine, undefined);
  assert.equal((await openFixture('raster/no_georef.tif')).affine, undefined);
});

for (const path of [
  'raster/south_up.tif',
  'raster/rotated.tif',
  'raster/model_transformation.tif',
  'raster/dsm_2m.tif',
]) {
  test(`${path} lies where GDAL says`, async () => {
    const { affine } = await openFixture(path);
    const { geoTransform } = gdal.open(fixture(path));
    assert.ok(affine);
    const { x0, dxColumn, dxRow, y0, dyColumn, dyRow } = affine;
    const found = [x0, dxColumn, dxRow, y0, dyColumn, dyRow];
    for (const [index, expected] of (geoTransform ?? []).entries()) {
      assert.ok(
        Math.abs((found[index] ?? Number.NaN) - expected) < 1e-6,
        `${found.join()} for ${geoTransform?.join()}`,
      );
    }
  });
}

test('a refusal is an error', async () => {
  await assert.rejects(openCog('x', async () => new Response('{}', { status: 404 })));
});

test('opening reads the head of the file alone', async () => {
  const ranges = await rangesOf(fixture('raster-codecs/deflate_predictor3_overviews.tif'));
  await openCog('x', ranges.fetch);
  assert.equal(ranges.asked(), 1);
});
