import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import gdal from 'gdal-async';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { deflatedBlocksAreSound, isDeflatedThroughout } from './deflate-check.ts';
import { readTiffLayout } from './layout.ts';

const fixture = (name: string) => new URL(`../../../../test/fixtures/raster/${name}`, import.meta.url);

const folder = await temporaryFolder();

describe('Deflated tiles and strips', () => {
  async function isSound(path: string | URL): Promise<boolean> {
    await using file = await open(path);
    return await deflatedBlocksAreSound(file);
  }

  test('are sound in real files, and whatever is compressed otherwise is not judged', async () => {
    for (const name of ['cog_already', 'dsm_2m', 'au-gcp', 'RGBA.uint16', 'mask_1bit', 'c_jpeg_ycbcr']) {
      assert.equal(await isSound(fixture(`${name}.tif`)), true, name);
    }
  });

  test('are not sound with one wrong byte anywhere', async () => {
    const whole = await readFile(fixture('dsm_2m.tif'));
    await using file = await open(fixture('dsm_2m.tif'));
    const [image] = (await readTiffLayout(file)).directories;
    const [from, to] = [image?.firstDataOffset ?? 0, image?.dataEnd ?? 0];
    assert.ok(to - from > 100_000);
    const path = join(folder, 'damaged.tif');
    for (let step = 0; step < 20; step += 1) {
      const damaged = Buffer.from(whole);
      // A few bytes between the blocks are not pixels; the middle of each twentieth is not among them.
      const at = from + Math.floor(((to - from) * (step + 0.5)) / 20);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      await writeFile(path, damaged);
      assert.equal(await isSound(path), false, `byte ${at}`);
    }
  });

  test('are not sound when they hold more than their pixels', async () => {
    const whole = await readFile(fixture('nlcd_2011_palette.tif'));
    assert.equal(await isSound(fixture('nlcd_2011_palette.tif')), true);
    // The width, 1073, is changed to one pixel less.
    assert.equal(whole.readUInt16LE(18), 1073);
    whole.writeUInt16LE(1072, 18);
    const path = join(folder, 'narrow.tif');
    await writeFile(path, whole);
    assert.equal(await isSound(path), false);
  });

  test('are judged also when one holds the whole image', async () => {
    const path = join(folder, 'one-strip.tif');
    const strips = gdal.open(fileURLToPath(fixture('srtm_zion.tif')));
    gdal.translate(path, strips, ['-co', 'COMPRESS=DEFLATE', '-co', 'BLOCKYSIZE=457']).close();
    assert.equal(await isSound(path), true);
    const damaged = await readFile(path);
    damaged[200_000] = (damaged[200_000] ?? 0) ^ 1;
    await writeFile(path, damaged);
    assert.equal(await isSound(path), false);
  });

  test('are judged also where one is too large to be inflated at once', async () => {
    const path = join(folder, 'large-strip.tif');
    const side = 2100;
    const options = { COMPRESS: 'DEFLATE', BLOCKYSIZE: String(side) };
    const image = gdal.drivers.get('GTiff').create(path, side, side, 1, 'Byte', options);
    image.bands.get(1).pixels.write(0, 0, side, side, randomBytes(side * side));
    image.close();
    assert.equal(await isSound(path), true);
    const damaged = await readFile(path);
    const middle = Math.floor(damaged.length / 2);
    damaged[middle] = (damaged[middle] ?? 0) ^ 1;
    await writeFile(path, damaged);
    assert.equal(await isSound(path), false);
  });
});

describe('A TIFF that is deflated throughout', () => {
  async function isThroughout(path: string | URL): Promise<boolean> {
    await using file = await open(path);
    return await isDeflatedThroughout(file);
  }

  test('has no other image, whole tiles and strips, and overviews that are sound', async () => {
    assert.equal(await isThroughout(fixture('cog_already.tif')), true);
    assert.equal(await isThroughout(fixture('c_jpeg_ycbcr.tif')), false);
    const whole = await readFile(fixture('cog_already.tif'));
    await using file = await open(fixture('cog_already.tif'));
    const { directories } = await readTiffLayout(file);
    assert.ok(directories.length > 1);
    const path = join(folder, 'damaged-overview.tif');
    for (const { firstDataOffset = 0 } of directories) {
      const damaged = Buffer.from(whole);
      const at = firstDataOffset + 40;
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      await writeFile(path, damaged);
      assert.equal(await isThroughout(path), false, `byte ${at}`);
    }
  });

  test('lacks no byte of its pixels, and no tile', async () => {
    const narrow = await readFile(fixture('nlcd_2011_palette.tif'));
    assert.equal(await isThroughout(fixture('nlcd_2011_palette.tif')), true);
    // The width, 1073, is changed to one pixel more.
    narrow.writeUInt16LE(1074, 18);
    const path = join(folder, 'wide.tif');
    await writeFile(path, narrow);
    assert.equal(await isThroughout(path), false);

    const sparse = join(folder, 'sparse.tif');
    const options = { COMPRESS: 'DEFLATE', TILED: 'YES', SPARSE_OK: 'TRUE' };
    const image = gdal.drivers.get('GTiff').create(sparse, 512, 512, 1, 'Byte', options);
    image.bands.get(1).pixels.set(300, 300, 7);
    image.close();
    await using file = await open(sparse);
    assert.equal(await deflatedBlocksAreSound(file), true);
    assert.equal(await isThroughout(sparse), false);
  });
});
