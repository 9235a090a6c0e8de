import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasTile, tileLimits, type TileRange, webMercatorQuad } from './tile-matrix-set.ts';

/** Returns the first and last row, and the first and last column, of the last zoom. */
function last(box: TileRange['box'], maxZoom: number): readonly number[] {
  const { minTileRow, maxTileRow, minTileCol, maxTileCol } =
    tileLimits({ box, maxZoom })[maxZoom] ?? assert.fail();
  return [minTileRow, maxTileRow, minTileCol, maxTileCol];
}

test('a tileset has the tiles that its box meets, up to its last zoom', () => {
  assert.deepEqual(last([70, 50, 72, 52], 5), [10, 10, 22, 22]);
  assert.deepEqual(last([1, 1, 179, 85], 2), [0, 1, 2, 3]);
  assert.deepEqual(last(undefined, 3), [0, 7, 0, 7]);
  assert.deepEqual(last([-180, -90, 180, 90], 3), [0, 7, 0, 7]);
  assert.deepEqual(
    tileLimits({ box: [70, 50, 72, 52], maxZoom: 1 }).map(({ tileMatrix }) => tileMatrix),
    ['0', '1'],
  );
  const range = { box: [70, 50, 72, 52], maxZoom: 5 } as const;
  assert.ok(hasTile(range, { z: 5, x: 22, y: 10 }));
  for (const tile of [
    { z: 5, x: 10, y: 22 },
    { z: 5, x: 21, y: 10 },
    { z: 5, x: 22, y: 11 },
    { z: 6, x: 45, y: 21 },
  ])
    assert.ok(!hasTile(range, tile), JSON.stringify(tile));
});

test('a box across 180° or beyond has whole rows, and one on the edge of a tile also has its neighbours', () => {
  assert.deepEqual(last([170, 1, -170, 2], 3), [3, 3, 0, 7]);
  assert.deepEqual(last([170, 1, 190, 2], 3), [3, 3, 0, 7]);
  assert.deepEqual(last([0, 0, 45, 40], 3), [3, 4, 3, 5]);
});

test('the cells of WebMercatorQuad are those of its register', () => {
  const { tileMatrices } = webMercatorQuad();
  assert.equal(tileMatrices.length, 25);
  // 17-083r4, annex D.1.
  for (const [zoom, scale, cell] of [
    [0, 559_082_264.028_717, 156_543.033_928_041],
    [24, 33.323_899_747_652_9, 0.009_330_691_929_342_8],
  ] as const) {
    const { scaleDenominator = 0, cellSize = 0, matrixWidth } = tileMatrices[zoom] ?? {};
    assert.ok(Math.abs(scaleDenominator / scale - 1) < 1e-11);
    assert.ok(Math.abs(cellSize / cell - 1) < 1e-11);
    assert.equal(matrixWidth, 2 ** zoom);
  }
});
