import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import gdal from 'gdal-async';
import { UnprocessableFile } from '../../src/geo/engine.ts';
import { MiB } from '../../src/lib/units.ts';
import { openTestEngine } from '../support/geo/engine.ts';
import { handmadeTiff, imageTags, shorts, tag, withNumber } from '../support/hostile/hostile-tiffs.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const side = 256;
const value = 1;
const codecs = [
  ['NONE', 'PACKBITS', 'LZW', 'DEFLATE', 'LZMA', 'ZSTD', 'JPEG', 'WEBP'],
  ['LERC', 'LERC_DEFLATE', 'LERC_ZSTD', 'CCITTRLE', 'CCITTFAX3', 'CCITTFAX4'],
].flat();
/** TIFF numbers of some compressions. */
const numbers = { deflate: 8, zstd: 50_000 };
const otherNumbers = { lzw: 5, jpeg: 7, packBits: 32_773, lerc: 34_887, lzma: 34_925, webp: 50_001 };

const engine = await closeAfterTests(openTestEngine({ memoryBytes: 256 * MiB }));

describe('A TIFF whose compressed blocks lie', () => {
  /** A TIFF of one tile with one value. */
  async function tileOf(codec: string, ...options: readonly string[]): Promise<Buffer> {
    const path = join(engine.folder, 'tile.tif');
    const bands = codec === 'WEBP' ? 3 : 1;
    const blocks = ['TILED=YES', `BLOCKXSIZE=${side}`, `BLOCKYSIZE=${side}`];
    const creation = [...blocks, `COMPRESS=${codec}`, ...options];
    if (codec.startsWith('CCITT')) creation.push('NBITS=1');
    if (codec === 'WEBP') creation.push('WEBP_LOSSLESS=YES');
    const tile = gdal.open(path, 'w', 'GTiff', side, side, bands, 'Byte', creation);
    tile.bands.forEach((band) => band.fill(value));
    tile.close();
    return await readFile(path);
  }

  /** Values of the converted file; undefined when it was refused. */
  async function valuesOf(bytes: Uint8Array): Promise<ReadonlySet<unknown> | undefined> {
    const path = join(await mkdtemp(join(engine.folder, 'input-')), 'input.tif');
    await writeFile(path, bytes);
    const outcome = await engine
      .run((geo, task) => geo.convertRaster(task), path)
      .catch((error: unknown) => error);
    if (outcome instanceof UnprocessableFile) {
      assert.match(outcome.message, /^[A-Z].*\.$/);
      return undefined;
    }
    if (outcome instanceof Error) throw outcome;
    const cogPath: unknown = Reflect.get(Object(outcome), 'cogPath');
    const cog = gdal.open(String(cogPath));
    const { x, y } = cog.rasterSize;
    return new Set<unknown>(cog.bands.get(1).pixels.read(0, 0, x, y));
  }

  /** The same block in an image of another size. */
  function resized(tile: Buffer, to: number): Buffer {
    const sides = [tag.width, tag.height, tag.tileWidth, tag.tileHeight];
    return sides.reduce((bytes, number) => withNumber(bytes, number, to), tile);
  }

  const available = gdal.drivers.get('GTiff').getMetadata()['DMD_CREATIONOPTIONLIST'] ?? '';
  for (const codec of codecs.filter((name) => available.includes(`<Value>${name}</Value>`))) {
    test(`are refused or read as they are: ${codec}`, async () => {
      const tile = await tileOf(codec);
      assert.deepEqual(await valuesOf(tile), new Set([value]), 'the precondition: the tile itself is sound');
      const larger = await valuesOf(resized(tile, 16));
      if (larger !== undefined) assert.deepEqual(larger, new Set([value]), 'a block of more than its tile');
      assert.equal(await valuesOf(resized(tile, 2048)), undefined, 'a block of less than its tile');
    });
  }

  test('are refused when 256 MiB come out of a tile of 16 by 16', async () => {
    const zeros = Buffer.alloc(256 * MiB);
    for (const [compression, block] of [
      [numbers.deflate, deflateSync(zeros)],
      [numbers.zstd, zstdCompressSync(zeros)],
    ] as const) {
      const sides = [shorts(tag.tileWidth, 16), shorts(tag.tileHeight, 16)];
      const tags = imageTags(16, 16, shorts(tag.compression, compression), ...sides);
      const values = await valuesOf(handmadeTiff([{ tags, blocks: [block] }]));
      if (values !== undefined) assert.deepEqual(values, new Set([0]));
    }
  });

  test('are refused when they are compressed otherwise than the file says', async () => {
    const deflated = await tileOf('DEFLATE');
    for (const [name, compression] of Object.entries({ ...otherNumbers, zstd: numbers.zstd }))
      assert.equal(await valuesOf(withNumber(deflated, tag.compression, compression)), undefined, name);
    const lzw = await tileOf('LZW');
    assert.equal(await valuesOf(withNumber(lzw, tag.compression, numbers.deflate)), undefined);
  });

  test('are refused when their predictor does not fit the type of their values', async () => {
    for (const codec of ['LZW', 'DEFLATE']) {
      const tile = await tileOf(codec, 'PREDICTOR=2');
      assert.deepEqual(await valuesOf(tile), new Set([value]));
      for (const predictor of [3, 99]) {
        const wrong = await valuesOf(withNumber(tile, tag.predictor, predictor));
        assert.equal(wrong, undefined, `${codec} ${predictor}`);
      }
      assert.equal(await valuesOf(withNumber(tile, tag.bits, 5)), undefined, `${codec}: 5 bits`);
    }
  });

  test('are refused when a JPEG says that it is larger than its tile, or has lost its tables', async () => {
    const tile = await tileOf('JPEG');
    const frame = tile.indexOf(Buffer.from([0xff, 0xc0]));
    assert.ok(frame > 0, 'the header of the frame is found');
    const huge = Buffer.from(tile);
    huge.writeUInt16BE(65_500, frame + 5);
    huge.writeUInt16BE(65_500, frame + 7);
    assert.equal(await valuesOf(huge), undefined);
    const tables = tile.indexOf(Buffer.from([0xff, 0xd8, 0xff, 0xdb]));
    assert.ok(tables > 0, 'the tables are found');
    const lost = Buffer.from(tile);
    lost.fill(0x55, tables + 2, tables + 40);
    assert.equal(await valuesOf(lost), undefined);
  });

  test('are refused when a LERC blob lies about its size', async () => {
    const tile = await tileOf('LERC');
    const blob = tile.indexOf('Lerc2 ');
    assert.ok(blob > 0, 'the blob is found');
    // After the name: version, checksum, rows, columns, values per pixel, valid pixels, block size.
    for (const at of [14, 18, 22, 26, 30]) {
      for (const lie of [0, 0x7fffffff]) {
        const lying = Buffer.from(tile);
        lying.writeUInt32LE(lie, blob + at);
        assert.equal(await valuesOf(lying), undefined, `${lie} at ${at}`);
      }
    }
  });
});
