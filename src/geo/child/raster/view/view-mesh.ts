import { quietly } from '../../../gdal/last-error.ts';
import type { Bbox } from '../../../engine.ts';
import type { Georeference } from '../image/georeference.ts';
import {
  viewBoxOf,
  type ViewBox,
  finerGrid,
  firstGrid,
  movePlaces,
  type ViewGrid,
  type ViewSource,
  createViewSource,
} from './view-grid.ts';

/** Points per side of the first and of the finest grid. */
const leastPoints = 17;
const mostPoints = 1025;
/** Minimum for a box in which the image may end: it is extrapolated by a cell, which should be small. */
const leastPointsWithEnds = 129;
/** Larger grids are split into 4 by 4 parts. */
const mostPointsOfPart = 257;
const partsOfLarge = 4;
/** Half the step quarters the error of a smooth image; a third is safe. */
const smooth = 3;

/**
 * Computes the view mesh of a raster: the source pixels of a grid in Web Mercator, refined until interpolated midpoints
 * are accurate to a quarter of a pixel. `common/maps/raster/mesh.ts` reads it and defines its format.
 * @param bbox box of the raster on the earth, in degrees.
 * @returns undefined for a raster that is not on the earth, or not within Web Mercator.
 */
export function viewMeshOf(georeference: Georeference, bbox: Bbox): Buffer | undefined {
  const { wkt } = georeference;
  if (wkt === undefined) return undefined;
  const source = quietly(() => createViewSource(georeference, wkt));
  const box = source && viewBoxOf(bbox, source);
  if (source === undefined || box === undefined) return undefined;
  const grid = fineEnough(box, source, georeference);
  return grid.columns.every(Number.isNaN) ? undefined : encode(grid, box, georeference);
}

function fineEnough(box: ViewBox, source: ViewSource, raster: Georeference): ViewGrid {
  let coarse = firstGrid(box, source, leastPoints);
  let worstBefore = 0;
  for (;;) {
    const fine = finerGrid(coarse, box, source);
    const errors = errorsOf(fine, raster);
    const hasEnds = errors.hasGaps || errors.atEdge.size > 0;
    const isCalm = errors.leaps.size === 0 && (!hasEnds || coarse.side >= leastPointsWithEnds);
    if (isCalm && errors.worst < tolerancePixels) return finishGrid(coarse, coarserErrors(errors, fine));
    const isNext = worstBefore / errors.worst >= smooth && errors.worst / smooth < tolerancePixels;
    if (isCalm && isNext) return finishGrid(fine, errors);
    if (fine.side >= mostPoints) {
      const move = (across: Float64Array, down: Float64Array) => movePlaces(across, down, box, source);
      const leaps = new Set([...errors.leaps, ...shortLeaps(fine, errors.bent, move)]);
      return finishGrid(fine, { ...errors, leaps });
    }
    worstBefore = errors.worst;
    coarse = fine;
  }
}

/** Returns the errors at the points that the grid of twice the step has as well. */
function coarserErrors(errors: GridErrors, { side }: ViewGrid): GridErrors {
  const half = (side - 1) / 2 + 1;
  const atEdge = [...errors.atEdge].flatMap((at) => {
    const [i, j] = [at % side, Math.floor(at / side)];
    return i % 2 === 0 && j % 2 === 0 ? [(j / 2) * half + i / 2] : [];
  });
  return { ...errors, leaps: new Set(), atEdge: new Set(atEdge) };
}

function encode(grid: ViewGrid, box: ViewBox, { width, height }: Georeference): Buffer {
  const parts = grid.side <= mostPointsOfPart ? 1 : partsOfLarge;
  const side = (grid.side - 1) / parts + 1;
  const bytes = Buffer.alloc(60 + parts * parts * side * side * 8);
  bytes.write('STPMESH1', 'latin1');
  for (const [i, edge] of [box.left, box.top, box.right, box.bottom].entries())
    bytes.writeDoubleLE(edge, 8 + 8 * i);
  for (const [i, number] of [parts, parts, side, width, height].entries())
    bytes.writeUInt32LE(number, 40 + 4 * i);
  let at = 60;
  for (let part = 0; part < parts * parts; part += 1) {
    const first = (Math.floor(part / parts) * grid.side + (part % parts)) * (side - 1);
    for (const numbers of [grid.columns, grid.rows])
      for (let j = 0; j < side; j += 1)
        for (let i = 0; i < side; i += 1) {
          bytes.writeFloatLE(numbers[first + j * grid.side + i] ?? NaN, at);
          at += 4;
        }
  }
  return bytes;
}

