import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf, levelsOf, placeOf, placesIn, quartersOf, tilesFrom } from './pyramid.ts';

const raster = { width: 2300, height: 1031 };
const levels = levelsOf(raster);

test('levels halve, rounded up, until one tile holds all', () => {
  const sizes = levels.map(({ width, height, across, down }) => [width, height, across, down]);
  assert.deepEqual(sizes, [
    [2300, 1031, 5, 3],
    [1150, 516, 3, 2],
    [575, 258, 2, 1],
    [288, 129, 1, 1],
  ]);
  assert.equal(levelsOf({ width: 512, height: 1 }).length, 1);
});

test('tiles lie on one grid and are cut at its edge only', () => {
  const last = { x: 2048, y: 1024, width: 252, height: 7 };
  assert.deepEqual(placeOf(last, raster), { column: 4, row: 2 });
  for (const wrong of [{ x: 2047 }, { width: 512 }, { height: 8 }, { x: 2560 }])
    assert.throws(() => placeOf({ ...last, ...wrong }, raster), /there is no tile/);
});

test('all tiles make all overviews, and some those whose quarters are among them', () => {
  const [finest, second] = levels;
  assert.ok(finest !== undefined && second !== undefined);
  const all = [...placesIn(finest)];
  assert.deepEqual(
    tilesFrom(levels, all.toReversed()),
    levels.map((level) => [...placesIn(level)]),
  );
  // A column of tiles has none except at the edge, which has only two.
  const lastColumn = all.filter(({ column }) => column === 4);
  assert.deepEqual(tilesFrom(levels, lastColumn), [
    lastColumn,
    [
      { column: 2, row: 0 },
      { column: 2, row: 1 },
    ],
    [{ column: 1, row: 0 }],
  ]);
  assert.deepEqual(tilesFrom(levels, [{ column: 0, row: 0 }]), [[{ column: 0, row: 0 }]]);
  assert.deepEqual(quartersOf({ column: 2, row: 1 }, finest), [{ column: 4, row: 2 }]);
});

test('bounds hold all tiles and no more', () => {
  const tiles = [
    { column: 3, row: 1 },
    { column: 1, row: 2 },
  ];
  assert.deepEqual(boundsOf(tiles), { column: 1, row: 1, across: 3, down: 2 });
});
