import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UnprocessableFile, type ConvertedRaster } from '../../src/geo/engine.ts';
import { MiB } from '../../src/lib/units.ts';
import { openCanary } from '../support/canary.ts';
import { fixture, openTestEngine } from '../support/geo.ts';
import {
  ascii,
  doubles,
  handmadeTiff,
  imageTags,
  longs,
  shorts,
  tag,
  type HandmadeTag,
} from '../support/hostile-tiffs.ts';
import { openEngineWithout } from '../support/layers.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const image = (side: number, ...more: readonly HandmadeTag[]) => ({
  tags: imageTags(side, side, longs(tag.rowsPerStrip, side), ...more),
  blocks: [Buffer.alloc(side * side, 7)],
});
const huge = 2 ** 31 - 1;
const tiles = (count: number) => Array.from({ length: count }, () => Buffer.alloc(2));
const claims = (one: HandmadeTag, count: number) => handmadeTiff([image(20, { ...one, count })]);

/** Files that ask for more than any machine has, or for ever, and the sentences about them. */
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
  'a million images': [
    () =>
      handmadeTiff(
        Array.from({ length: 1e6 }, () => ({ tags: [longs(tag.width, 1), longs(tag.height, 1)] })),
      ),
    /more than 10000 images/,
  ],
  'a table of strips larger than the file': [
    () => {
      const strips = { ...longs(tag.stripOffsets, 8, 8), count: 2 ** 30 };
      return handmadeTiff([{ tags: imageTags(2 ** 20, 2 ** 14, longs(tag.rowsPerStrip, 1), strips) }]);
    },
    /tag 273 takes 4294967296 bytes/,
  ],
  'metadata of 2 GiB': [() => claims(ascii(tag.gdalMetadata, '<GDALMetadata/>'), 2 ** 31), /tag 42112 takes/],
  'an XMP packet of 4 GiB': [() => claims(ascii(tag.xmp, '<x/>'), 2 ** 32 - 1), /tag 700 takes/],
  'a colour map of 8 GiB': [() => claims(shorts(tag.colourMap, 0, 1, 2), 2 ** 32 - 1), /tag 320 takes/],
  'extra samples of 8 GiB': [() => claims(shorts(tag.extraSamples, 0), 2 ** 32 - 1), /tag 338 takes/],
  'JPEG tables of 4 GiB': [() => claims(ascii(tag.jpegTables, 'tables'), 2 ** 32 - 1), /tag 347 takes/],
  'geo keys of 8 GiB': [() => claims(shorts(tag.geoKeys, 1, 1, 0, 0), 2 ** 32 - 1), /tag 34735 takes/],
  'control points of 32 GiB': [() => claims(doubles(tag.tiepoint, 0), 2 ** 32 - 1), /tag 33922 takes/],
};

// What is refused here is refused without the memory that it asks for, and not for want of something to reach.
const engine = await closeAfterTests(openTestEngine({ memoryBytes: 256 * MiB, isolation: 'none' }));

