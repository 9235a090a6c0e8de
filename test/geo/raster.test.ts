import assert from 'node:assert/strict';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import gdal, { type Dataset, type RasterBand } from 'gdal-async';
import { Problem } from '../../src/common/errors.ts';
import { readCogStructure, type CogStructure } from '../../src/geo/formats/tiff/cog-structure.ts';
import { readTiffLayout } from '../../src/geo/formats/tiff/layout.ts';
import { fixture, openTestEngine, type TestEngine } from '../support/geo.ts';

async function structureOf(path: string): Promise<CogStructure> {
  await using file = await open(path);
  return await readCogStructure(file);
}

/** All pixels of a band; an array of bytes, so that NaN equals NaN and only the same NaN. */
function pixelsOf(dataset: Dataset, band: number): Buffer {
  const { x, y } = dataset.rasterSize;
  const { buffer, byteOffset, byteLength } = dataset.bands.get(band).pixels.read(0, 0, x, y);
  return Buffer.from(new Uint8Array(buffer, byteOffset, byteLength));
}

/** Everything about a raster but its pixels and how it is stored. */
function factsOf(dataset: Dataset) {
  return {
    size: dataset.rasterSize,
    geoTransform: dataset.geoTransform,
    gcps: dataset.getGCPs(),
    wkt: dataset.srs?.toWKT(),
    metadata: dataset.getMetadata(),
    bands: dataset.bands.map((band) => ({
      dataType: band.dataType,
      noData: band.noDataValue,
      scale: band.scale,
      offset: band.offset,
      description: band.description,
      colour: band.colorInterpretation,
      palette: band.colorTable?.map((colour) => colour),
      metadata: band.getMetadata(),
      structure: band.getMetadata('IMAGE_STRUCTURE'),
    })),
  };
}

function valuesOf(band: RasterBand): Set<unknown> {
  return new Set<unknown>(band.pixels.read(0, 0, band.size.x, band.size.y));
}

