import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type BorderCells, createCellWalker } from './cells.ts';

type Place = readonly [x: number, y: number];

/** Returns the share of each pixel of a row, from the cells of its borders. */
function sharesOf({ starts, columns, shares, steps }: BorderCells, row: number, width: number): number[] {
  const found = Array.from({ length: width }, () => 0);
  let covered = 0;
  let cell = starts[row] ?? 0;
  const end = starts[row + 1] ?? 0;
  for (let column = -1; column < width; column += 1) {
    const isCell = cell < end && columns[cell] === column;
    if (column >= 0) found[column] = covered + (isCell ? (shares[cell] ?? NaN) : 0);
    if (!isCell) continue;
    covered += steps[cell] ?? NaN;
    cell += 1;
  }
  assert.equal(cell, end);
  return found;
}

/** Walks along rings in bands of `rows` rows; returns the shares of all pixels, row by row. */
function walk(rings: readonly (readonly Place[])[], size: number, rows = size): number[] {
  const walker = createCellWalker();
  const closed = rings.map((ring) => Float64Array.from([...ring, ring[0] ?? [0, 0]].flat()));
  const found: number[] = [];
  for (let top = 0; top < size; top += rows) {
    const bottom = Math.min(size, top + rows);
    const cells = walker({ rings: closed, sign: 1 }, { top, bottom, width: size });
    for (let row = 0; row < bottom - top; row += 1) found.push(...sharesOf(cells, row, size));
  }
  return found;
}

/** Computes the same in another way: clips the polygon to each pixel (Sutherland and Hodgman) and measures the result. */
function clipped(rings: readonly (readonly Place[])[], size: number): number[] {
  const cut = (ring: readonly Place[], axis: 0 | 1, limit: number, sign: 1 | -1) =>
    ring.flatMap((to, i): Place[] => {
      const from = ring.at(i - 1) ?? to;
      const [a, b] = [(from[axis] - limit) * sign, (to[axis] - limit) * sign];
      const t = a / (a - b);
      const at: Place = [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
      return [...(a >= 0 !== b >= 0 ? [at] : []), ...(b >= 0 ? [to] : [])];
    });
  const area = (ring: readonly Place[]) =>
    ring.reduce((sum, [x, y], i) => {
      const [u, v] = ring.at(i - 1) ?? [x, y];
      return sum + (x - u) * (y + v);
    }, 0) / 2;
  return Array.from({ length: size * size }, (_, i) => {
    const [x, y] = [i % size, Math.floor(i / size)];
    return rings.reduce(
      (sum, ring) => sum + area(cut(cut(cut(cut(ring, 0, x, 1), 0, x + 1, -1), 1, y, 1), 1, y + 1, -1)),
      0,
    );
  });
}

function assertAlike(rings: readonly (readonly Place[])[], size: number): void {
  const [found, expected] = [walk(rings, size), clipped(rings, size)];
  for (const [i, share] of found.entries())
    assert.ok(
      Math.abs(share - (expected[i] ?? NaN)) < 1e-12,
      `pixel ${i % size}, ${Math.floor(i / size)}: ${share}, not ${expected[i]}`,
    );
}

const turned = (ring: readonly Place[]) => ring.toReversed();
/** Counter-clockwise on a screen. */
const square = (left: number, top: number, right: number, bottom: number): readonly Place[] => [
  [left, top],
  [left, bottom],
  [right, bottom],
  [right, top],
];
/** Creates a pseudo-random generator. */
function createDraw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
/** A ring that does not intersect itself. */
function star(draw: () => number, centre: Place, radius: number, corners: number): readonly Place[] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = (-2 * Math.PI * (i + 0.8 * draw())) / corners;
    const away = radius * (0.2 + 0.8 * draw());
    return [centre[0] + away * Math.cos(angle), centre[1] + away * Math.sin(angle)];
  });
}

describe('The share of each pixel that rings cover is exact', () => {
  test('of rings of any shape, inside of the raster and beyond', () => {
    const draw = createDraw(5);
    for (let round = 0; round < 60; round += 1) {
      const centre: Place = [12 * draw() - 1, 12 * draw() - 1];
      assertAlike([star(draw, centre, 1 + 9 * draw(), 3 + Math.floor(40 * draw()))], 10);
    }
  });

  test('where borders follow the sides of pixels, or run along a row', () => {
    assertAlike([square(1, 1, 4, 4)], 6);
    assertAlike([square(1.25, 1.5, 4.75, 3.25)], 6);
    assertAlike([square(0, 0, 6, 6)], 6);
    assertAlike([square(-3, 2.5, 9, 2.75)], 6);
    assertAlike([square(2, -5, 2.5, 11)], 6);
    assertAlike([square(6, 0, 8, 6), square(-2, 0, 0, 6)], 6);
    assertAlike(
      [
        [
          [1, 1],
          [1, 5],
          [3, 3],
          [5, 5],
          [5, 1],
          [3, 3],
        ],
      ],
      6,
    );
  });

  test('with holes, islands in holes and many parts', () => {
    assertAlike([square(0.5, 0.5, 7.5, 7.5), turned(square(2.25, 2, 5, 5.75)), square(3, 3, 4, 4.5)], 8);
    const draw = createDraw(11);
    const parts = Array.from({ length: 9 }, (_, i) =>
      star(draw, [2 + 4 * (i % 3), 2 + 4 * Math.floor(i / 3)], 1.9, 12),
    );
    assertAlike(parts, 12);
  });

  test('in one band and in many, bit by bit', () => {
    const draw = createDraw(3);
    const rings = [star(draw, [15, 15], 14, 200), turned(star(draw, [15, 15], 2.8, 30))];
    const whole = walk(rings, 30);
    for (const rows of [1, 2, 7, 29]) assert.deepEqual(walk(rings, 30, rows), whole);
  });

  test('and neighbours share a pixel without a gap', () => {
    const border: readonly Place[] = Array.from({ length: 41 }, (_, i) => [
      5 + 3 * Math.sin(i),
      (10 * i) / 40,
    ]);
    const left = [...border, [-1, 10] as const, [-1, 0] as const].toReversed();
    const right = [...border, [11, 10] as const, [11, 0] as const];
    const [one, other] = [walk([left], 10), walk([right], 10)];
    for (const [i, share] of one.entries())
      assert.ok(Math.abs(share + (other[i] ?? NaN) - 1) < 1e-12, `pixel ${i}`);
  });
});