describe('A TIFF whose headers lie', () => {
  const convert = (path: string) => engine.run((geo, task) => geo.convertRaster(task), path);
  async function convertBytes(bytes: Uint8Array): Promise<ConvertedRaster> {
    const path = join(await mkdtemp(join(engine.folder, 'input-')), 'input.tif');
    await writeFile(path, bytes);
    return await convert(path);
  }
  /** A raster, or its refusal. */
  async function endOf(bytes: Uint8Array): Promise<ConvertedRaster | UnprocessableFile> {
    return await convertBytes(bytes).catch((error: unknown) => {
      if (error instanceof UnprocessableFile) return error;
      throw error;
    });
  }
  async function refusalOf(bytes: Uint8Array): Promise<string> {
    const end = await endOf(bytes);
    assert.ok(end instanceof UnprocessableFile);
    return end.message;
  }

  for (const [name, [bytes, sentence]] of Object.entries(bombs)) {
    test(`is refused with a true sentence: ${name}`, async () => {
      assert.match(await refusalOf(bytes()), sentence);
    });
  }

  test('is not met so without the checks before GDAL', async () => {
    const unchecked = await openEngineWithout(['file-checks']);
    const path = join(unchecked.folder, 'loop.tif');
    await writeFile(path, handmadeTiff([image(20), image(20)], { nextOfLast: { image: 0 } }));
    await unchecked.run((geo, task) => geo.convertRaster(task), path);
    await unchecked.close();
  });

  test('is converted as GDAL shows it where further images do not fit the first', async () => {
    const expected = await readFile((await convertBytes(handmadeTiff([image(20)]))).cogPath);
    const strangers: readonly (readonly HandmadeTag[])[] = [
      imageTags(40, 40, longs(tag.rowsPerStrip, 40), shorts(tag.kind, 1)),
      imageTags(10, 10, longs(tag.rowsPerStrip, 10), shorts(tag.kind, 4)),
    ];
    for (const tags of strangers) {
      const bytes = handmadeTiff([image(20), { tags, blocks: [Buffer.alloc(1600, 3)] }]);
      assert.deepEqual(await readFile((await convertBytes(bytes)).cogPath), expected);
    }
  });

  test('is converted as if it stood alone, whatever lies beside it or is named in it', async () => {
    await using canary = await openCanary();
    const [bytes, other] = [handmadeTiff([image(20)]), handmadeTiff([image(10)])];
    const expected = await readFile((await convertBytes(bytes)).cogPath);
    const folder = await mkdtemp(join(engine.folder, 'beside-'));
    const path = join(folder, 'input.tif');
    await writeFile(path, bytes);
    const auxiliary = `<PAMDataset><SRS>EPSG:32642</SRS><GeoTransform>1,2,0,3,0,-2</GeoTransform><Metadata domain="OVERVIEWS"><MDI key="OVERVIEW_FILE">/vsicurl/${canary.url}/x.tif</MDI></Metadata></PAMDataset>`;
    const sidecars: Readonly<Record<string, string | Buffer>> = {
      ...Object.fromEntries(['tif.aux.xml', 'aux.xml'].map((name) => [`input.${name}`, auxiliary])),
      ...Object.fromEntries(['tif.ovr', 'ovr', 'tif.msk'].map((name) => [`input.${name}`, other])),
      ...Object.fromEntries(['tfw', 'tifw', 'wld'].map((name) => [`input.${name}`, '2\n0\n0\n-2\n1\n1\n'])),
      'input.prj': 'PROJCS["http://example.org"]',
      'input.tab': '!table\n!version 300\n',
      'input.IMD': 'BEGIN_GROUP = IMAGE_1\nEND;\n',
      'input.RPB': 'satId = "QB02";\n',
      'input_rpc.txt': 'LINE_OFF: 1\n',
    };
    for (const [name, content] of Object.entries(sidecars)) await writeFile(join(folder, name), content);
    assert.deepEqual(await readFile((await convert(path)).cogPath), expected);
    assert.equal(canary.connections(), 0);
  });

  test('calls no host and reads nothing else when its texts name addresses and files', async () => {
    await using canary = await openCanary();
    const far = `/vsicurl/${canary.url}/far.tif`;
    const vrt = `<VRTDataset rasterXSize="20" rasterYSize="20"><VRTRasterBand dataType="Byte" band="1"><SimpleSource><SourceFilename>${canary.csvPath}</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>`;
    const items = [
      `<Item name="X_DATASET" domain="GEOLOCATION">${far}</Item>`,
      `<Item name="SUBDATASET_1_NAME" domain="SUBDATASETS">${far}</Item>`,
      `<Item name="" domain="xml:VRT" format="xml">${vrt}</Item>`,
      `<Item name="LINE_OFF" domain="RPC">${far}</Item>`,
      `<Item name="GDAL_RPC">${far}</Item><Item name="LEGACY">${canary.csvPath}</Item>`,
      `<Item name="NBITS" domain="IMAGE_STRUCTURE" sample="0">1</Item>`,
    ];
    const header = [1, 1, 0, 3];
    const entries = [
      [1024, 0, 1, 1],
      [3072, 0, 1, 32_767],
      [3073, 34_737, 200, 0],
    ];
    const keys = shorts(tag.geoKeys, ...header, ...entries.flat());
    const named = `ESRI PE String = ${canary.url}/crs|`;
    const place = [doubles(tag.pixelScale, 1, 1, 0), doubles(tag.tiepoint, 0, 0, 0, 5, 5, 0)];
    for (const item of items) {
      const metadata = ascii(tag.gdalMetadata, `<GDALMetadata>${item}</GDALMetadata>`);
      const bytes = handmadeTiff([image(20, metadata, keys, ascii(tag.geoAscii, named), ...place)]);
      await endOf(bytes);
    }
    assert.equal(canary.connections(), 0);
  });

  test('is refused when it sends GDAL to another file for its overviews, however that is written', async () => {
    for (const name of ['OVERVIEW_FILE', 'overview_file', 'OVERVIEW_FIL&#69;', 'OVERVIEW&#x5f;FILE']) {
      const item = `<Item name="${name}" domain="OVERVIEWS">/etc/hostname</Item>`;
      const metadata = ascii(tag.gdalMetadata, `<GDALMetadata>${item}</GDALMetadata>`);
      assert.match(await refusalOf(handmadeTiff([image(20, metadata)])), /OVERVIEW_FILE/);
    }
  });

  test('does not unfold entities of its metadata', async () => {
    const laughs = Array.from({ length: 30 }, (_, i) => `<!ENTITY l${i + 1} "&l${i};&l${i};">`).join('');
    const bomb = `<!DOCTYPE x [<!ENTITY l0 "ha"><!ENTITY far SYSTEM "file:///etc/hostname">${laughs}]><GDALMetadata><Item name="A">&l30;&far;</Item></GDALMetadata>`;
    await endOf(handmadeTiff([image(20, ascii(tag.gdalMetadata, bomb))]));
  });

  test('is refused when it is a VRT by another name', async () => {
    const vrt =
      '<VRTDataset rasterXSize="1" rasterYSize="1"><VRTRasterBand dataType="Byte" band="1"/></VRTDataset>';
    assert.match(await refusalOf(Buffer.from(vrt)), /cannot be opened as a GeoTIFF/);
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
    assert.match(await refusalOf(bytes), /Band 2 of the raster would be taken for transparency/);
  });

  test('of real files is converted with the same memory', async () => {
    for (const name of ['dsm_2m', 'mask_1bit', 'subdatasets', 'model_transformation']) {
      await convert(fixture(`raster/${name}.tif`));
    }
  });
});
