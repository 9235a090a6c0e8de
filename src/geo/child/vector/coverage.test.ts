import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import gdal from 'gdal-async';
import type { Positions, Rings } from '../../formats/features/geometry.ts';
import { encodeMultiPolygon, encodePolygon } from '../../formats/ogr/wkb.ts';
import { dissolveCoverage } from './coverage.ts';
import { createAreaUnion } from './unions.ts';
import { repetitions } from '../../../../test/support/tier.ts';

type Corner = readonly [x: number, y: number];

const ringOf = (corners: readonly Corner[]): Positions => [...corners, ...corners.slice(0, 1)].flat();
const box = (x: number, y: number, side: number): Rings => [
  ringOf([
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
  ]),
];

function multiOf(polygons: readonly Buffer[]): gdal.MultiPolygon {
  const multi = gdal.Geometry.fromWKB(encodeMultiPolygon(polygons));
  assert.ok(multi instanceof gdal.MultiPolygon);
  return multi;
}

const dissolved = (polygons: readonly Rings[]) => dissolveCoverage(polygons.map(encodePolygon));

/** Asserts the same area in the same place, using GEOS. */
function assertUnion(found: readonly Buffer[] | undefined, polygons: readonly Rings[]): void {
  assert.ok(found !== undefined);
  const expected = multiOf(polygons.map(encodePolygon)).unionCascaded();
  const result = multiOf(found);
  assert.ok(result.isValid());
  assert.ok(expected instanceof gdal.Polygon || expected instanceof gdal.MultiPolygon);
  assert.ok(Math.abs(result.getArea() - expected.getArea()) < 1e-9);
  const rest = result.symDifference(expected);
  assert.ok(rest.isEmpty() || (rest instanceof gdal.Polygon && rest.getArea() < 1e-9), rest.toWKT());
}

/** Cells of a grid with displaced inner corners, without the excluded ones. */
function meshOf(
  columns: number,
  rows: number,
  moved: readonly number[],
  wanted: (cell: number) => boolean,
): Rings[] {
  const corner = (x: number, y: number): Corner => {
    const at = 2 * (y * (columns + 1) + x);
    return [x + (moved[at % moved.length] ?? 0), y + (moved[(at + 1) % moved.length] ?? 0)];
  };
  return Array.from({ length: columns * rows }, (_, cell) => cell)
    .filter(wanted)
    .map((cell) => {
      const [x, y] = [cell % columns, Math.floor(cell / columns)];
      const corners = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
      return [ringOf(cell % 3 === 0 ? corners.toReversed() : corners)];
    });
}

test('cells of any mesh, some of them missing, come out as GEOS unites them', () => {
  const moved = fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), { minLength: 2, maxLength: 40 });
  const size = fc.integer({ min: 1, max: 7 });
  fc.assert(
    fc.property(
      size,
      size,
      moved,
      fc.array(fc.boolean(), { minLength: 1, maxLength: 49 }),
      (columns, rows, by, wanted) => {
        const cells = meshOf(columns, rows, by, (cell) => wanted[cell % wanted.length] === true);
        if (cells.length > 0) assertUnion(dissolved(cells), cells);
      },
    ),
    { numRuns: repetitions('UNIONS', 80, 300) },
  );
});

test('islands in a hole, rings that touch in a point, and a hole that touches its ring stay right', () => {
  const around = meshOf(5, 5, [0], (cell) => ![6, 7, 8, 11, 13, 16, 17, 18].includes(cell));
  assertUnion(dissolved(around), around);
  const chessboard = meshOf(6, 6, [0], (cell) => (cell + Math.floor(cell / 6)) % 2 === 0);
  assertUnion(dissolved(chessboard), chessboard);
  const corner = meshOf(3, 3, [0], (cell) => cell !== 4 && cell !== 0);
  assertUnion(dissolved(corner), corner);
});

test('what overlaps, lies within another, is there twice, or meets a longer side is not a coverage', () => {
  const cases: readonly (readonly Rings[])[] = [
    [box(0, 0, 2), box(1, 1, 2)],
    [box(0, 0, 5), box(1, 1, 1)],
    [box(0, 0, 1), box(0, 0, 1)],
    [box(0, 0, 2), box(2, 0, 1), box(2, 1, 1)],
    [box(0, 0, 1), box(1, 0, 1), box(0.5, 0.25, 0.5)],
  ];
  for (const polygons of cases) assert.equal(dissolved(polygons), undefined);
});

test('a zero is the same place with either sign', () => {
  const polygons: readonly Rings[] = [
    box(-1, 0, 1),
    [box(0, 0, 1)[0]?.map((value) => (value === 0 ? -0 : value)) ?? []],
  ];
  assert.equal(dissolved(polygons)?.length, 1);
});

test('a union of thousands of cells of which a few overlap is that of GEOS', () => {
  const cells = meshOf(60, 50, [0.1, -0.2, 0.15], (cell) => cell % 97 !== 0);
  const polygons = [...cells, box(10.5, 10.5, 3), box(40.2, 30.1, 0.1), box(-5, -5, 1)];
  const union = createAreaUnion();
  for (const polygon of polygons) union.add(polygon);
  const united = union.finish();
  const expected = multiOf(polygons.map(encodePolygon)).unionCascaded();
  assert.ok(expected instanceof gdal.MultiPolygon);
  assert.ok(Math.abs(multiOf(united.map(encodePolygon)).getArea() - expected.getArea()) < 1e-4);
  assert.equal(united.length, expected.children.count());
});
