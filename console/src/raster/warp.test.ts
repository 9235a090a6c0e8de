import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Affine,
  pixelOf,
  cells,
  latticeOf,
  planOf,
  type Projection,
} from '../../../common/maps/raster/lattice.ts';
import { nothingHidden } from '../../../common/maps/raster/no-data.ts';
import { fromView, placeOf } from './projection.ts';
import { warp } from '../../../common/maps/raster/warp.ts';

const asIs: Projection = (x, y) => [x, y];
const unit: Affine = { x0: 0, dxColumn: 1, dxRow: 0, y0: 16, dyColumn: 0, dyRow: -1 };
const level = { width: 16, height: 16, tileWidth: 8, tileHeight: 8 };
const quarter = (left: number, top: number) =>
  Float64Array.from({ length: 64 }, (_, at) => (top + Math.floor(at / 8)) * 16 + left + (at % 8));
const tiles = [quarter(0, 0), quarter(8, 0), quarter(0, 8), quarter(8, 8)];
const source = { full: level, level, tiles, masks: undefined, stride: 1, offset: 0, hidden: nothingHidden };
const square = { left: 0, top: 16, span: 16 };
const wholePlan = { level: 0, firstColumn: 0, lastColumn: 1, firstRow: 0, lastRow: 1, top: 0, bottom: 15 };

test('one to one, every pixel is the pixel of its place', () => {
  const lattice = latticeOf(square, asIs, unit);
  const plan = planOf(lattice, 16, [level]);
  assert.deepEqual(plan, wholePlan);
  const out = new Float64Array(256);
  warp({ ...source, plan }, lattice, 16, out);
  assert.deepEqual(
    [...out],
    Array.from({ length: 256 }, (_, at) => at),
  );
});

test('what lies outside, is nodata, or is masked stays NaN', () => {
  const lattice = latticeOf({ ...square, left: -8 }, asIs, unit);
  const plan = planOf(lattice, 16, [level]);
  assert.deepEqual(plan, { ...wholePlan, lastColumn: 0 });
  const masks = tiles.map(() => new Uint8Array(64).fill(1));
  masks[0]?.fill(0, 0, 2);
  const out = new Float64Array(256);
  warp({ ...source, plan, masks, hidden: { least: 3, greatest: 3 } }, lattice, 16, out);
  assert.deepEqual(
    [...out.subarray(6, 13)],
    [Number.NaN, Number.NaN, Number.NaN, Number.NaN, 2, Number.NaN, 4],
  );
});

test('a square needs the tiles that its pixels lie in, and none that it only touches', () => {
  const plan = planOf(latticeOf({ left: 8, top: 12, span: 4 }, asIs, unit), 16, [level]);
  assert.deepEqual(plan, {
    level: 0,
    firstColumn: 1,
    lastColumn: 1,
    firstRow: 0,
    lastRow: 0,
    top: 4,
    bottom: 7,
  });
});

test('a square beside the raster, or in no place at all, needs nothing', () => {
  assert.equal(planOf(latticeOf({ ...square, left: 16 }, asIs, unit), 16, [level]), undefined);
  assert.equal(
    planOf(
      latticeOf(square, () => [Number.NaN, Number.NaN], unit),
      16,
      [level],
    ),
    undefined,
  );
});

test('the overview is read whose pixels are about as large as those of the screen', () => {
  const levels = [
    { width: 4096, height: 4096, tileWidth: 512, tileHeight: 512 },
    { width: 2048, height: 2048, tileWidth: 512, tileHeight: 512 },
    { width: 1024, height: 1024, tileWidth: 512, tileHeight: 512 },
  ];
  const affine = { ...unit, y0: 4096 };
  const planned = (span: number) =>
    planOf(latticeOf({ left: 0, top: 4096, span }, asIs, affine), 256, levels)?.level;
  assert.deepEqual([256, 426, 427, 512, 1024, 4096].map(planned), [0, 0, 1, 1, 2, 2]);
});

test('in the equal-area view, nine points a side place a pixel as well as each point on its own would', () => {
  const project = fromView('KZ:AEA', '+proj=utm +zone=42 +datum=WGS84 +units=m +no_defs');
  const [size, span] = [256, 60_000];
  const affine = { x0: 500_000, dxColumn: 200, dxRow: 0, y0: 5_800_000, dyColumn: 0, dyRow: -200 };
  const place = { left: 150_000, top: 250_000, span };
  const { columns, rows } = latticeOf(place, project, affine);
  const step = size / cells;
  for (const [i, j] of [
    [16.5, 16.5],
    [100.5, 200.5],
    [239.5, 40.5],
  ]) {
    assert.ok(i !== undefined && j !== undefined);
    const exact = pixelOf(affine, ...project(place.left + (i * span) / size, place.top - (j * span) / size));
    const found = [columns, rows].map((numbers) => {
      const [ci, cj] = [Math.floor(i / step), Math.floor(j / step)];
      const [s, t] = [i / step - ci, j / step - cj];
      const corner = (right: number, down: number) => numbers[(cj + down) * (cells + 1) + ci + right] ?? 0;
      const upper = corner(0, 0) * (1 - s) + corner(1, 0) * s;
      return upper * (1 - t) + (corner(0, 1) * (1 - s) + corner(1, 1) * s) * t;
    });
    for (const axis of [0, 1])
      assert.ok(
        Math.abs((found[axis] ?? 0) - (exact[axis] ?? 1)) < 0.05,
        `${found.join()} for ${exact.join()}`,
      );
  }
});

test('a raster that crosses 180° is one raster on both sides of it, in degrees and in UTM', () => {
  const half = 20_037_508.342789244;
  const east = (lon: number) => (lon * half) / 180;
  const facts = { width: 20, height: 10, epsg: 4326 };
  const affine = { x0: 170, dxColumn: 1, dxRow: 0, y0: 5, dyColumn: 0, dyRow: -1 };
  const place = placeOf({ ...facts, affine }, undefined);
  for (const lon of [175.5, -184.5]) assert.deepEqual(place?.pixel('EPSG:3857', east(lon), 0.1), [5, 4]);
  for (const lon of [184.5, -175.5]) assert.deepEqual(place?.pixel('EPSG:3857', east(lon), 0.1), [14, 4]);
  const square = { left: -half, top: half / 2, span: half };
  const columns = place?.lattice('EPSG:3857', square).columns;
  assert.deepEqual(
    Array.from(columns?.subarray(0, 9) ?? [], (column) => Math.round(column * 10) / 10),
    [10, 32.5, 55, 77.5, 100, 122.5, 145, 167.5, 190],
  );
  const world = placeOf({ width: 360, height: 10, epsg: 4326, affine: { ...affine, x0: -180 } }, undefined);
  const whole = world?.lattice('EPSG:3857', { left: -half, top: half, span: 2 * half }).columns;
  assert.deepEqual(
    [0, 4, 8].map((corner) => Math.round(whole?.[corner] ?? 1) + 0),
    [0, 180, 360],
  );
  const utm = { x0: 0, dxColumn: 10_000, dxRow: 0, y0: 7_000_000, dyColumn: 0, dyRow: -10_000 };
  const zone = placeOf(
    { width: 100, height: 100, epsg: undefined, affine: utm },
    '+proj=utm +zone=1 +datum=WGS84',
  );
  const [west = 0] = zone?.pixel('EPSG:3857', east(179.5), east(60)) ?? [];
  const [right = 0] = zone?.pixel('EPSG:3857', east(-179.5), east(60)) ?? [];
  assert.ok(right > west && right - west < 12, `${west} and ${right}`);
});
