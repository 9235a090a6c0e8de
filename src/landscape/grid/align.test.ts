import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gridOf } from '../../../test/support/landscape/graph.ts';
import type { Affine, OpenRaster, RasterWindow } from '../../geo/raster-reader.ts';
import type { Band, ClassBand, FloatBand } from '../model/bands.ts';
import { readDirect, readSampled } from './align.ts';
import { coordinatesOf, newCoordinates } from './transform-block.ts';
import { pixelShift, type PixelShift, type ReferenceGrid } from './reference-grid.ts';
import type { Positions } from './sample.ts';
import type { Tile } from '../model/tiles.ts';

const facts = { group: 'g', title: 'T', unit: null };
const heights: FloatBand = { ...facts, key: 'heights', type: 'float32', range: [0, 1000] };
const anyNumber: FloatBand = { ...facts, key: 'any', type: 'float32' };
const cover: ClassBand = { ...facts, key: 'cover', type: 'uint8', classes: [10, 20, 30, 40] };
const zones: ClassBand = {
  ...facts,
  key: 'zones',
  type: 'uint8',
  classes: [0, 1, 2],
  zeroWhereMissing: true,
};

const place = { crs: 'projected', left: 500_000, top: 5_550_000, res: [1000, 1000] };
const grid = gridOf({ ...place, rows: 4, cols: 4 });
const whole: Tile = { x: 0, y: 0, width: 4, height: 4 };

/** A raster in memory; `valueAt` returns the value at a column and row, NaN for masked pixels. */
function raster(
  size: { readonly width: number; readonly height: number; readonly affine: Affine },
  valueAt: (column: number, row: number) => number,
): OpenRaster & { readonly windows: RasterWindow[] } {
  const windows: RasterWindow[] = [];
  return {
    windows,
    facts: { ...size, crs: { wkt: '', kind: 'projected', unit: 1 } },
    async read(window) {
      windows.push(window);
      const values = new Float64Array(window.width * window.height);
      for (let i = 0; i < values.length; i += 1) {
        const row = Math.floor(i / window.width);
        values[i] = valueAt(window.x + (i % window.width), window.y + row);
      }
      return { values, mask: undefined };
    },
    [Symbol.dispose]: () => undefined,
  };
}

function fromRows(affine: Affine, rows: readonly (readonly number[])[]) {
  const [first = []] = rows;
  return raster(
    { width: first.length, height: rows.length, affine },
    (column, row) => rows[row]?.[column] ?? Number.NaN,
  );
}

const newPositions = (length: number): Positions => ({
  columns: new Float64Array(length),
  rows: new Float64Array(length),
});

const same = { columns: 0, rows: 0 };

const roomFor = (band: Band) => (length: number) =>
  band.type === 'float32' ? new Float32Array(length) : new Uint8Array(length);

function sampled(band: Band, source: OpenRaster, tile: Tile = whole, on: ReferenceGrid = grid) {
  return readSampled(
    { band, raster: source, make: roomFor(band) },
    tile,
    coordinatesOf(on, tile, undefined, newCoordinates),
    newPositions,
  );
}

/** Computed by the reference implementation of the design; -9999 is nodata. */
const golden = {
  numbers: [
    [200, 300],
    [400, Number.NaN],
  ],
  interpolated: [
    [200, 225, 275, 300],
    [250, 260, 3700 / 13, 300],
    [350, 4500 / 13, -9999, -9999],
    [400, 400, -9999, -9999],
  ],
  classes: [
    [10, 20],
    [30, 40],
  ],
  nearest: [10, 10, 20, 20, 10, 10, 20, 20, 30, 30, 40, 40, 30, 30, 40, 40],
};