describe('A raster', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await openTestEngine();
  });
  after(() => engine.close());
  const convert = (path: string) => engine.run((geo, task) => geo.convertRaster(task), path);

  /** Writes a stripped, compressed copy of a fixture, enlarged where a test needs overviews. */
  function makeSource(name: string, from: string, args: readonly string[]): string {
    const path = join(engine.folder, name);
    gdal.translate(path, gdal.open(from), ['-of', 'GTiff', '-co', 'COMPRESS=LZW', ...args]).close();
    return path;
  }

  async function assertLossless(sourcePath: string): Promise<{ cog: Dataset; cogPath: string }> {
    const { cogPath } = await convert(sourcePath);
    assert.equal((await structureOf(sourcePath)).isCog, false, 'the source is to be converted');
    const [source, cog] = [gdal.open(sourcePath), gdal.open(cogPath)];
    assert.deepEqual(factsOf(cog), factsOf(source));
    for (let band = 1; band <= source.bands.count(); band += 1) {
      assert.ok(pixelsOf(cog, band).equals(pixelsOf(source, band)), `band ${band}`);
    }
    return { cog, cogPath };
  }

  /** Two witnesses: our own walk of the file, and GDAL, from a copy that ends where the smallest overview does. */
  async function assertCogStructure(cogPath: string): Promise<CogStructure> {
    const structure = await structureOf(cogPath);
    assert.deepEqual(structure.problems, []);
    assert.deepEqual([structure.tileWidth, structure.tileHeight], [512, 512]);
    assert.equal(gdal.open(cogPath).getMetadata('IMAGE_STRUCTURE')['LAYOUT'], 'COG');
    await using file = await open(cogPath);
    const smallest = (await readTiffLayout(file)).directories.filter((image) => !image.mask).at(-1);
    if (structure.overviews.length > 0 && smallest !== undefined) {
      const cut = join(engine.folder, 'cut.tif');
      await writeFile(cut, (await readFile(cogPath)).subarray(0, smallest.dataEnd));
      const whole = gdal
        .open(cogPath)
        .bands.get(1)
        .overviews.get(structure.overviews.length - 1);
      const head = gdal
        .open(cut)
        .bands.get(1)
        .overviews.get(structure.overviews.length - 1);
      const { x, y } = whole.size;
      assert.deepEqual(head.pixels.read(0, 0, x, y), whole.pixels.read(0, 0, x, y));
      assert.throws(() => gdal.open(cut).bands.get(1).pixels.read(0, 0, structure.width, structure.height));
    }
    return structure;
  }

  test('of floats equals its COG pixel for pixel and gets averaged overviews', async () => {
    const source = makeSource('dem.tif', fixture('raster/dsm_2m.tif'), [
      '-outsize',
      '1300',
      '900',
      '-r',
      'cubic',
    ]);
    const { cog, cogPath } = await assertLossless(source);
    const structure = await assertCogStructure(cogPath);
    assert.deepEqual(structure.overviews, [
      { width: 650, height: 450 },
      { width: 325, height: 225 },
    ]);
    const pixels = valuesOf(gdal.open(source).bands.get(1));
    assert.ok([...valuesOf(cog.bands.get(1).overviews.get(0))].some((value) => !pixels.has(value)));
    const { PREDICTOR } = cog.getMetadata('IMAGE_STRUCTURE');
    assert.equal(PREDICTOR, '3');
  });

  test('with a palette equals its COG pixel for pixel and its overviews invent no class', async () => {
    const source = fixture('raster/nlcd_2011_palette.tif');
    const { cog, cogPath } = await assertLossless(source);
    const structure = await assertCogStructure(cogPath);
    assert.equal(structure.overviews.length, 2);
    const classes = valuesOf(gdal.open(source).bands.get(1));
    assert.ok(classes.size > 5);
    for (const overview of [0, 1]) {
      assert.ok(valuesOf(cog.bands.get(1).overviews.get(overview)).isSubsetOf(classes));
    }
  });

  test('of 16 bits and several bands equals its COG pixel for pixel', async () => {
    const { cogPath } = await assertLossless(fixture('raster/RGBA.uint16.tif'));
    assert.equal((await assertCogStructure(cogPath)).overviews.length, 1);
  });

  test('of few whole numbers without a palette is taken for classes', async () => {
    const source = join(engine.folder, 'classes.tif');
    const landCover = gdal.open(fixture('raster/nlcd_2011_palette.tif')).bands.get(1);
    const { x, y } = landCover.size;
    const classified = gdal.open(source, 'w', 'GTiff', x, y, 1, 'Int16');
    classified.bands
      .get(1)
      .pixels.write(0, 0, x, y, Int16Array.from(landCover.pixels.read<Uint8Array>(0, 0, x, y)));
    classified.close();
    const { cog } = await assertLossless(source);
    const classes = valuesOf(gdal.open(source).bands.get(1));
    assert.ok(valuesOf(cog.bands.get(1).overviews.get(0)).isSubsetOf(classes));
  });

  test('keeps CRS, grid, nodata, colours, scale, metadata and odd types', async () => {
    for (const name of [
      'float_nan',
      'gdal_int8',
      'no_georef',
      'oddsize1bit',
      'one_pixel_epsg4326',
      'rotated',
      'south_up',
      'srtm_zion',
      'c_jpeg_ycbcr',
      'bigtiff_motorola',
    ]) {
      const { cogPath } = await assertLossless(fixture(`raster/${name}.tif`));
      await assertCogStructure(cogPath);
    }
    const tagged = makeSource('tagged.tif', fixture('raster/srtm_zion.tif'), [
      '-a_scale',
      '0.1',
      '-a_offset',
      '-3',
      '-a_nodata',
      '7',
      '-mo',
      'SOURCE=survey of 1988',
      '-ot',
      'Int32',
    ]);
    const { cog } = await assertLossless(tagged);
    assert.equal(cog.bands.get(1).scale, 0.1);
    assert.equal(cog.bands.get(1).noDataValue, 7);
    assert.equal(cog.getMetadata()['SOURCE'], 'survey of 1988');
  });

  test('of complex numbers keeps them', async () => {
    const source = fixture('raster/gdal_cfloat32.tif');
    const { cogPath } = await convert(source);
    const checksum = (path: string) => gdal.checksumImage(gdal.open(path).bands.get(1));
    assert.equal(gdal.open(cogPath).bands.get(1).dataType, 'CFloat32');
    assert.equal(checksum(cogPath), checksum(source));
  });

  test('keeps its mask, also one that was stored once per band', async () => {
    const source = fixture('raster/mask_1bit.tif');
    const { cogPath } = await convert(source);
    assert.equal((await structureOf(cogPath)).masks, 1);
    const mask = (path: string) =>
      gdal
        .open(path)
        .bands.get(2)
        .getMaskBand()
        ?.pixels.read(0, 0, 20, 20)
        .map((v) => (v ? 1 : 0));
    assert.deepEqual(mask(cogPath), mask(source));
    assert.equal(new Set(mask(source)).size, 2);
    for (const band of [1, 2, 3])
      assert.ok(pixelsOf(gdal.open(cogPath), band).equals(pixelsOf(gdal.open(source), band)));
  });

  test('that is a COG already is kept byte by byte', async () => {
    for (const name of ['cog_already', 'cog_dateline', 'dsm_2m', 'au-gcp', 'big_endian_rgbi16']) {
      const { cogPath } = await convert(fixture(`raster/${name}.tif`));
      assert.ok((await readFile(cogPath)).equals(await readFile(fixture(`raster/${name}.tif`))), name);
    }
  });

  test('has a box in longitude and latitude, or its own coordinates without a CRS', async () => {
    const boxes: readonly (readonly [name: string, bbox: readonly number[]])[] = [
      ['one_pixel_epsg4326', [-180, -90, 180, 90]],
      ['cog_dateline', [177.99857, 50.58185, -178.51382, 52.77374]],
      ['srtm_zion', [-113.23958, 37.13208, -112.85208, 37.51292]],
      ['RGBA.uint16', [-108.38482, 36.81652, -108.37484, 36.82184]],
      ['au-gcp', [112.37827, -43.50698, 153.76989, -9.83075]],
      ['no_georef', [0, 0, 20, 20]],
      ['float_nan', [0, 0, 300, 200]],
    ];
    for (const [name, expected] of boxes) {
      const { bbox } = await convert(fixture(`raster/${name}.tif`));
      bbox.forEach((value, i) =>
        assert.ok(Math.abs(value - (expected[i] ?? Number.NaN)) < 1e-5, `${name}: ${bbox.join()}`),
      );
    }
  });

  test('with unreadable pixels fails with a sentence and never becomes a COG', async () => {
    const whole = await readFile(fixture('raster/RGBA.uint16.tif'));
    const path = join(engine.folder, 'damaged.tif');
    const refused = async (bytes: Uint8Array, sentence: RegExp) => {
      await writeFile(path, bytes);
      await assert.rejects(
        convert(path),
        (error) => error instanceof Problem && sentence.test(error.message) && !error.message.includes('/'),
      );
    };
    await refused(whole.subarray(0, Math.floor(whole.length / 2)), /pixels of the raster cannot be read/);
    const scrambled = Buffer.from(whole);
    scrambled.fill(0x55, Math.floor(whole.length / 2), Math.floor(whole.length / 2) + 200);
    await refused(scrambled, /pixels of the raster cannot be read/);
    await refused(Buffer.from('II*\0garbage'), /cannot be opened as a GeoTIFF/);
    await refused(Buffer.from('{"type":"FeatureCollection"}'), /cannot be opened as a GeoTIFF/);
    const cog = await readFile(fixture('raster/cog_already.tif'));
    await refused(cog.subarray(0, cog.length - 1000), /pixels of the raster cannot be read/);
  });
});
