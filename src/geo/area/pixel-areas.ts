import type { PointTransformation } from '../raster-reader.ts';
import { interpolate, type Lattice, latticeOf, neighbours, pieceAt, stepOf } from './lattice.ts';
import { createMeasure, type PixelGrid } from './measure.ts';

/** Areas of the pixels of a raster on the ellipsoid of WGS 84, in square metres. */
export interface PixelAreas {
  /**
   * Fills `target` with the areas of a row from `column` on; 0 for a pixel that is not on the earth. Each area is a
   * multiple of `quantum`, and does not depend on the requested range.
   */
  fillRow(row: number, column: number, target: Float64Array): void;
  /** A power of two. Sums of up to `exactPixels` areas are exact in float64, in any order. */
  readonly quantum: number;
}

/** A tile of 512 by 512 pixels. */
export const exactPixels = 2 ** 18;
/** Upper bound of an area in quanta: sums of 2^18 areas stay below 2^53. */
const mostQuanta = 2 ** 35;
/** Number of pixels at the edge of the earth that are measured individually; beyond it, each has the area of the nearest node. */
const mostTornPixels = 2 ** 17;

/**
 * Creates the pixel areas of a raster. Areas are measured at nodes of a lattice on the authalic sphere (decision 41), and interpolated by
 * cubic polynomials along columns and rows; the lattice is refined until it meets the tolerance, down to every pixel. Pixels around a node
 * that is not on the earth are measured individually.
 * @param toEarth transforms coordinates of the CRS to longitude and latitude on WGS 84; NaN, NaN for places that are not on the earth.
 */
export function createPixelAreas(grid: PixelGrid, toEarth: PointTransformation): PixelAreas {
  const measure = createMeasure(grid, toEarth);
  const lattice = latticeOf(grid, measure);
  const largest = lattice.values.reduce((most, area) => (area > most ? area : most), 0);
  // Between nodes an area may be larger, but less than twice as large.
  const quantum = 2 ** Math.ceil(Math.log2(2 * (largest || 1))) / mostQuanta;
  const rounder = 1.5 * 2 ** 52 * quantum;
  const isVeryTorn = tornPixelsOf(lattice) > mostTornPixels;
  let current = -1;
  let row: readonly Piece[] = [];
  return {
    quantum,
    fillRow(index, column, target) {
      if (index !== current) [current, row] = [index, rowOf(lattice, index)];
      const { columns } = lattice;
      for (let i = 0; i < target.length;) {
        const piece = row[pieceAt(columns, column + i)];
        const end = Math.min(target.length, (piece?.end ?? grid.width) - column);
        if (piece === undefined || piece.kind === 'beside') target.fill(0, i, end);
        else if (piece.kind === 'smooth') {
          const { from, c0, c1, c2, c3 } = piece;
          const share = 1 / piece.step;
          for (let at = i; at < end; at += 1) {
            const t = (column + at - from) * share;
            target[at] = ((c3 * t + c2) * t + c1) * t + c0 + rounder - rounder;
          }
        } else if (isVeryTorn) {
          for (let at = i; at < end; at += 1)
            target[at] = nearestArea(lattice, column + at, index) + rounder - rounder;
        } else {
          const centres = Array.from(
            { length: end - i },
            (_, at) => [column + i + at + 0.5, index + 0.5] as const,
          );
          for (const [at, area] of measure(centres, { exactly: true }).entries())
            target[i + at] = area + rounder - rounder;
        }
        i = end;
      }
    },
  };
}

/** The pixels between two nodes of a row: all on the earth, none, or to be measured individually. */
interface Piece {
  readonly kind: 'smooth' | 'beside' | 'torn';
  /** End column, exclusive. */
  readonly end: number;
  /** Coefficients of a polynomial in shares of the step from the first node. */
  readonly from: number;
  readonly step: number;
  readonly c0: number;
  readonly c1: number;
  readonly c2: number;
  readonly c3: number;
}

function rowOf({ columns, rows, values }: Lattice, row: number): readonly Piece[] {
  const piece = pieceAt(rows, row);
  const share = rows.nodes > 1 ? row / stepOf(rows) - piece : 0;
  const valueAt = (column: number, node: number) => values[node * columns.nodes + column] ?? NaN;
  const nodes = Array.from({ length: columns.nodes }, (_, column) =>
    interpolate(rows, piece, share, (node) => valueAt(column, node)),
  );
  const isBeside = Array.from({ length: columns.nodes }, (_, column) =>
    neighbours(rows, piece).every((node) => Number.isNaN(valueAt(column, node))),
  );
  const step = stepOf(columns);
  return Array.from({ length: Math.max(1, columns.nodes - 1) }, (_, index) => {
    const at = (part: number) => interpolate(columns, index, part, (node) => nodes[node] ?? NaN);
    const [p0, p1, p2, p3] = [at(0), at(1 / 3), at(2 / 3), columns.nodes > 1 ? at(1) : at(0)];
    let end = columns.length;
    if (index < columns.nodes - 2) {
      end = Math.floor((index + 1) * step);
      // Rounding decides the piece of a column, so that the same column is always in the same one.
      while (pieceAt(columns, end) <= index) end += 1;
    }
    const isOff = neighbours(columns, index).every((node) => isBeside[node] === true);
    return {
      kind: isOff ? 'beside' : Number.isNaN(p0 + p1 + p2 + p3) ? 'torn' : 'smooth',
      end,
      from: index * step,
      step,
      c0: p0,
      c1: (-11 * p0 + 18 * p1 - 9 * p2 + 2 * p3) / 2,
      c2: 4.5 * (2 * p0 - 5 * p1 + 4 * p2 - p3),
      c3: 4.5 * (-p0 + 3 * p1 - 3 * p2 + p3),
    };
  });
}

/** Returns the approximate number of pixels in pieces at the edge of the earth. */
function tornPixelsOf({ columns, rows, values }: Lattice): number {
  if (!values.some(Number.isNaN)) return 0;
  let torn = 0;
  for (let row = 0; row < Math.max(1, rows.nodes - 1); row += 1)
    for (let column = 0; column < Math.max(1, columns.nodes - 1); column += 1) {
      const around = neighbours(rows, row).flatMap((node) =>
        neighbours(columns, column).map((each) => Number.isNaN(values[node * columns.nodes + each])),
      );
      if (around.includes(true) && around.includes(false)) torn += 1;
    }
  return torn * stepOf(columns) * stepOf(rows);
}

function nearestArea({ columns, rows, values }: Lattice, column: number, row: number): number {
  const node = Math.round(row / stepOf(rows)) * columns.nodes + Math.round(column / stepOf(columns));
  return values[node] || 0;
}
