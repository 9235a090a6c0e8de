import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createTileEncoder } from '../../../geo/child/raster/part-file.ts';
import { createGdalRasterReader } from '../../../geo/child/raster/raster-reader.ts';
import { computeBatch } from '../../compute/compute-batch.ts';
import { findWindows } from '../../compute/find-windows.ts';
import type { BandFile } from '../../compute/landscape-engine.ts';
import { OutsideWindows } from '../../compute/source-errors.ts';
import { inspectSources } from '../../compute/sources.ts';
import { nodes } from '../../graph/graph.ts';
import { leaves } from '../../model/leaves.ts';
import { LandscapeParams } from '../../model/params.ts';
import { createSparseFiles } from './sparse-file.ts';
import { closeAfterTests, temporaryFolder } from '../../../../test/support/for-tests.ts';
import { fixture } from '../../../../test/support/geo/engine.ts';
import { writeRaster } from '../../../../test/support/geo/geotiffs.ts';
import { openTestStore } from '../../../../test/support/store.ts';

type RasterToWrite = Parameters<typeof writeRaster>[1];

const folder = await temporaryFolder();
const store = await closeAfterTests(openTestStore());
const reader = createGdalRasterReader();
const { signal } = new AbortController();
const params = LandscapeParams.parse({});
const codes = nodes.map(({ code }) => code);

const tiled = (side: number) => ({
  TILED: 'YES',
  BLOCKXSIZE: String(side),
  BLOCKYSIZE: String(side),
  BIGTIFF: 'YES',
});
const onGrid: Omit<RasterToWrite, 'value'> = {
  width: 700,
  height: 540,
  epsg: 32642,
  affine: [500_000, 30, 0, 5_550_000, 0, -30],
};
/** Rasters of one place, in several CRS and layouts; all other leaves get a coarse one. */
const written: Readonly<Record<string, Omit<RasterToWrite, 'value'>>> = {
  dem: { ...onGrid, options: { ...tiled(64), COMPRESS: 'DEFLATE', PREDICTOR: '3' } },
  // Finer than the grid, rotated and uncompressed: a gap would be read as zeros.
  ndvi: {
    width: 800,
    height: 700,
    epsg: 32643,
    affine: [60_000, 40, 3, 5_580_000, 4, -40],
    options: tiled(32),
  },
  'land-cover': {
    width: 900,
    height: 700,
    epsg: 4326,
    affine: [68.98, 0.0004, 0, 50.13, 0, -0.0004],
    dataType: 'Byte',
    options: { ...tiled(128), COMPRESS: 'LZW' },
  },
  precipitation: {
    width: 60,
    height: 500,
    epsg: 4284,
    affine: [68.9, 0.01, 0, 50.2, 0, -0.001],
    options: { BLOCKYSIZE: '3' },
  },
  'soil-texture': { ...onGrid, dataType: 'Byte', options: { ...tiled(16), INTERLEAVE: 'BAND' } },
};
const coarse = { width: 30, height: 30, epsg: 4326, affine: [68.9, 0.02, 0, 50.3, 0, -0.02] } as const;

const wholeFiles: BandFile[] = [];
for (const leaf of leaves) {
  const path = join(folder, `${leaf.key}.tif`);
  const value = (column: number, row: number): number => {
    if (leaf.type === 'uint8') return leaf.classes[(column + 2 * row) % leaf.classes.length] ?? 1;
    const [least, most] = leaf.range ?? [0, 1];
    return least + ((most - least) * ((column * 7 + row * 13) % 101)) / 100;
  };
  const dataType = leaf.type === 'uint8' ? 'Byte' : 'Float32';
  writeRaster(path, { ...coarse, dataType, ...written[leaf.key], value });
  await store.put(leaf.key, createReadStream(path));
  wholeFiles.push({ key: leaf.key, path });
}

let folders = 0;
async function newFolder(): Promise<string> {
  folders += 1;
  const path = join(folder, `folder-${folders}`);
  await mkdir(path);
  return path;
}

/** The sources with only their headers. */
async function heads(files: ReturnType<typeof createSparseFiles>): Promise<BandFile[]> {
  const own = await newFolder();
  return await Promise.all(
    leaves.map(async ({ key }) => {
      const path = join(own, `${key}.tif`);
      assert.ok(await files.bring({ key, path, windows: [], signal }), key);
      return { key, path };
    }),
  );
}