/** Maximum error of interpolation in pixels. */
export const tolerancePixels = 0.25;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Errors of a grid compared with one of half its step. */
export interface GridErrors {
  /** Maximum error of midpoints of the coarser grid in pixels, without discontinuities. */
  readonly worst: number;
  /** Points of this grid after a discontinuity: the image does not continue between each and a neighbour above it or to its left. */
  readonly leaps: ReadonlySet<number>;
  /** The same at the edge of the box, with the point on the edge: the image beyond it is another part of the raster. */
  readonly atEdge: ReadonlySet<number>;
  readonly hasGaps: boolean;
  /** Lines that bend by more than the tolerance, without an obvious discontinuity. */
  readonly bent: readonly Line[];
}

/** Three points of a line: the index of the first, and the step to the next. */
export interface Line {
  readonly first: number;
  readonly step: number;
  /** True if the start or the end of the line is at the edge of the box. */
  readonly begins: boolean;
  readonly ends: boolean;
}

/**
 * Measures the interpolation error of the grid of twice the step. Along a line of three points whose halves have equal
 * length, the middle is correct; if one half has nearly the whole length even for short steps, the image is
 * discontinuous. Cells outside the raster do not count.
 */
export function errorsOf(grid: ViewGrid, raster: Size): GridErrors {
  const { side, columns, rows } = grid;
  let worst = 0;
  const [leaps, atEdge] = [new Set<number>(), new Set<number>()];
  const bent: Line[] = [];
  const measure = (line: Line): boolean => {
    const { first, step, begins, ends } = line;
    const { bend, before, after } = shapeOf(grid, first, step);
    if (!(bend > 2 * tolerancePixels && bend > (before + after) / 2)) {
      // False at a gap, which is not an error.
      if (bend / 2 > worst) worst = bend / 2;
      if (bend > 2 * tolerancePixels) bent.push(line);
      return false;
    }
    if (before > after) (begins ? atEdge : leaps).add(begins ? first : first + step);
    else (ends ? atEdge : leaps).add(first + 2 * step);
    return true;
  };
  for (const cell of cellsOf(grid, raster)) {
    const torn = cellLines(cell, side).map(measure);
    if (torn.includes(true)) continue;
    const error = Math.hypot(centreError(columns, cell, side), centreError(rows, cell, side));
    if (error > worst) worst = error;
  }
  return { worst, leaps, atEdge, hasGaps: columns.some(Number.isNaN), bent };
}

/** With more bent lines, no grid is fine enough. */
const maxBentLines = 100_000;

/**
 * Finds discontinuities shorter than the steps of the grid: half of a half line bends as much as the whole line,
 * instead of a quarter. @returns points like `leaps`. @param move `movePlaces` for this box.
 */
export function shortLeaps(
  { side, columns, rows }: ViewGrid,
  bent: readonly Line[],
  move: (across: Float64Array, down: Float64Array) => void,
): ReadonlySet<number> {
  if (bent.length > maxBentLines) return new Set();
  const halves = bent.flatMap(({ first, step }) => [
    { from: first, to: first + step, first, step },
    { from: first + step, to: first + 2 * step, first, step },
  ]);
  const middle = (of: (at: number) => number) =>
    Float64Array.from(halves, ({ from, to }) => (of(from) + of(to)) / 2 / (side - 1));
  const [across, down] = [middle((at) => at % side), middle((at) => Math.floor(at / side))];
  move(across, down);
  const found = halves.filter(({ from, to, first, step }, i) => {
    const bendOf = (numbers: Float64Array, between: Float64Array) =>
      (numbers[from] ?? NaN) + (numbers[to] ?? NaN) - 2 * (between[i] ?? NaN);
    const { bend } = shapeOf({ side, columns, rows }, first, step);
    return Math.hypot(bendOf(columns, across), bendOf(rows, down)) > bend / 2;
  });
  return new Set(found.map(({ to }) => to));
}

