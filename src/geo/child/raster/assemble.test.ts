import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import gdal, { type Dataset, type RasterBand } from 'gdal-async';
import { EngineDied, type ConvertedRaster, type TiledRaster } from '../../engine.ts';
import { createTileEncoder } from './part-file.ts';
import { readTiffLayout } from '../../formats/tiff/layout.ts';
import { readCogStructure } from '../../formats/tiff/cog-structure.ts';
import { decodeMesh } from '../../../../common/maps/raster/mesh.ts';
import { openRasterEngineHere } from '../../../../test/support/geo/raster-conversion.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';

type ValueAt = (x: number, y: number) => number;

const floatAt: ValueAt = (x, y) => {
  if (((x >> 5) + (y >> 5)) % 4 === 0) return -9999;
  return Math.fround(200 + ((x * 7 + y * 13) % 1000) / 3);
};
const classAt: ValueAt = (x, y) => [0, 11, 21, 34, 40][((x >> 2) * 3 + (y >> 3)) % 5] ?? 0;

const wktOf = (code: number): string => gdal.SpatialReference.fromEPSG(code).toWKT();
const geographic = { left: 71.25, top: 51.5, resX: 1 / 3600, resY: 1 / 3600, wkt: wktOf(4326) };
const projected = { left: 300_000.5, top: 5_700_000, resX: 30, resY: 25, wkt: wktOf(32642) };
const floats = { dataType: 'Float32', noData: -9999 } as const;
const classes = { dataType: 'Byte', noData: 0 } as const;

type Grid = Omit<TiledRaster, 'parts'>;

function values({ dataType }: Grid, pixels: readonly number[]): Float32Array | Uint8Array {
  return dataType === 'Float32' ? Float32Array.from(pixels) : Uint8Array.from(pixels);
}

function pixelsIn(
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  at: ValueAt,
): number[] {
  return Array.from({ length: width * height }, (_, i) => at(x + (i % width), y + Math.floor(i / width)));
}

const engine = await closeAfterTests(openRasterEngineHere());

