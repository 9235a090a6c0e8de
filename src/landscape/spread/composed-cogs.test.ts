import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import gdal from 'gdal-async';
import type { TiledRaster } from '../../geo/engine.ts';
import { createTileEncoder } from '../../geo/child/raster/part-file.ts';
import { createBlockCheck, storedComposition, type StoredFile } from './composed-cog.ts';
import { type Tile, tilesOf } from '../model/tiles.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import { openRasterEngineHere } from '../../../test/support/geo/raster-conversion.ts';
import { openTestStore } from '../../../test/support/store.ts';

type Grid = Omit<TiledRaster, 'parts'>;

const engine = await closeAfterTests(openRasterEngineHere());
const store = await closeAfterTests(openTestStore());
const { signal } = new AbortController();
const place = {
  left: 300_000.5,
  top: 5_700_000,
  resX: 30,
  resY: 25,
  wkt: gdal.SpatialReference.fromEPSG(32642).toWKT(),
};

function pixelsOf({ dataType }: Grid, { x, y, width, height }: Tile): Float32Array | Uint8Array {
  const pixels = dataType === 'Byte' ? new Uint8Array(width * height) : new Float32Array(width * height);
  for (let i = 0; i < pixels.length; i += 1)
    pixels[i] = ((x + (i % width)) >> 4) * 3 + (((y + Math.floor(i / width)) >> 5) % 5);
  return pixels;
}

/** Encodes the computed pixels of a block. */
async function encode(grid: Grid, block: Tile) {
  const folder = await mkdtemp(join(engine.folder, 'block-'));
  const tiles = [...tilesOf([block])];
  const encoder = createTileEncoder({ ...grid, tiles, path: join(folder, 'raster') });
  for (const tile of tiles) await encoder.put(tile, pixelsOf(grid, tile));
  await encoder.finish();
  return { encoder, part: { paths: encoder.paths, tiles } };
}

let keys = 0;

/** Stores the files of a block one after the other, and keeps only the parts that must exist. */
async function storeArranged(grid: Grid, block: Tile, stored: Map<string, StoredFile>) {
  const { encoder, part } = await encode(grid, block);
  const needed = await encoder.arrange();
  keys += 1;
  const key = `parts/${keys}`;
  await store.put(key, Readable.from(bytesOf(['some', 'thing'], part.paths), { objectMode: false }));
  let start = 'something'.length;
  for (const [level, path] of part.paths.entries()) {
    const { size } = await stat(path);
    stored.set(path, { key, start });
    start += size;
    await truncate(path, needed[level]);
    await truncate(path, size);
  }
  return part;
}

async function* bytesOf(before: readonly string[], paths: readonly string[]): AsyncGenerator<Buffer> {
  for (const each of before) yield Buffer.from(each);
  for (const path of paths) yield* createReadStream(path);
}

function* blocksOf({ width, height }: Grid, across: number, down: number): Generator<Tile> {
  for (let y = 0; y < height; y += down * 512)
    for (let x = 0; x < width; x += across * 512)
      yield { x, y, width: Math.min(across * 512, width - x), height: Math.min(down * 512, height - y) };
}

describe('A COG that is composed of the parts of blocks', () => {
  const cases: readonly (readonly [Grid, readonly (readonly [number, number])[]])[] = [
    [
      { width: 2600, height: 2100, dataType: 'Byte', noData: 0, ...place },
      [
        [4, 4],
        [3, 1],
        [8, 2],
      ],
    ],
    [{ width: 1100, height: 1301, dataType: 'Float32', noData: -9999, ...place }, [[2, 4]]],
    [{ width: 10, height: 20, dataType: 'Float32', noData: -9999, ...place }, [[4, 4]]],
  ];

  test('is byte by byte that of the local path, whatever its blocks are', async () => {
    for (const [grid, shapes] of cases) {
      const whole = await encode(grid, { x: 0, y: 0, width: grid.width, height: grid.height });
      const scratch = await mkdtemp(join(engine.folder, 'local-'));
      const rasters = [{ ...grid, parts: [whole.part] }];
      const [local] = await engine.engine.assembleRasters({ rasters, scratch, signal });
      assert.ok(local !== undefined);
      const expected = await readFile(local.cogPath);
      for (const [across, down] of shapes) {
        const stored = new Map<string, StoredFile>();
        const parts = await Array.fromAsync(
          blocksOf(grid, across, down),
          async (block) => await storeArranged(grid, block, stored),
        );
        const own = await mkdtemp(join(engine.folder, 'composed-'));
        const [composed] = await engine.engine.composeRasters({
          rasters: [{ ...grid, parts }],
          scratch: own,
          signal,
        });
        assert.ok(composed !== undefined);
        const { pieces, createCheck } = storedComposition(composed.composition, stored);
        const onBytes = createCheck?.();
        keys += 1;
        const key = `cogs/${keys}`;
        await store.compose(key, pieces);
        const bytes = await buffer(await store.read(key));
        const digest = (each: Buffer) => createHash('sha256').update(each).digest('hex');
        assert.equal(digest(bytes), digest(expected), `${grid.dataType} ${across} ${down}`);
        for (let at = 0; at < bytes.length; at += 60_000) onBytes?.(bytes.subarray(at, at + 60_000));
        assert.throws(() => onBytes?.(Buffer.of(0)), /longer than its blocks/);
        const { composition, findings, ...facts } = composed;
        assert.deepEqual(findings.raster, local.findings.raster);
        assert.deepEqual([facts.bbox, facts.needsView], [local.bbox, local.needsView]);
        assert.ok(composition.pieces.length > 0);
      }
    }
  });

  test('is refused when a byte of it is another', () => {
    const check = createBlockCheck([
      [2, 0x80_4f_d6_f3],
      [1, 0],
    ]);
    assert.throws(() => check(Buffer.from('no')), /block 0 of the composed COG/);
  });

  test('is not made of parts that do not make up its raster', async () => {
    const grid = { width: 1100, height: 600, dataType: 'Byte', noData: 0, ...place } as const;
    const stored = new Map<string, StoredFile>();
    const [first] = await Array.fromAsync(
      blocksOf(grid, 2, 2),
      async (block) => await storeArranged(grid, block, stored),
    );
    assert.ok(first !== undefined);
    for (const parts of [[first], [first, first]]) {
      const scratch = await mkdtemp(join(engine.folder, 'broken-'));
      await assert.rejects(engine.engine.composeRasters({ rasters: [{ ...grid, parts }], scratch, signal }));
    }
  });
});
