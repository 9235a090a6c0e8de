import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Pixels } from './evaluate-tile.ts';
import { bandByKey, nodes } from '../graph/graph.ts';
import { lagsOf } from '../grid/reference-grid.ts';
import { leaves } from '../model/leaves.ts';
import synthetic from '../../../test/fixtures/landscape/synthetic.json' with { type: 'json' };
import { evaluateGraph, gridOf } from '../../../test/support/landscape/graph.ts';

const grid = gridOf(synthetic.grid);
const rasters = readRasters();
const inputs = new Map(leaves.map(({ key }) => [key, rasterOf(key)]));

test('the synthetic case has gaps, water, every zone, and a lag of three pixels', () => {
  assert.deepEqual([grid.width, grid.height, lagsOf(grid)], [61, 61, { x: 3, y: 3 }]);
  assert.equal(rasterOf('dem').filter((height) => height === -9999).length > 0, true);
  assert.deepEqual(
    [...new Set(rasterOf('34'))].toSorted((one, other) => one - other),
    [0, 11, 12, 13, 14, 15, 21, 22, 23, 24, 25, 31, 32, 40],
  );
});

test('61 × 61 pixels of noise give the classes of the reference, and its numbers to the bit', () => {
  const results = evaluateGraph(grid, inputs);
  const differing: Record<string, number> = {};
  for (const { code, output } of nodes) {
    const found = results.get(code);
    const wanted = rasterOf(code);
    assert.equal(found?.length, wanted.length);
    wanted.forEach((value, at) => {
      const other = found?.[at] ?? NaN;
      if (other === value) return;
      differing[code] = (differing[code] ?? 0) + 1;
      assert.equal(output.type, 'float32', `class of node ${code} at ${at}: ${other}, not ${value}`);
      assert.ok(
        Math.abs(other - value) <= 1e-6 * Math.abs(value),
        `node ${code} at ${at}: ${other}, not ${value}`,
      );
    });
  }
  assert.deepEqual(differing, {}, 'not bit-equal, of 8 × 3721 numbers');
});

for (const side of [7, 16, 25, 61]) {
  test(`tiles of ${side} pixels give the same bits as the whole`, () => {
    const whole = evaluateGraph(grid, inputs, { side: 1024 });
    const cut = evaluateGraph(grid, inputs, { side });
    for (const { code } of nodes) assert.deepEqual(bytesOf(cut.get(code)), bytesOf(whole.get(code)), code);
  });
}

function rasterOf(key: string): Pixels {
  const raster = rasters.get(key);
  assert.ok(raster, key);
  return raster;
}

function bytesOf(pixels: Pixels | undefined): Buffer {
  assert.ok(pixels);
  return Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
}

function readRasters(): ReadonlyMap<string, Pixels> {
  const packed = readFileSync(new URL('../../../test/fixtures/landscape/synthetic.bin.gz', import.meta.url));
  const bytes = new Uint8Array(gunzipSync(packed));
  let offset = 0;
  const read = (key: string): Pixels => {
    const isClass = bandByKey(key)?.type === 'uint8';
    const start = offset;
    offset += grid.width * grid.height * (isClass ? 1 : 4);
    const part = bytes.slice(start, offset); // a copy, because a Float32Array must begin at a multiple of four bytes
    return isClass ? part : new Float32Array(part.buffer);
  };
  const all = new Map(synthetic.rasters.map((key) => [key, read(key)]));
  assert.equal(offset, bytes.length);
  return all;
}
