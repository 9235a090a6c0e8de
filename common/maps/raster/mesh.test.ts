import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeMesh, meshPointAt } from './mesh.ts';
import { halfWorld } from './web-mercator.ts';
import { meshLattices } from './mesh-lattice.ts';
import { planOf } from './lattice.ts';

const world = 2 * halfWorld;

interface Draft {
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  readonly parts?: readonly [across: number, down: number];
  readonly side?: number;
  readonly size?: readonly [width: number, height: number];
  /** Source pixel of a point by its position in the box, 0 to 1. */
  readonly pixel?: (u: number, v: number) => readonly [number, number];
}

const asBox = (u: number, v: number) => [100 * u, 100 * v] as const;

function encode({ box, parts = [1, 1], side = 3, size = [100, 100], pixel = asBox }: Draft): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(60 + parts[0] * parts[1] * side * side * 8));
  new TextEncoder().encodeInto('STPMESH1', new Uint8Array(bytes.buffer));
  for (const [i, number] of box.entries()) bytes.setFloat64(8 + 8 * i, number, true);
  for (const [i, number] of [...parts, side, ...size].entries()) bytes.setUint32(40 + 4 * i, number, true);
  let at = 60;
  for (let part = 0; part < parts[0] * parts[1]; part += 1)
    for (const axis of [0, 1] as const)
      for (let point = 0; point < side * side; point += 1, at += 4) {
        const i = (part % parts[0]) * (side - 1) + (point % side);
        const j = Math.floor(part / parts[0]) * (side - 1) + Math.floor(point / side);
        const [u, v] = [i / (parts[0] * (side - 1)), j / (parts[1] * (side - 1))];
        bytes.setFloat32(at, pixel(u, v)[axis], true);
      }
  return new Uint8Array(bytes.buffer);
}

const meshOf = (draft: Draft) => decodeMesh(encode(draft));
const square = [0, 100, 100, 0] as const;

test('a point between those of the mesh has the pixel in proportion, in whichever part it lies', () => {
  for (const parts of [
    [1, 1],
    [4, 4],
    [2, 3],
  ] as const) {
    const mesh = meshOf({ box: square, parts });
    for (const [x, y] of [
      [0, 0],
      [33, 66],
      [50, 50],
      [100, 100],
    ] as const) {
      const [column, row] = meshPointAt(mesh, x, 100 - y);
      assert.ok(Math.abs(column - x) < 1e-4 && Math.abs(row - y) < 1e-4, `${column}, ${row} for ${x}, ${y}`);
    }
  }
});

test('beyond the box a mesh goes on for one cell, in a line, and no farther', () => {
  const mesh = meshOf({ box: square, pixel: (u, v) => [100 * u * u, 100 * v] });
  assert.deepEqual(meshPointAt(mesh, 120, 50), [100 + (20 / 50) * 75, 50]);
  assert.deepEqual(meshPointAt(mesh, -50, 150), [-25, -50]);
  assert.deepEqual(meshPointAt(mesh, 151, 50), [Number.NaN, Number.NaN]);
  assert.deepEqual(meshPointAt(mesh, 50, -51), [Number.NaN, Number.NaN]);
  assert.deepEqual(meshPointAt(mesh, Number.NaN, 50), [Number.NaN, Number.NaN]);
});

test('a point is the same after whole turns', () => {
  const mesh = meshOf({ box: [halfWorld - 500, 500, halfWorld + 500, -500] });
  for (const turn of [-2, -1, 0, 1])
    assert.deepEqual(
      meshPointAt(mesh, halfWorld + 100 + turn * world, 0).map((each) => Math.round(each * 1e6) / 1e6),
      [60, 50],
    );
});

test('a square has a lattice of as many cells as it is asked for, and one cell beyond the box', () => {
  const mesh = meshOf({ box: square });
  const [lattice, ...others] = meshLattices(mesh, { left: -50, top: 150, span: 200 }, 4);
  assert.equal(others.length, 0);
  assert.equal(lattice?.cells, 4);
  assert.deepEqual([...(lattice?.columns.subarray(0, 5) ?? [])], [-50, 0, 50, 100, 150]);
  const [wide] = meshLattices(mesh, { left: -150, top: 150, span: 200 }, 4);
  assert.deepEqual([...(wide?.columns.subarray(0, 5) ?? [])], [Number.NaN, Number.NaN, -50, 0, 50]);
  // A raster smaller than a cell is drawn as well.
  const [small] = meshLattices(mesh, { left: -300, top: 420, span: 1024 }, 2);
  assert.deepEqual([...(small?.columns.subarray(0, 3) ?? [])], [-300, 212, Number.NaN]);
  assert.deepEqual(meshLattices(mesh, { left: 101, top: 100, span: 100 }, 4), []);
  assert.deepEqual(meshLattices(mesh, { left: 0, top: 0, span: 100 }, 4), []);
});