describe('A raster on another grid', () => {
  const coarse: Affine = [500_000, 2000, 0, 5_550_000, 0, -2000];

  test('is interpolated as the golden data are, around what has no value', async () => {
    const { values, counts } = await sampled(heights, fromRows(coarse, golden.numbers));
    assert.deepEqual(values, Float32Array.from(golden.interpolated.flat()));
    assert.deepEqual(counts, { covered: 16, valid: 12, invalid: 0 });
  });

  test('is rounded to float32 before it is interpolated, and after', async () => {
    const row = [0.1, 0.2];
    const { values } = await sampled(heights, fromRows(coarse, [row, row]));
    const expected = 0.75 * Math.fround(0.1) + 0.25 * Math.fround(0.2);
    assert.equal(values[1], Math.fround(expected));
  });

  test('has no value outside', async () => {
    const source = fromRows([502_000, 2000, 0, 5_550_000, 0, -2000], [[7]]);
    const { values, counts } = await sampled(heights, source);
    assert.deepEqual([...values], [-9999, -9999, 7, 7, -9999, -9999, 7, 7, ...Array(8).fill(-9999)]);
    assert.deepEqual(counts, { covered: 4, valid: 4, invalid: 0 });
  });

  const nearest: readonly (readonly [name: string, affine: Affine, expected: readonly number[]])[] = [
    ['of classes is taken from the nearest pixel, as the golden data are', coarse, golden.nearest],
    [
      'may be rotated: columns run south, rows run east',
      [500_000, 0, 2000, 5_550_000, -2000, 0],
      [10, 10, 30, 30, 10, 10, 30, 30, 20, 20, 40, 40, 20, 20, 40, 40],
    ],
    [
      'may be upside down',
      [500_000, 2000, 0, 5_546_000, 0, 2000],
      [30, 30, 40, 40, 30, 30, 40, 40, 10, 10, 20, 20, 10, 10, 20, 20],
    ],
  ];
  for (const [name, affine, expected] of nearest) {
    test(name, async () => {
      const { values, counts } = await sampled(cover, fromRows(affine, golden.classes));
      assert.deepEqual(values, Uint8Array.from(expected));
      assert.deepEqual(counts, { covered: 16, valid: 16, invalid: 0 });
    });
  }

  test('gives every tile what it gives the whole', async () => {
    const wide = { ...grid, width: 150, height: 130, resX: 7, resY: 7 };
    const source = raster(
      { width: 60, height: 60, affine: [499_990, 19, 0, 5_550_010, 0, -19] },
      (column, row) => ((column * 7 + row) % 11 === 0 ? Number.NaN : column * 3.3 + row / 7),
    );
    const all = await sampled(heights, source, { x: 0, y: 0, width: 150, height: 130 }, wide);
    const tile = { x: 37, y: 41, width: 71, height: 53 };
    const part = await sampled(heights, source, tile, wide);
    for (let y = 0; y < tile.height; y += 1) {
      const from = (tile.y + y) * 150 + tile.x;
      const row = part.values.subarray(y * tile.width, (y + 1) * tile.width);
      assert.deepEqual(row, all.values.subarray(from, from + tile.width));
    }
  });

  test('that is much finer is read part by part, none of them large', async () => {
    const source = raster(
      { width: 40_000, height: 40_000, affine: [500_000, 0.1, 0, 5_550_000, 0, -0.1] },
      (column, row) => (column >= 20_000 ? 1 : 0) + (row >= 20_000 ? 2 : 0),
    );
    const { values } = await sampled(zones, source);
    assert.deepEqual([...values], [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 0, 0, 2, 2, 0, 0]);
    assert.ok(source.windows.every(({ width, height }) => width * height <= 4 * 1024 * 1024));
  });
});

