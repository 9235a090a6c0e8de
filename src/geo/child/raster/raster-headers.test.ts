import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import { compareRasters } from '../../../../tools/compare/compare-rasters.ts';
import {
  type HandmadeTag,
  handmadeTiff,
  imageTags,
  longs,
  shorts,
  tag,
} from '../../../../test/support/hostile/hostile-tiffs.ts';
import { createConversion } from '../../../../test/support/geo/raster-conversion.ts';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';

const folder = await temporaryFolder();
const { convert, convertBytes } = createConversion(folder);

const side = 300;
/** Noise, so that no two blocks are equal. */
const noise = Uint8Array.from({ length: side * side }, (_, i) => (Math.imul(i, 2_654_435_761) >>> 24) + 1);

/** Writes a raster of several bands, each with another shift of the noise. */
function writeBands(name: string, bands: number, options: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  const source = gdal.drivers.get('GTiff').create(path, side, side, bands, 'Byte', { ...options });
  source.geoTransform = [500_000, 10, 0, 5_000_000, 0, -10];
  source.srs = gdal.SpatialReference.fromEPSG(32642);
  source.bands.forEach((band, index) => {
    band.pixels.write(
      0,
      0,
      side,
      side,
      noise.map((value) => value + index),
    );
  });
  source.close();
  return path;
}

/** Writes a copy of a TIFF with a changed entry in its first directory. */
async function withEntry(
  source: string,
  number: number,
  change: (tiff: Buffer, at: number) => void,
): Promise<string> {
  const tiff = await readFile(source);
  const directory = tiff.readUInt32LE(4);
  const places = Array.from(
    { length: tiff.readUInt16LE(directory) },
    (_, entry) => directory + 2 + entry * 12,
  );
  const at = places.find((place) => tiff.readUInt16LE(place) === number);
  assert.ok(at !== undefined, `there is a tag ${number}`);
  change(tiff, at);
  const path = join(folder, 'changed.tif');
  await writeFile(path, tiff);
  return path;
}

/** Sets the number of values of a tag, all 0: at most two fit into its entry. */
const zeros = (count: 1 | 2) => (tiff: Buffer, at: number) => {
  tiff.writeUInt32LE(count, at + 4);
  tiff.writeUInt32LE(0, at + 8);
};

const apart = { INTERLEAVE: 'BAND', TILED: 'YES' };