test('on both sides of 180°, a tile sees the raster that crosses it', () => {
  const mesh = meshOf({ box: [halfWorld - 1000, 1000, halfWorld + 1000, -1000] });
  const span = 1000;
  const [east] = meshLattices(mesh, { left: halfWorld - span, top: span / 2, span }, 2);
  const [west] = meshLattices(mesh, { left: -halfWorld, top: span / 2, span }, 2);
  assert.deepEqual(
    [east, west].map((lattice) => [...(lattice?.columns.subarray(0, 3) ?? [])].map(Math.round)),
    [
      [0, 25, 50],
      [50, 75, 100],
    ],
  );
});

test('a tile around the beginning of a raster of a whole turn has one lattice for each side', () => {
  const mesh = meshOf({
    box: [0, 1000, world, -1000],
    size: [360, 100],
    pixel: (u, v) => [360 * u, 100 * v],
  });
  const lattices = meshLattices(mesh, { left: -halfWorld, top: 1000, span: world }, 1);
  assert.equal(lattices.length, 2);
  const found = lattices.map(({ cells, columns }) => {
    assert.equal(cells, 8);
    return [...columns.subarray(0, 9)].map(Math.round);
  });
  const nan = Number.NaN;
  assert.deepEqual(found, [
    [nan, nan, nan, -45, 0, 45, 90, 135, 180],
    [180, 225, 270, 315, 360, 405, nan, nan, nan],
  ]);
  const level = { width: 360, height: 100, tileWidth: 90, tileHeight: 100 };
  assert.deepEqual(
    lattices
      .map((lattice) => planOf(lattice, 256, [level]))
      .map((plan) => [plan?.firstColumn, plan?.lastColumn]),
    [
      [0, 1],
      [2, 3],
    ],
  );
});

test('a mesh that is not whole is drawn up to its gaps, and not across them', () => {
  const pixel = (u: number, v: number) =>
    [u === 0.5 ? Number.NaN : u < 0.5 ? 100 * u : 500 + 100 * u, 100 * v] as const;
  const mesh = meshOf({ box: square, side: 33, pixel });
  assert.deepEqual(meshPointAt(mesh, 50, 50), [Number.NaN, Number.NaN]);
  const [lattice] = meshLattices(mesh, { left: 0, top: 100, span: 100 }, 2);
  assert.equal(lattice?.cells, 16);
  const columns = [...(lattice?.columns.subarray(0, 17) ?? [])];
  assert.deepEqual(
    columns.map((column) => Number.isNaN(column)),
    Array.from({ length: 17 }, (_, at) => at === 7 || at === 8),
  );
});

test('damaged bytes are refused', () => {
  const good = encode({ box: square, parts: [2, 2] });
  assert.equal(decodeMesh(good).across, 5);
  // Also at an unaligned address.
  const moved = new Uint8Array(good.length + 3);
  moved.set(good, 3);
  assert.equal(decodeMesh(moved.subarray(3)).down, 5);
  const refused: readonly (readonly [RegExp, (bytes: DataView) => void])[] = [
    [/begins with other/, (bytes) => bytes.setUint8(0, 0)],
    [/no box/, (bytes) => bytes.setFloat64(8, 100, true)],
    [/no box/, (bytes) => bytes.setFloat64(8, Number.NaN, true)],
    [/no box/, (bytes) => bytes.setFloat64(8, -Infinity, true)],
    [/no box/, (bytes) => bytes.setFloat64(16, -1, true)],
    [/no box/, (bytes) => bytes.setFloat64(16, 1e9, true)],
    [/no box/, (bytes) => bytes.setFloat64(24, 5e7, true)],
    [/no box/, (bytes) => bytes.setFloat64(32, -1e9, true)],
    [/number of parts/, (bytes) => bytes.setUint32(40, 0, true)],
    [/number of parts/, (bytes) => bytes.setUint32(44, 0xffff_ffff, true)],
    [/number of points/, (bytes) => bytes.setUint32(48, 1, true)],
    [/number of points/, (bytes) => bytes.setUint32(48, 258, true)],
    [/wrong length/, (bytes) => bytes.setUint32(48, 4, true)],
    [/no size/, (bytes) => bytes.setUint32(52, 0, true)],
    [/no size/, (bytes) => bytes.setUint32(56, 0xffff_ffff, true)],
    [/infinite/, (bytes) => bytes.setFloat32(60, Infinity, true)],
    [/infinite/, (bytes) => bytes.setFloat32(bytes.byteLength - 4, -Infinity, true)],
  ];
  for (const [message, damage] of refused) {
    const bytes = good.slice();
    damage(new DataView(bytes.buffer));
    assert.throws(
      () => decodeMesh(bytes),
      (error) => error instanceof RangeError && message.test(error.message),
      String(message),
    );
  }
  for (const length of [0, 8, 59, 60, good.length - 1])
    assert.throws(() => decodeMesh(good.subarray(0, length)), RangeError);
  assert.throws(() => decodeMesh(new Uint8Array([...good, 0])), RangeError);
});