describe('A raster on the same grid', () => {
  const affine: Affine = [500_000, 1000, 0, 5_550_000, 0, -1000];

  test('is known by its corners, however they are written', () => {
    const size = { width: 4, height: 4 };
    assert.deepEqual(pixelShift(grid, { ...size, affine }), { columns: 0, rows: 0 });
    const written: Affine = [500_000.0001, 1000.00001, 0, 5_550_000, 0, -1000];
    assert.deepEqual(pixelShift(grid, { ...size, affine: written }), { columns: 0, rows: 0 });
    const elsewhere: Affine = [499_000, 1000, 0, 5_552_000, 0, -1000];
    assert.deepEqual(pixelShift(grid, { ...size, affine: elsewhere }), { columns: 1, rows: 2 });
    for (const other of [
      [500_000, 1001, 0, 5_550_000, 0, -1000],
      [500_010, 1000, 0, 5_550_000, 0, -1000],
      [500_000, 1000, 1, 5_550_000, 0, -1000],
      [500_000, 1000, 0, 5_550_000, 0, 1000],
    ] as const) {
      assert.equal(pixelShift(grid, { ...size, affine: other }), undefined);
    }
  });

  test('is taken pixel by pixel, what it does not cover has no value', async () => {
    const shifted: Affine = [501_000, 1000, 0, 5_551_000, 0, -1000];
    const source = fromRows(shifted, [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const shift = pixelShift(grid, { width: 3, height: 2, affine: shifted });
    assert.ok(shift !== undefined);
    const { values, counts } = await direct(heights, source, { shift, window: whole });
    assert.deepEqual([...values], [-9999, 4, 5, 6, ...Array(12).fill(-9999)]);
    assert.deepEqual(counts, { covered: 3, valid: 3, invalid: 0 });
  });

  test('is counted on the tile alone when it is read around it', async () => {
    const source = fromRows(affine, [
      [1, 2000, 2000, 1],
      [1, 2, 2000, 1],
      [1, Number.NaN, 1, 1],
    ]);
    const window = { x: 0, y: 0, width: 4, height: 3 };
    const own = { x: 1, y: 1, width: 2, height: 2 };
    const { counts } = await direct(heights, source, { window, own });
    assert.deepEqual(counts, { covered: 4, valid: 2, invalid: 1 });
  });

  test('has values within the range of its band, its ends included, and no others', async () => {
    const row = [-0.001, 0, 1000, 1000.001, Number.NaN, Infinity, -Infinity, -9999];
    const { values, counts } = await directRow(heights, row);
    assert.deepEqual([...values], [-9999, 0, 1000, -9999, -9999, -9999, -9999, -9999]);
    assert.deepEqual(counts, { covered: 8, valid: 2, invalid: 5 });
  });

  test('may have any finite value when its band has no range, but the one that stands for none', async () => {
    const { values, counts } = await directRow(anyNumber, [-1e30, 1e300, -9999, 5]);
    assert.deepEqual([...values], [Math.fround(-1e30), -9999, -9999, 5]);
    assert.deepEqual(counts, { covered: 4, valid: 2, invalid: 2 });
  });

  test('has the classes of its band, as whole numbers', async () => {
    const { values, counts } = await directRow(cover, [10, 10.5, 0, 40, 266, -10, Number.NaN, 11]);
    assert.deepEqual([...values], [10, 0, 0, 40, 0, 0, 0, 0]);
    assert.deepEqual(counts, { covered: 8, valid: 2, invalid: 5 });
  });

  test('may be class 0 wherever it has no other', async () => {
    const { values, counts } = await directRow(zones, [0, 1, 2, 3, Number.NaN]);
    assert.deepEqual([...values], [0, 1, 2, 0, 0]);
    assert.deepEqual(counts, { covered: 5, valid: 5, invalid: 1 });
  });

  async function directRow(band: Band, row: readonly number[]) {
    const window = { x: 0, y: 0, width: row.length, height: 1 };
    return await direct(band, fromRows(affine, [row]), { window });
  }
});

async function direct(
  band: Band,
  source: OpenRaster,
  { window, own = window, shift = same }: { window: Tile; own?: Tile; shift?: PixelShift },
) {
  return await readDirect({ band, raster: source, make: roomFor(band) }, shift, window, own);
}