describe('Computed tiles', () => {
  /** Cuts a raster into tiles and distributes them to part files, the last tile first. */
  async function cut(
    grid: Grid,
    at: ValueAt,
    { side, parts }: { side: number; parts: number },
  ): Promise<TiledRaster> {
    const tiles: TiledRaster['parts'][number]['tiles'][number][] = [];
    for (let y = 0; y < grid.height; y += side) {
      for (let x = 0; x < grid.width; x += side) {
        const [width, height] = [Math.min(side, grid.width - x), Math.min(side, grid.height - y)];
        tiles.unshift({ x, y, width, height });
      }
    }
    const folder = await mkdtemp(join(engine.folder, 'parts-'));
    const dealt = Array.from({ length: parts }, (_, part) =>
      tiles.filter((_tile, index) => index % parts === part),
    );
    const encoded = await Array.fromAsync(dealt, async (own, part) => {
      const encoder = createTileEncoder({ ...grid, tiles: own, path: join(folder, `${part}`) });
      for (const tile of own) await encoder.put(tile, values(grid, pixelsIn(tile, at)));
      await encoder.finish();
      return { paths: encoder.paths, tiles: own };
    });
    return { ...grid, parts: encoded };
  }

  async function assemble(
    rasters: readonly TiledRaster[],
  ): Promise<{ cogs: readonly ConvertedRaster[]; scratch: string }> {
    const scratch = await mkdtemp(join(engine.folder, 'scratch-'));
    const { signal } = new AbortController();
    return { cogs: await engine.engine.assembleRasters({ rasters, scratch, signal }), scratch };
  }

  function bytesOf(band: RasterBand): Buffer {
    const { x, y } = band.size;
    const { buffer, byteOffset, byteLength } = band.pixels.read(0, 0, x, y);
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  function assertEqual(cog: Dataset, grid: Grid, at: ValueAt): void {
    const { width, height, left, top, resX, resY } = grid;
    const band = cog.bands.get(1);
    assert.deepEqual([cog.rasterSize, cog.bands.count()], [{ x: width, y: height }, 1]);
    assert.deepEqual([band.dataType, band.noDataValue], [grid.dataType, grid.noData]);
    assert.deepEqual(cog.geoTransform, [left, resX, 0, top, 0, -resY]);
    assert.ok(cog.srs?.isSame(gdal.SpatialReference.fromWKT(grid.wkt)));
    const expected = values(grid, pixelsIn({ x: 0, y: 0, width, height }, at));
    assert.ok(bytesOf(band).equals(Buffer.from(expected.buffer)));
  }

  /** Mean of the existing values, computed more simply than by the writer. */
  function meanOf(four: readonly number[]): number {
    const valid = four.filter((value) => value !== -9999);
    return valid.length === 0
      ? -9999
      : Math.fround(valid.reduce((sum, value) => sum + value, 0) / valid.length);
  }

  function mostFrequentOf(four: readonly number[]): number {
    const valid = four.filter((value) => value !== 0);
    const count = (wanted: number) => valid.filter((value) => value === wanted).length;
    return valid.toSorted((one, other) => count(other) - count(one))[0] ?? 0;
  }

  function assertReduced(
    finer: RasterBand,
    coarser: RasterBand,
    reduced: (four: readonly number[]) => number,
  ): void {
    const [from, to] = [finer.size, coarser.size];
    const pixels = finer.pixels.read(0, 0, from.x, from.y);
    const actual = coarser.pixels.read(0, 0, to.x, to.y);
    for (let y = 0; y < to.y; y += 1) {
      for (let x = 0; x < to.x; x += 1) {
        const columns = [2 * x, 2 * x + 1].filter((column) => column < from.x);
        const rows = [2 * y, 2 * y + 1].filter((row) => row < from.y);
        const four = rows.flatMap((row) => columns.map((column) => Number(pixels[row * from.x + column])));
        if (actual[y * to.x + x] !== reduced(four)) assert.fail(`column ${x}, row ${y}`);
      }
    }
  }

  test('of any size, type and CRS become COGs with every pixel in its place, several at once', async () => {
    const cases: readonly (readonly [Grid, ValueAt, { side: number; parts: number }])[] = [
      [{ width: 700, height: 1301, ...projected, ...floats }, floatAt, { side: 512, parts: 3 }],
      [{ width: 1100, height: 520, ...geographic, ...classes }, classAt, { side: 512, parts: 2 }],
      [{ width: 1, height: 1, ...geographic, ...floats }, () => 0.1, { side: 512, parts: 1 }],
      [{ width: 512, height: 512, ...projected, ...classes }, classAt, { side: 512, parts: 1 }],
      [{ width: 3, height: 2050, ...projected, ...floats }, () => -9999, { side: 512, parts: 2 }],
      [{ width: 1, height: 513, ...geographic, ...classes }, () => 0, { side: 512, parts: 1 }],
    ];
    const rasters = await Promise.all(cases.map(async (each) => await cut(...each)));
    const { cogs, scratch } = await assemble(rasters);
    const paths = cogs.map(({ cogPath }) => cogPath);
    assert.equal(new Set(paths).size, cases.length);
    for (const [index, [grid, at]] of cases.entries()) {
      const path = paths[index] ?? '';
      const cog = gdal.open(path);
      assertEqual(cog, grid, at);
      assert.equal(cog.getMetadata('IMAGE_STRUCTURE')['COMPRESSION'], 'DEFLATE');
      await using file = await open(path);
      const structure = await readCogStructure(file);
      assert.deepEqual([structure.isCog, structure.problems], [true, []]);
      assert.deepEqual([structure.tileWidth, structure.tileHeight], [512, 512]);
      assert.equal(structure.overviews.length > 0, Math.max(grid.width, grid.height) > 512);
    }
    const meshes = await Array.fromAsync(cogs, async ({ meshPath = '' }) =>
      decodeMesh(await readFile(meshPath)),
    );
    const sizes = (all: readonly { width: number; height: number }[]) =>
      all.map(({ width, height }) => [width, height]);
    assert.deepEqual(sizes(meshes), sizes(cases.map(([grid]) => grid)));
    assert.equal(new Set(cogs.map(({ meshPath }) => meshPath)).size, cases.length);
    assert.ok(cogs.every(({ needsView }) => !needsView));
    const left = (await readdir(scratch)).filter((name) => name.endsWith('.tif'));
    assert.deepEqual(new Set(left.map((name) => join(scratch, name))), new Set(paths));
  });

  test('have overviews that follow from the next finer level, pixel by pixel', async () => {
    const size = { width: 1100, height: 531 };
    const { cogs } = await assemble([
      await cut({ ...size, ...projected, ...floats }, floatAt, { side: 512, parts: 3 }),
      await cut({ ...size, ...projected, ...classes }, classAt, { side: 512, parts: 3 }),
    ]);
    for (const [index, { cogPath }] of cogs.entries()) {
      const band = gdal.open(cogPath).bands.get(1);
      const levels = [band, ...band.overviews.map((overview) => overview)];
      assert.deepEqual(
        levels.map(({ size: { x, y } }) => [x, y]),
        [
          [1100, 531],
          [550, 266],
          [275, 133],
        ],
      );
      for (const [level, coarser] of levels.slice(1).entries()) {
        const finer = levels[level];
        assert.ok(finer !== undefined);
        assertReduced(finer, coarser, index === 0 ? meanOf : mostFrequentOf);
      }
    }
  });

  test('make the same COG, byte by byte, in whatever parts and order they come', async () => {
    const grid = { width: 1300, height: 1131, ...projected, ...floats };
    const all = [1, 5].map(async (parts) => await cut(grid, floatAt, { side: 512, parts }));
    const { cogs } = await assemble(await Promise.all(all));
    const contents = await Promise.all(cogs.map(async ({ cogPath }) => await readFile(cogPath)));
    assert.ok(contents[1]?.equals(contents[0] ?? Buffer.of()));
  });

  test('come behind their directories, overviews first, so that a map needs little to begin', async () => {
    const grid = { width: 1100, height: 1100, ...projected, ...floats };
    const noise: ValueAt = (x, y) =>
      Math.fround(((Math.imul(x ^ Math.imul(y + 1, 0x9e3779b1), 0x85ebca6b) >>> 8) % 65_521) / 7);
    const { cogs } = await assemble([await cut(grid, noise, { side: 512, parts: 2 })]);
    await using file = await open(cogs[0]?.cogPath ?? '');
    const { directories } = await readTiffLayout(file);
    const starts = directories.map(({ firstDataOffset }) => firstDataOffset ?? 0);
    assert.equal(starts.length, 3);
    assert.deepEqual(
      starts,
      starts.toSorted((one, other) => other - one),
    );
    assert.ok((starts.at(-1) ?? Infinity) < 64 * 1024, `${starts.at(-1)}`);
    for (const [index, { dataEnd }] of directories.entries())
      assert.equal(dataEnd, index === 0 ? (await file.stat()).size : starts[index - 1]);
  });

  test('are refused by their encoder when they were not announced, come twice or do not come', async () => {
    const folder = await mkdtemp(join(engine.folder, 'parts-'));
    const tiles = [0, 512].map((x) => ({ x, y: 0, width: 512, height: 512 }));
    const [first = { x: 0, y: 0, width: 0, height: 0 }] = tiles;
    const pixels = new Float32Array(512 * 512).fill(1);
    const raster = { width: 1536, height: 512, ...floats, tiles };
    const encoder = createTileEncoder({ ...raster, path: join(folder, 'a') });
    await assert.rejects(encoder.put({ ...first, x: 100 }, pixels), /there is no tile/);
    await assert.rejects(encoder.put({ ...first, x: 1024 }, pixels), /comes twice or unannounced/);
    await encoder.put(first, pixels);
    await assert.rejects(encoder.put(first, pixels), /comes twice/);
    await assert.rejects(encoder.finish(), /1 tiles of the raster are missing/);
  });

  test('come with their box on the earth and with a report like that of an upload', async () => {
    const size = { width: 600, height: 600 };
    const { cogs } = await assemble([
      await cut({ ...size, ...geographic, ...floats }, floatAt, { side: 512, parts: 1 }),
      await cut({ ...size, ...projected, ...classes }, classAt, { side: 512, parts: 1 }),
    ]);
    const [first, second] = cogs;
    const { left, top, resX } = geographic;
    const extent = [left, top - 600 * resX, left + 600 * resX, top];
    first?.bbox.forEach((value, index) => assert.ok(Math.abs(value - (extent[index] ?? 0)) < 1e-9));
    const { extent: told, resolution, ...raster } = first?.findings.raster ?? {};
    assert.deepEqual(raster, {
      width: 600,
      height: 600,
      bands: 1,
      data_type: 'Float32',
      nodata: -9999,
      scale: null,
      offset: null,
      crs: 'EPSG:4326',
      proj: '+proj=longlat +datum=WGS84 +no_defs',
      cog: { passed_through: false, compression: 'DEFLATE', predictor: 3, overview_resampling: 'AVERAGE' },
    });
    assert.deepEqual([told, resolution], [extent, [resX, resX]]);
    assert.deepEqual(second?.findings.raster, {
      width: 600,
      height: 600,
      bands: 1,
      data_type: 'Byte',
      nodata: 0,
      scale: null,
      offset: null,
      crs: 'EPSG:32642',
      proj: '+proj=utm +zone=42 +datum=WGS84 +units=m +no_defs',
      extent: [300_000.5, 5_685_000, 318_000.5, 5_700_000],
      resolution: [30, 25],
      cog: { passed_through: false, compression: 'DEFLATE', predictor: 1, overview_resampling: 'MODE' },
    });
    assert.ok(second.bbox[0] > 66 && second.bbox[0] < 66.3 && second.bbox[3] > 51.3 && second.bbox[3] < 51.5);
    assert.deepEqual(Object.keys(second.findings.timings), ['assemble', 'write', 'verify', 'count']);
    assert.deepEqual(second.findings.warnings, []);
  });

  test('that do not make up their raster are refused, and no user is to blame', async () => {
    const grid: Grid = { width: 1100, height: 600, ...projected, ...floats };
    const whole = (): Promise<TiledRaster> => cut(grid, floatAt, { side: 512, parts: 2 });
    const refused = async (raster: TiledRaster, reason: RegExp): Promise<void> =>
      await assert.rejects(assemble([raster]), (error) => {
        assert.ok(error instanceof EngineDied);
        assert.match(error.message, reason);
        return true;
      });
    const [short, other, missing, twice] = [await whole(), await whole(), await whole(), await whole()];
    await truncate(short.parts[1]?.paths[0] ?? '', 1000);
    await refused(short, /IReadBlock failed|outside|ends/);
    const [first, second] = other.parts;
    assert.ok(first !== undefined && second !== undefined);
    const swapped = [
      { ...first, paths: second.paths.slice(0, 1) },
      { ...second, paths: first.paths.slice(0, 1) },
    ];
    await refused({ ...other, parts: swapped.slice(0, 1) }, /3 tiles of the raster are missing/);
    await refused({ ...missing, parts: missing.parts.slice(1) }, /3 tiles of the raster are missing/);
    await refused(
      { ...twice, parts: [...twice.parts, ...twice.parts] },
      /the tile in column \d and row \d comes twice/,
    );
    const elsewhere = { ...first, tiles: first.tiles.map((tile) => ({ ...tile, x: tile.x + 100 })) };
    await refused({ ...other, parts: [elsewhere, second] }, /there is no tile of \d+ by \d+ pixels/);
    assertEqual(gdal.open((await assemble([await whole()])).cogs[0]?.cogPath ?? ''), grid, floatAt);
  });
});