async function computed(
  sources: BandFile[],
  window: { x: number; y: number; width: number; height: number },
) {
  const { grid } = await inspectSources(reader, { sources });
  assert.ok(grid !== undefined);
  const parts = { reader, createEncoder: createTileEncoder };
  const batch = { grid, params, nodes: codes, sources, windows: [window], folder: await newFolder() };
  const { parts: files, ...counts } = await computeBatch(parts, { ...batch, gaps: ['ndvi', 'dem'] });
  const bytes = await Promise.all(
    files.flatMap(({ paths }) => paths.map(async (path) => await readFile(path))),
  );
  return { bytes, sources: counts.sources, gaps: counts.gaps };
}

describe('Sources of which parts are brought', () => {
  test('are inspected and computed like whole ones, in any CRS and layout, with few of their bytes', async () => {
    const files = createSparseFiles(store);
    const headFiles = await heads(files);
    const inspection = await inspectSources(reader, { sources: headFiles });
    assert.deepEqual(inspection, await inspectSources(reader, { sources: wholeFiles }));
    const { grid } = inspection;
    assert.ok(grid !== undefined);
    const windows = [
      { x: 512, y: 0, width: 188, height: 512 },
      { x: 0, y: 512, width: 512, height: 28 },
    ];
    const found = await findWindows(reader, { grid, params, nodes: codes, sources: headFiles, windows });
    const dem = found['dem']?.[0];
    assert.ok(dem && dem.x < 512 && dem.height > 512, 'the elevation has a halo');
    for (const [index, window] of windows.entries()) {
      const own = await newFolder();
      const brought = new Map<string, number>();
      const sources: BandFile[] = [];
      for (const { key } of leaves) {
        const path = join(own, `${key}.tif`);
        const needed = [found[key]?.[index] ?? []].flat();
        brought.set(key, (await files.bring({ key, path, windows: needed, signal })) ?? 0);
        sources.push({ key, path, windows: needed });
        assert.equal((await stat(path)).size, await store.size(key));
      }
      // Small rasters consist of a few ranges, which are transferred whole.
      assert.ok(
        (brought.get('ndvi') ?? 0) < 0.7 * ((await store.size('ndvi')) ?? 0),
        String(brought.get('ndvi')),
      );
      assert.deepEqual(await computed(sources, window), await computed(wholeFiles, window));
    }
  });

  test('are not read where they have holes', async () => {
    const files = createSparseFiles(store);
    const own = await newFolder();
    const path = join(own, 'ndvi.tif');
    const windows = [{ x: 0, y: 0, width: 40, height: 40 }];
    await files.bring({ key: 'ndvi', path, windows, signal });
    // GDAL alone would read zeros without an error.
    using raster = await reader.open(path);
    const { values } = await raster.read({ x: 700, y: 600, width: 8, height: 8 });
    assert.ok(values.every((value) => value === 0));
    const sources = wholeFiles.map((file) => (file.key === 'ndvi' ? { key: 'ndvi', path, windows } : file));
    const window = { x: 512, y: 0, width: 188, height: 512 };
    await assert.rejects(
      computed(sources, window),
      (error) => error instanceof OutsideWindows && error.key === 'ndvi',
    );
  });

  test('have all of their bands and their mask, and are brought as a whole where their parts cannot be told apart', async () => {
    const files = createSparseFiles(store);
    for (const name of [
      'mask_1bit',
      'rgba_full',
      'RGBA.uint16',
      'big_endian_rgbi16',
      'bigtiff_motorola',
      'dsm_2m',
    ]) {
      const whole = fixture(`raster/${name}.tif`);
      const key = `fixtures/${name.toLowerCase().replaceAll('_', '-')}`;
      await store.put(key, createReadStream(whole));
      using raster = await reader.open(whole);
      const { width, height } = raster.facts;
      const window = {
        x: Math.floor(width / 2),
        y: Math.floor(height / 3),
        width: Math.ceil(width / 8),
        height: Math.ceil(height / 8),
      };
      const path = join(await newFolder(), 'sparse.tif');
      assert.ok(await files.bring({ key, path, windows: [window], signal }), name);
      const { values, mask } = await raster.read(window);
      const expected = { values: [...values], mask: mask && [...mask] };
      using sparse = await reader.open(path);
      const read = await sparse.read(window);
      assert.deepEqual({ values: [...read.values], mask: read.mask && [...read.mask] }, expected, name);
    }
    await store.put('fixtures/none', createReadStream(fixture('raster/README.md')));
    const path = join(await newFolder(), 'none');
    assert.equal(await files.bring({ key: 'fixtures/none', path, windows: [], signal }), undefined);
    await assert.rejects(stat(path));
  });
});