describe('A raster whose header has oddities', () => {
  for (const [title, bands, options] of [
    ['three bands apart, in tiles', 3, { ...apart, PHOTOMETRIC: 'MINISBLACK' }],
    ['four bands apart, in strips', 4, { INTERLEAVE: 'BAND', BLOCKYSIZE: '7', PHOTOMETRIC: 'MINISBLACK' }],
    ['twelve bands apart, in tiles', 12, { ...apart, PHOTOMETRIC: 'MINISBLACK' }],
    ['six bands apart, three of them colours', 6, { ...apart, PHOTOMETRIC: 'RGB' }],
  ] as const) {
    test(`keeps its pixels: ${title}`, async () => {
      for (const COMPRESS of ['DEFLATE', 'LZW', 'ZSTD']) {
        const path = writeBands('apart.tif', bands, { ...options, COMPRESS });
        const { cogPath, findings } = await convert(path);
        assert.deepEqual(await compareRasters(path, cogPath, folder), [], COMPRESS);
        assert.equal(findings.raster?.bands, bands);
      }
    });
  }

  test('is refused when bands apart are damaged all the same', async () => {
    const path = writeBands('apart.tif', 4, { ...apart, PHOTOMETRIC: 'MINISBLACK', COMPRESS: 'LZW' });
    const tiff = await readFile(path);
    tiff.fill(0xff, tiff.length - 40_000, tiff.length - 20_000);
    await writeFile(path, tiff);
    await assert.rejects(convert(path), /Some pixels of the raster cannot be read/);
  });

  for (const [title, options, count] of [
    ['tells of one extra band of three', { PHOTOMETRIC: 'MINISBLACK' }, 1],
    ['tells of two extra bands of one, bands apart', { ...apart, PHOTOMETRIC: 'RGB' }, 2],
  ] as const) {
    test(`keeps its pixels and its mask: the header ${title}`, async () => {
      gdal.config.set('GDAL_TIFF_INTERNAL_MASK', 'YES');
      const plain = writeBands('plain.tif', 4, { ...options, COMPRESS: 'DEFLATE' });
      const masked = gdal.open(plain, 'r+');
      masked.bands.get(1).createMaskBand(2);
      const open = noise.map((value) => (value > 40 ? 255 : 0));
      masked.bands.get(1).getMaskBand()?.pixels.write(0, 0, side, side, open);
      masked.close();
      const path = await withEntry(plain, tag.extraSamples, zeros(count));
      const { cogPath } = await convert(path);
      assert.deepEqual(await compareRasters(path, cogPath, folder), []);
    });
  }

  test('is refused by the name of a tag that cannot be read', async () => {
    const plain = writeBands('plain.tif', 4, { PHOTOMETRIC: 'RGB' });
    const path = await withEntry(plain, tag.extraSamples, (tiff, at) => tiff.writeUInt16LE(3, at + 8));
    await assert.rejects(convert(path), /its ExtraSamples tag has a value that is not allowed/);
  });

  /** An uncompressed picture of one strip, whose length the file does not state and whose last bytes are missing. */
  function withoutLengths(missingBytes: number): Buffer {
    const headOf = (at: number) =>
      handmadeTiff([{ tags: imageTags(side, side, longs(tag.stripOffsets, at)) }]);
    return Buffer.concat([headOf(headOf(0).length), noise.subarray(0, noise.length - missingBytes)]);
  }

  test('is read without the length of its only strip, which is as long as its pixels', async () => {
    const { cogPath } = await convertBytes(withoutLengths(0));
    const pixels = gdal.open(cogPath).bands.get(1).pixels.read(0, 0, side, side);
    assert.deepEqual(new Uint8Array(pixels), noise);
  });

  test('is refused without it when the strip would end behind the file', async () => {
    await assert.rejects(convertBytes(withoutLengths(1)), /the file is cut short or damaged/);
  });

  test('is refused with the reason when the position of its only pixel is not known', async () => {
    const least = [longs(tag.width, 1), longs(tag.height, 1), longs(tag.stripOffsets, 0)];
    for (const tags of [least, [...least, longs(tag.stripByteCounts, 1)]]) {
      await assert.rejects(
        convertBytes(handmadeTiff([{ tags }])),
        /The positions of some pixels cannot be read/,
      );
    }
  });

  test('is converted as GDAL shows it where further images do not fit the first', async () => {
    const image = (size: number, value: number, ...more: readonly HandmadeTag[]) => ({
      tags: imageTags(size, size, longs(tag.rowsPerStrip, size), ...more),
      blocks: [Buffer.alloc(size * size, value)],
    });
    const expected = await readFile((await convertBytes(handmadeTiff([image(20, 7)]))).cogPath);
    for (const stranger of [image(40, 3, shorts(tag.kind, 1)), image(10, 3, shorts(tag.kind, 4))]) {
      const { cogPath } = await convertBytes(handmadeTiff([image(20, 7), stranger]));
      assert.deepEqual(await readFile(cogPath), expected);
    }
  });

  test('is refused when a band without a meaning would become transparency', async () => {
    const pairs = imageTags(
      20,
      20,
      longs(tag.rowsPerStrip, 20),
      shorts(tag.bits, 8, 8),
      shorts(tag.photometric, 3),
      shorts(tag.bands, 2),
      shorts(tag.extraSamples, 0),
      shorts(tag.colourMap, ...Array.from({ length: 3 * 256 }, (_, i) => (i % 256) * 257)),
    );
    const bytes = handmadeTiff([{ tags: pairs, blocks: [Buffer.alloc(800, 3)] }]);
    await assert.rejects(convertBytes(bytes), /Band 2 of the raster would be taken for transparency/);
  });
});
