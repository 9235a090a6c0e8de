import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal, { type Dataset } from 'gdal-async';
import { compareRasters } from '../../../../tools/compare/compare-rasters.ts';
import { readCogStructure } from '../../formats/tiff/cog-structure.ts';
import { copyWithTags } from '../../formats/tiff/join-tiles.ts';
import { readTags } from '../../formats/tiff/layout.ts';
import { openTiff, readDirectory } from '../../formats/tiff/walk.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';

const folder = await temporaryFolder();
const software = Buffer.from(`${'Дала '.repeat(300)}\0`);
const added = [{ number: 305, type: 2, count: software.length, values: software }];

/**
 * Writes a COG of 1,200 by 900 pixels with overviews.
 * @param args of GDAL's translation
 */
function writeCog(name: string, from: string, ...args: readonly string[]): string {
  gdal.config.set('GDAL_TIFF_INTERNAL_MASK', 'YES');
  const path = join(folder, name);
  const options = ['-of', 'COG', '-outsize', '1200', '900', ...args];
  gdal.translate(path, gdal.open(fixture(`raster/${from}.tif`)), options).close();
  return path;
}

async function structureOf(path: string) {
  await using file = await open(path);
  return await readCogStructure(file);
}

async function firstTagsOf(path: string) {
  await using file = await open(path);
  const tiff = await openTiff(file);
  const tags = await readTags(tiff, await readDirectory(tiff, tiff.firstDirectory));
  return new Map(tags.map(({ number, values }) => [number, Buffer.from(values)]));
}

/** Pixels of all overviews, band by band. */
function overviewsOf(dataset: Dataset) {
  return dataset.bands.map((band) =>
    band.overviews.map((overview) => overview.pixels.read(0, 0, overview.size.x, overview.size.y)),
  );
}

describe('A COG that is given a tag', () => {
  for (const [title, path] of [
    ['of floats', writeCog('floats.tif', 'float_nan')],
    ['with a mask', writeCog('mask.tif', 'rgba_full', '-b', '1', '-b', '2', '-b', '3', '-mask', '4')],
    ['in BigTIFF', writeCog('big.tif', 'gdal_int16', '-co', 'BIGTIFF=YES')],
    [
      'with blocks that hold nothing',
      writeCog(
        'sparse.tif',
        'gdal_int16',
        '-co',
        'SPARSE_OK=YES',
        '-scale',
        '0',
        '1',
        '0',
        '0',
        '-a_nodata',
        '0',
      ),
    ],
    ['without a ghost area', fixture('raster/cog_scale.tif')],
  ] as const) {
    test(`${title} stays one, pixel by pixel, and has the tag`, async () => {
      const grown = join(folder, `${title}.tif`);
      await copyWithTags(path, grown, added);
      const [before, after] = [await structureOf(path), await structureOf(grown)];
      assert.deepEqual(after, before);
      assert.deepEqual(after.problems, []);
      const differences = await compareRasters(path, grown, folder);
      assert.equal(differences.length, 1);
      assert.match(differences[0] ?? '', /^metadata: .*in the COG$/);
      const [source, cog] = [gdal.open(path), gdal.open(grown)];
      assert.equal(cog.getMetadata()['TIFFTAG_SOFTWARE'], 'Дала '.repeat(300));
      assert.deepEqual(overviewsOf(cog), overviewsOf(source));
    });
  }
});

test('the tags of a big-endian file are those of its little-endian copy', async () => {
  const big = fixture('raster/big_endian_rgbi16.tif');
  const little = join(folder, 'little.tif');
  gdal.drivers.get('GTiff').createCopy(little, gdal.open(big), { ENDIANNESS: 'LITTLE' }).close();
  const [fromBig, fromLittle] = [await firstTagsOf(big), await firstTagsOf(little)];
  // Size, bits, place and geo keys; offsets of blocks may differ.
  for (const tag of [256, 257, 258, 33_550, 33_922, 34_735, 34_737]) {
    assert.deepEqual(fromBig.get(tag), fromLittle.get(tag), `tag ${tag}`);
  }
});
