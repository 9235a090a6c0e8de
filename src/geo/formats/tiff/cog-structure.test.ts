import assert from 'node:assert/strict';
import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import gdal from 'gdal-async';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { readCogStructure, type CogStructure } from './cog-structure.ts';
import { BrokenTiff } from './walk.ts';
import { readTiffLayout } from './layout.ts';

const fixture = (name: string) => new URL(`../../../../test/fixtures/raster/${name}`, import.meta.url);

async function readFrom<T>(path: string | URL, read: (file: FileHandle) => Promise<T>): Promise<T> {
  await using file = await open(path);
  return await read(file);
}
const structureOf = async (path: string | URL) => await readFrom(path, readCogStructure);

interface Image {
  readonly side: number;
  readonly kind?: number;
  readonly tileSide?: number;
  readonly dataAt: number;
  readonly dataBytes?: number;
}

/** A TIFF of headers only, directory after directory; the caller chooses false data offsets. */
function headers(
  images: readonly Image[],
  options: { firstAt?: number; nextOfLast?: number; fileBytes?: number } = {},
): Buffer {
  const tagsPerImage = 7;
  const directoryBytes = 2 + tagsPerImage * 12 + 4;
  const firstAt = options.firstAt ?? 8;
  const bytes = Buffer.alloc(options.fileBytes ?? 4096);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(firstAt, 4);
  images.forEach(({ side, kind = 0, tileSide = 1024, dataAt, dataBytes = 10 }, index) => {
    let at = bytes.writeUInt16LE(tagsPerImage, firstAt + index * directoryBytes);
    for (const [tag, value] of [
      [254, kind],
      [256, side],
      [257, side],
      [322, tileSide],
      [323, tileSide],
      [324, dataAt],
      [325, dataBytes],
    ] as const) {
      at = bytes.writeUInt16LE(tag, at);
      at = bytes.writeUInt16LE(4, at);
      at = bytes.writeUInt32LE(1, at);
      at = bytes.writeUInt32LE(value, at);
    }
    const last = index === images.length - 1;
    bytes.writeUInt32LE(last ? (options.nextOfLast ?? 0) : firstAt + (index + 1) * directoryBytes, at);
  });
  return bytes;
}

const folder = await temporaryFolder();