/** Returns the shape of a line of three points, in pixels. */
function shapeOf({ columns, rows }: ViewGrid, first: number, step: number) {
  const [x0, x1, x2] = [
    columns[first] ?? NaN,
    columns[first + step] ?? NaN,
    columns[first + 2 * step] ?? NaN,
  ];
  const [y0, y1, y2] = [rows[first] ?? NaN, rows[first + step] ?? NaN, rows[first + 2 * step] ?? NaN];
  return {
    /** Twice the distance of the middle from its interpolated position. */
    bend: Math.hypot(x0 + x2 - 2 * x1, y0 + y2 - 2 * y1),
    before: Math.hypot(x1 - x0, y1 - y0),
    after: Math.hypot(x2 - x1, y2 - y1),
  };
}

/** Yields the first corners of the cells of the grid of twice the step, as far as they concern the raster. */
function* cellsOf(grid: ViewGrid, raster: Size): Generator<number> {
  const { side } = grid;
  for (let j = 0; j + 2 < side; j += 2)
    for (let i = 0; i + 2 < side; i += 2) if (!isCellBeside(grid, j * side + i, raster)) yield j * side + i;
}

/** Returns the lines through the points of a cell, from left to right and down. */
function cellLines(cell: number, side: number): readonly Line[] {
  const [i, j] = [cell % side, Math.floor(cell / side)];
  return [0, 1, 2].flatMap((line) => [
    { first: cell + line * side, step: 1, begins: i === 0, ends: i + 3 === side },
    { first: cell + line, step: side, begins: j === 0, ends: j + 3 === side },
  ]);
}

/** Returns the distance between the middle of a cell of the coarser grid, given by its first corner, and the mean of its corners. */
function centreError(numbers: Float64Array, at: number, side: number): number {
  const number = (index: number) => numbers[index] ?? NaN;
  const corners = number(at) + number(at + 2) + number(at + 2 * side) + number(at + 2 * side + 2);
  return number(at + side + 1) - corners / 4;
}

function isCellBeside({ side, columns, rows }: ViewGrid, at: number, raster: Size): boolean {
  const isOut = (numbers: Float64Array, length: number) => {
    let [below, above] = [true, true];
    for (let row = 0; row < 3; row += 1)
      for (let column = 0; column < 3; column += 1) {
        const number = numbers[at + row * side + column] ?? NaN;
        if (!(number < 0)) below = false;
        if (!(number > length)) above = false;
      }
    return below || above;
  };
  return isOut(columns, raster.width) || isOut(rows, raster.height);
}

const directions = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
] as const;

/**
 * Inserts gaps at discontinuities, and extends the image at its ends by one point in the direction of its neighbours:
 * no cell spans a discontinuity, and none is lost at the edge of the projection.
 */
export function finishGrid({ side, columns, rows }: ViewGrid, { leaps, atEdge }: GridErrors): ViewGrid {
  const done = { side, columns: columns.slice(), rows: rows.slice() };
  const has = (i: number, j: number) => {
    const at = j * side + i;
    const isIn = i >= 0 && j >= 0 && i < side && j < side;
    return isIn && !Number.isNaN(columns[at]) && !leaps.has(at) && !atEdge.has(at);
  };
  for (let at = 0; at < columns.length; at += 1) {
    if (leaps.has(at)) [done.columns[at], done.rows[at]] = [NaN, NaN];
    else if (atEdge.has(at) || Number.isNaN(columns[at])) {
      const [i, j] = [at % side, Math.floor(at / side)];
      const from = directions.filter(([di, dj]) => has(i + di, j + dj) && has(i + 2 * di, j + 2 * dj));
      const mean = (numbers: Float64Array) =>
        from.reduce((sum, [di, dj]) => {
          const step = dj * side + di;
          return sum + 2 * (numbers[at + step] ?? NaN) - (numbers[at + 2 * step] ?? NaN);
        }, 0) / from.length;
      [done.columns[at], done.rows[at]] = [mean(columns), mean(rows)];
    }
  }
  return done;
}
