import assert from 'node:assert/strict';
import { open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import {
  ascii,
  doubles,
  handmadeTiff,
  imageTags,
  longs,
  shorts,
  tag,
  type HandmadeTag,
} from '../../../../test/support/hostile/hostile-tiffs.ts';
import { Problem } from '../../../lib/errors.ts';
import { MiB } from '../../../lib/units.ts';
import { refuseUnreasonableTiff } from './limits.ts';

const fixtures = (folder: string) => new URL(`../../../../test/fixtures/${folder}/`, import.meta.url);
const image = (side: number, ...more: readonly HandmadeTag[]) => ({
  tags: imageTags(side, side, longs(tag.rowsPerStrip, side), ...more),
  blocks: [Buffer.alloc(16)],
});

const huge = 2 ** 31 - 1;
const tiles = (count: number) => Array.from({ length: count }, () => Buffer.alloc(2));
const claims = (one: HandmadeTag, count: number) => handmadeTiff([image(20, { ...one, count })]);

/** Files that require more than any machine has, or endless time, with the sentences about them. */
const bombs: Readonly<Record<string, readonly [bytes: () => Buffer, sentence: RegExp]>> = {
  '2^31 by 2^31 pixels in 122 bytes': [
    () =>
      handmadeTiff([
        { tags: imageTags(huge, huge, longs(tag.stripOffsets, 8), longs(tag.stripByteCounts, 8)) },
      ]),
    /2147483647 by 2147483647 pixels/,
  ],
  '400,000 by 400,000 pixels in a few kilobytes': [
    () => {
      const sides = [shorts(tag.tileWidth, 16_384), shorts(tag.tileHeight, 16_384)];
      return handmadeTiff([{ tags: imageTags(400_000, 400_000, ...sides), blocks: tiles(625) }]);
    },
    /160,000,000,000 values/,
  ],
  '65,529 bands': [() => handmadeTiff([image(1, shorts(tag.bands, 65_529))]), /65529 bands; at most 4096/],
  'a tile of 2^30 pixels': [
    () => {
      const sides = [longs(tag.tileWidth, 2 ** 30), longs(tag.tileHeight, 16)];
      return handmadeTiff([{ tags: imageTags(16, 16, ...sides), blocks: tiles(1) }]);
    },
    /blocks of 1073741824 by 16 pixels/,
  ],
  'images in a loop': [
    () => handmadeTiff([image(20), image(20)], { nextOfLast: { image: 0 } }),
    /follow each other in a loop/,
  ],
  'a table of strips larger than the file': [
    () => {
      const strips = { ...longs(tag.stripOffsets, 8, 8), count: 2 ** 30 };
      return handmadeTiff([{ tags: imageTags(2 ** 20, 2 ** 14, longs(tag.rowsPerStrip, 1), strips) }]);
    },
    /tag 273 of the file takes 4294967296 bytes/,
  ],
  'metadata of 2 GiB': [
    () => claims(ascii(tag.gdalMetadata, '<GDALMetadata/>'), 2 ** 31),
    /tag 42112 of the file takes/,
  ],
  'an XMP packet of 4 GiB': [() => claims(ascii(tag.xmp, '<x/>'), 2 ** 32 - 1), /tag 700 of the file takes/],
  'a colour map of 8 GiB': [
    () => claims(shorts(tag.colourMap, 0, 1, 2), 2 ** 32 - 1),
    /tag 320 of the file takes/,
  ],
  'extra samples of 8 GiB': [
    () => claims(shorts(tag.extraSamples, 0), 2 ** 32 - 1),
    /tag 338 of the file takes/,
  ],
  'JPEG tables of 4 GiB': [
    () => claims(ascii(tag.jpegTables, 'tables'), 2 ** 32 - 1),
    /tag 347 of the file takes/,
  ],
  'geo keys of 8 GiB': [
    () => claims(shorts(tag.geoKeys, 1, 1, 0, 0), 2 ** 32 - 1),
    /tag 34735 of the file takes/,
  ],
  'control points of 32 GiB': [
    () => claims(doubles(tag.tiepoint, 0), 2 ** 32 - 1),
    /tag 33922 of the file takes/,
  ],
};

const folder = await temporaryFolder();

describe('The headers of a TIFF', () => {
  async function isTaken(bytes: Uint8Array, fileBytes = bytes.length): Promise<true | string> {
    const path = join(folder, 'x.tif');
    await writeFile(path, bytes);
    await using file = await open(path, 'r+');
    // The bytes after the headers are a hole.
    await file.truncate(fileBytes);
    try {
      await refuseUnreasonableTiff(path);
      return true;
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
      return error.message;
    }
  }

  const refuses = async (bytes: Uint8Array, sentence: RegExp, fileBytes?: number): Promise<void> =>
    assert.match(String(await isTaken(bytes, fileBytes)), sentence);

  test('are fine in every real file', async () => {
    let files = 0;
    for (const from of ['raster', 'raster-codecs', 'landscape/golden']) {
      for (const name of await readdir(fixtures(from))) {
        if (!name.endsWith('.tif')) continue;
        await refuseUnreasonableTiff(fileURLToPath(new URL(name, fixtures(from))));
        files += 1;
      }
    }
    assert.ok(files > 60, String(files));
  });

  for (const [name, [bytes, sentence]] of Object.entries(bombs))
    test(`are refused with a true sentence: ${name}`, async () => await refuses(bytes(), sentence));

  test('send GDAL to no other file for overviews, however that is written', async () => {
    for (const name of ['OVERVIEW_FILE', 'overview_file', 'OVERVIEW_FIL&#69;', 'OVERVIEW&#x5f;FILE']) {
      const item = `<Item name="${name}" domain="OVERVIEWS">/etc/hostname</Item>`;
      const metadata = ascii(tag.gdalMetadata, `<GDALMetadata>${item}</GDALMetadata>`);
      await refuses(handmadeTiff([image(20, metadata)]), /OVERVIEW_FILE/);
    }
  });

  test('may tell of one uncompressed strip of any size, which libtiff cuts up', async () => {
    const strip = (compression: number) => {
      const tags = imageTags(20_000, 20_000, longs(tag.rowsPerStrip, 20_000), shorts(tag.bits, 32));
      const rest = [shorts(tag.compression, compression), longs(tag.stripOffsets, 4096)];
      const plain = tags.filter((one) => one.tag !== tag.compression);
      return handmadeTiff([{ tags: [...plain, ...rest, longs(tag.stripByteCounts, 1.6e9)] }]);
    };
    assert.equal(await isTaken(strip(1), 4096 + 1.6e9), true);
    await refuses(strip(8), /20000 by 20000 pixels, 1,526 MiB each/, 4096 + 1.6e9);
  });

  test('may tell of hundreds of images and thousands of bands', async () => {
    assert.equal(await isTaken(handmadeTiff(Array.from({ length: 700 }, () => image(20)))), true);
    assert.equal(await isTaken(handmadeTiff([image(20, shorts(tag.bands, 4096))])), true);
    await refuses(handmadeTiff([image(20, shorts(tag.bands, 4097))]), /4097 bands/);
  });

  test('are bounded at 64,000,000,000 values', async () => {
    const tiled = (width: number, height: number) => {
      const tiles = Math.ceil(width / 16_384) * Math.ceil(height / 16_384);
      const sides = [shorts(tag.tileWidth, 16_384), shorts(tag.tileHeight, 16_384)];
      return handmadeTiff([
        {
          tags: imageTags(width, height, ...sides),
          blocks: Array.from({ length: tiles }, () => Buffer.alloc(2)),
        },
      ]);
    };
    assert.equal(await isTaken(tiled(320_000, 200_000)), true);
    await refuses(
      tiled(320_001, 200_000),
      /320001 by 200000 pixels.*64,000,200,000 values in all; at most 64,000,000,000/,
    );
  });

  test('count for what GDAL reads of them: the first of two equal tags', async () => {
    const twice = (first: number, second: number) => {
      const tags = [longs(tag.width, first), longs(tag.width, second), longs(tag.height, 20)];
      return handmadeTiff([{ tags: [...tags, longs(tag.rowsPerStrip, 20)], blocks: [Buffer.alloc(400)] }]);
    };
    assert.equal(await isTaken(twice(20, 2 ** 32 - 1)), true);
    await refuses(twice(2 ** 32 - 1, 20), /values in all|MiB each/);
    const signed: HandmadeTag = { tag: tag.width, type: 'slong', values: [-1] };
    await refuses(handmadeTiff([image(20, signed)]), /4294967295 by 20/);
  });

  test('are those of the images beside the chain, too', async () => {
    const overview = image(20, shorts(tag.kind, 1), shorts(tag.bands, 65_529));
    // The chain ends after the first image; only its tag refers to the second.
    const withSub = (at: number) => {
      const bytes = handmadeTiff([image(20, longs(tag.subIfds, at)), overview]);
      const second = bytes.readUInt32LE(8 + 16 + 16 + 2 + bytes.readUInt16LE(bytes.readUInt32LE(4)) * 12);
      return { bytes, second };
    };
    const { bytes, second } = withSub(0);
    assert.equal(second > 0 && second < bytes.length, true);
    await refuses(withSub(second).bytes, /65529 bands/);
  });

  test('are bounded together: images that share one table, overviews as large as their image', async () => {
    const tiles = 2 * MiB;
    const table = Buffer.alloc(tiles * 4);
    const shared = { tag: tag.tileOffsets, type: 'long' as const, values: [0, 0], count: tiles, at: 8 };
    const lengths = { ...shared, tag: tag.tileByteCounts };
    const sides = [shorts(tag.tileWidth, 16), shorts(tag.tileHeight, 16)];
    const one = { tags: imageTags(16 * 2048, 16 * 1024, ...sides, shared, lengths) };
    const first = { ...one, blocks: undefined };
    const bytes = handmadeTiff([first, ...Array.from({ length: 20 }, () => one)]);
    await refuses(bytes, /tags of the images take \d+ bytes/, table.length + bytes.length);

    const large = imageTags(1e5, 1e5, shorts(tag.tileWidth, 16_384), shorts(tag.tileHeight, 16_384));
    const blocks = Array.from({ length: 49 }, () => Buffer.alloc(2));
    const overviews = Array.from({ length: 12 }, () => ({ tags: [...large, shorts(tag.kind, 1)], blocks }));
    await refuses(
      handmadeTiff([{ tags: large, blocks }, ...overviews]),
      /its overviews and its masks have 130,000,000,000 pixel values together/,
    );
  });

  test('are bounded in what they hold beside pixels', async () => {
    const metadata = (bytes: number) => handmadeTiff([image(20, ascii(tag.gdalMetadata, ' '.repeat(bytes)))]);
    assert.equal(await isTaken(metadata(MiB)), true);
    await refuses(metadata(16 * MiB), /tag 42112 of the file takes 16777217 bytes/);
    const photoshop = { tag: 37_724, type: 'byte' as const, values: Buffer.alloc(16 * MiB + 1) };
    assert.equal(await isTaken(handmadeTiff([image(20, photoshop)])), true);
    const kinds = Array.from({ length: 1000 }, (_, index) => longs(40_000 + index, 0));
    await refuses(handmadeTiff([image(20, ...kinds)]), /1000 kinds of tags/);
  });

  test('may end in a chain that leads to no directory, as GDAL has it', async () => {
    // Two bytes of 0xff are not a valid number of tags.
    const bytes = Buffer.concat([
      handmadeTiff([image(20)], { nextOfLast: { at: 4096 } }),
      Buffer.alloc(8192, 0xff),
    ]);
    assert.equal(await isTaken(bytes), true);
  });
});