describe('The structure of a TIFF', () => {
  async function structureOfBytes(bytes: Uint8Array): Promise<CogStructure> {
    const path = join(folder, 'x.tif');
    await writeFile(path, bytes);
    return await structureOf(path);
  }

  test('is that of a COG for real ones', async () => {
    const { isCog, overviews, tileWidth, width, height } = await structureOf(fixture('cog_already.tif'));
    assert.deepEqual([isCog, tileWidth, width, height], [true, 256, 2658, 2667]);
    assert.deepEqual(overviews.at(-1), { width: 167, height: 167 });
    assert.equal((await structureOf(fixture('cog_dateline.tif'))).isCog, true);
  });

  test('is read in both byte orders and sizes', async () => {
    assert.deepEqual((await structureOf(fixture('big_endian_rgbi16.tif'))).width, 64);
    const bigTiff = await structureOf(fixture('bigtiff_motorola.tif'));
    assert.equal(bigTiff.bigTiff, true);
    assert.equal(bigTiff.isCog, false);
  });

  test('is none without tiles or, over 512 pixels, without overviews', async () => {
    assert.deepEqual((await structureOf(fixture('RGBA.uint16.tif'))).problems, [
      'image 0 is not tiled',
      'there is no overview for 634 pixels',
    ]);
    const isCog = async (image: Image) => (await structureOfBytes(headers([image]))).isCog;
    assert.equal(await isCog({ side: 512, dataAt: 2000 }), true);
    assert.equal(await isCog({ side: 513, dataAt: 2000 }), false);
    assert.equal(await isCog({ side: 512, tileSide: 4096, dataAt: 2000 }), false);
  });

  test('is none when it does not keep what it promises about its blocks', async () => {
    const path = join(folder, 'promises.tif');
    const masked = gdal.open(fileURLToPath(fixture('mask_1bit.tif')));
    const options = '-of COG -outsize 1100 1100 -co COMPRESS=DEFLATE';
    gdal.translate(path, masked, options.split(' ')).close();
    const sound = await readFile(path);
    const { directories } = await readFrom(path, readTiffLayout);
    const data = directories[0]?.firstDataOffset ?? 0;
    assert.deepEqual((await structureOfBytes(sound)).problems, []);
    const changed = async (change: (bytes: Buffer) => unknown) => {
      const bytes = Buffer.from(sound);
      change(bytes);
      return (await structureOfBytes(bytes)).problems;
    };
    const edited = 'KNOWN_INCOMPATIBLE_EDITION=';
    assert.deepEqual(await changed((bytes) => bytes.write(`${edited}YES`, bytes.indexOf(edited))), [
      'it was edited after it had become a COG',
    ]);
    assert.deepEqual(await changed((bytes) => bytes.writeUInt32LE(1, data - 4)), [
      'image 0 has blocks of another size than stands before them',
    ]);
    const end = data + sound.readUInt32LE(data - 4);
    assert.deepEqual(await changed((bytes) => bytes.writeInt8(~bytes.readInt8(end), end)), [
      'image 0 has blocks of another end than stands behind them',
    ]);
    const offsets = directories[0]?.tables?.offsets.at ?? 0;
    const swap = (bytes: Buffer) =>
      bytes
        .subarray(offsets, offsets + 8)
        .swap64()
        .swap32();
    assert.deepEqual(await changed(swap), ['image 0 has blocks in another order than the file says']);
  });

  test('lacks pixels where the tables are too short or tell half of a tile', async () => {
    const hasPixels = async (image: Image) => (await structureOfBytes(headers([image]))).hasPixels;
    const image = { side: 512, dataAt: 2000 };
    assert.equal(await hasPixels(image), true);
    assert.equal(await hasPixels({ ...image, dataAt: 0, dataBytes: 0 }), true);
    assert.equal(await hasPixels({ ...image, tileSide: 256 }), false);
    assert.equal(await hasPixels({ ...image, dataAt: 0 }), false);
    assert.deepEqual((await structureOfBytes(headers([{ ...image, tileSide: 256 }]))).problems, [
      'image 0 lacks 3 tiles',
    ]);
  });

  test('counts masks apart from overviews', async () => {
    const masked = await structureOf(fixture('mask_1bit.tif'));
    assert.deepEqual([masked.masks, masked.overviews], [1, []]);
    const odd = headers([
      { side: 100, dataAt: 2000 },
      { side: 50, kind: 4, dataAt: 2010 },
    ]);
    assert.deepEqual((await structureOfBytes(odd)).problems, ['mask 0 has the size of no image']);
  });

  const image = { side: 1000, dataAt: 3000 };
  const overview = { side: 500, kind: 1, dataAt: 2000 };
  const cases: readonly (readonly [string, Buffer, readonly string[]])[] = [
    ['nothing wrong', headers([image, overview]), []],
    [
      'sparse tiles',
      headers([
        { ...image, dataAt: 0, dataBytes: 0 },
        { ...overview, dataAt: 0, dataBytes: 0 },
      ]),
      [],
    ],
    [
      'the head too late',
      headers([image, overview], { firstAt: 100 }),
      ['the first directory is at byte 100, not behind the header'],
    ],
    [
      'the overview behind the image',
      headers([image, { ...overview, dataAt: 3500 }]),
      ['the pixels of overview 0 lie behind those of the next larger image'],
    ],
    [
      'a growing overview',
      headers([image, { ...overview, side: 1001 }]),
      ['overview 0 is larger than what it gives an overview of'],
    ],
    [
      'pixels before directories',
      headers([
        { ...image, dataAt: 20 },
        { ...overview, dataAt: 10 },
      ]),
      ['pixel data lies before the directories'],
    ],
    [
      'a second page',
      headers([
        { ...image, side: 100 },
        { side: 100, dataAt: 2000 },
      ]),
      ['there is more than one image'],
    ],
  ];
  for (const [name, bytes, problems] of cases) {
    test(`is judged with ${name}`, async () => {
      assert.deepEqual((await structureOfBytes(bytes)).problems, problems);
    });
  }

  const broken: readonly (readonly [string, Buffer, RegExp])[] = [
    ['runs in a loop', headers([image, overview], { nextOfLast: 8 }), /loop/],
    [
      'points behind the end of the file',
      headers([{ ...image, dataAt: 4090, dataBytes: 7 }, overview]),
      /outside the file/,
    ],
    [
      'has a directory behind the end of the file',
      headers([image], { nextOfLast: 4095 }),
      /the file ends before/,
    ],
    ['is not a TIFF', Buffer.from('{"type":"FeatureCollection"}'), /no TIFF/],
    ['has no image', headers([], { firstAt: 0 }), /no image/],
  ];
  for (const [name, bytes, sentence] of broken) {
    test(`is refused when it ${name}`, async () => {
      await assert.rejects(
        structureOfBytes(bytes),
        (error) => error instanceof BrokenTiff && sentence.test(error.message),
      );
    });
  }

  test('is known to be cut where a directory is lost, and only there', async () => {
    const isCut = (bytes: Uint8Array) =>
      structureOfBytes(bytes).then(
        () => assert.fail('a broken file was taken'),
        (error: unknown) => error instanceof BrokenTiff && error.fault === 'cut',
      );
    assert.equal(await isCut(headers([image], { nextOfLast: 4095 })), true);
    assert.equal(await isCut(headers([image, overview], { nextOfLast: 8 })), false);
  });

  test('of any cut or scrambled file ends in an answer or a refusal', async () => {
    const whole = await readFile(fixture('au-gcp.tif'));
    for (let length = 0; length < 1200; length += 13) {
      await structureOfBytes(whole.subarray(0, length)).then(
        () => assert.fail('a cut file was taken'),
        (error: unknown) => assert.ok(error instanceof BrokenTiff, String(error)),
      );
    }
    for (let at = 0; at < 600; at += 1) {
      const scrambled = Buffer.from(whole);
      scrambled[at] = (scrambled[at] ?? 0) ^ 0xff;
      await structureOfBytes(scrambled).catch((error: unknown) =>
        assert.ok(error instanceof BrokenTiff, String(error)),
      );
    }
  });
});
