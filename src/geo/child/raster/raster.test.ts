import assert from 'node:assert/strict';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal, { type Dataset, type RasterBand } from 'gdal-async';
import { compareRasters } from '../../../../tools/compare/compare-rasters.ts';
import { readCogStructure, type CogStructure } from '../../formats/tiff/cog-structure.ts';
import { readTiffLayout } from '../../formats/tiff/layout.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { openRasterEngineHere } from '../../../../test/support/geo/raster-conversion.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';

async function structureOf(path: string): Promise<CogStructure> {
  await using file = await open(path);
  return await readCogStructure(file);
}

function valuesOf(band: RasterBand): Set<unknown> {
  return new Set<unknown>(band.pixels.read(0, 0, band.size.x, band.size.y));
}

const engine = await closeAfterTests(openRasterEngineHere());

describe('A raster', () => {
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
    assert.deepEqual(await compareRasters(sourcePath, cogPath, engine.folder), []);
    return { cog: gdal.open(cogPath), cogPath };
  }

  /** Checks the structure in two ways: with a TIFF reader of the project, and with GDAL on a copy that ends after the smallest overview. */
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
    const half = cog.bands.get(1).overviews.get(0);
    for (const [column, row] of [
      [0, 0],
      [17, 200],
      [649, 449],
    ] as const) {
      const four = [...cog.bands.get(1).pixels.read<Float32Array>(2 * column, 2 * row, 2, 2)];
      const mean = four.reduce((sum, each) => sum + each, 0) / 4;
      const value = half.pixels.get(column, row);
      assert.ok(Math.abs(value - mean) < 1e-3, `${column}, ${row}: ${value}, not ${mean}`);
    }
    const { PREDICTOR } = cog.getMetadata('IMAGE_STRUCTURE');
    assert.equal(PREDICTOR, '3');
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
});
