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

/** Points along a side, of the first grid and of the finest. */
const leastPoints = 17;
const mostPoints = 1025;
/** From here on the image may end within the box: it is continued by a cell, which should be small. */
const leastPointsWithEnds = 129;
/** Larger grids are cut into 4 by 4 parts. */
const mostPointsOfPart = 257;
const partsOfLarge = 4;
/** Half the step makes a quarter of the error where an image is smooth; a third is on the safe side. */
const smooth = 3;

/**
 * Computes the view mesh of a raster: the source pixel of each point of a grid in Web Mercator, twice as fine until the middles
 * between its points are right to a quarter of a pixel. What reads it, and its bytes, are in `common/maps/raster/mesh.ts`.
 * @param bbox the box of the raster on the earth, in degrees.
 * @returns undefined for a raster that does not lie on the earth, or not where Web Mercator does.
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

/** The points of a grid that the one of twice its step has as well. */
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

/** Pixels by which what is interpolated may be wrong. */
export const tolerancePixels = 0.25;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The errors of a grid, measured against one of half its step. */
export interface GridErrors {
  /** How wrong the middles between two points of the coarser grid are at most, in pixels, leaps left out. */
  readonly worst: number;
  /** Points of this grid behind a leap: between each and a neighbour above it or to its left the image does not go on. */
  readonly leaps: ReadonlySet<number>;
  /** The same at the edge of the box, with the point on the edge: the image beyond it is another part of the raster. */
  readonly atEdge: ReadonlySet<number>;
  readonly hasGaps: boolean;
  /** Lines that bend by more than the tolerance, without an obvious leap. */
  readonly bent: readonly Line[];
}

/** Three points of a line: the number of the first one, and of numbers to the next. */
export interface Line {
  readonly first: number;
  readonly step: number;
  /** True where the line begins, and where it ends, at the edge of the box. */
  readonly begins: boolean;
  readonly ends: boolean;
}

/**
 * Measures what the grid of twice the step would be wrong by where it interpolates. Along a line of three points whose second
 * half is as long as its first the middle is right; where one half is nearly all of it, and stays so however short it is, the
 * image leaps. Cells beside the raster do not count.
 */
export function errorsOf(grid: ViewGrid, raster: Size): GridErrors {
  const { side, columns, rows } = grid;
  let worst = 0;
  const [leaps, atEdge] = [new Set<number>(), new Set<number>()];
  const bent: Line[] = [];
  const look = (line: Line): boolean => {
    const { first, step, begins, ends } = line;
    const { bend, before, after } = shapeOf(grid, first, step);
    if (!(bend > 2 * tolerancePixels && bend > (before + after) / 2)) {
      // False where there is a gap, which is not an error.
      if (bend / 2 > worst) worst = bend / 2;
      if (bend > 2 * tolerancePixels) bent.push(line);
      return false;
    }
    if (before > after) (begins ? atEdge : leaps).add(begins ? first : first + step);
    else (ends ? atEdge : leaps).add(first + 2 * step);
    return true;
  };
  for (const cell of cellsOf(grid, raster)) {
    const torn = linesOf(cell, side).map(look);
    if (torn.includes(true)) continue;
    const error = Math.hypot(centreError(columns, cell, side), centreError(rows, cell, side));
    if (error > worst) worst = error;
  }
  return { worst, leaps, atEdge, hasGaps: columns.some(Number.isNaN), bent };
}

/** More bent lines than these are those of a raster for which no grid is fine enough. */
const maxBentLines = 100_000;

/**
 * Finds leaps that are shorter than the steps of the grid: half of a half of a line bends as much as the whole line, instead of
 * a quarter. @returns points as those of `leaps`. @param move as `movePlaces`, for this box.
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

/** How a line of three points goes, in pixels. */
function shapeOf({ columns, rows }: ViewGrid, first: number, step: number) {
  const [x0, x1, x2] = [
    columns[first] ?? NaN,
    columns[first + step] ?? NaN,
    columns[first + 2 * step] ?? NaN,
  ];
  const [y0, y1, y2] = [rows[first] ?? NaN, rows[first + step] ?? NaN, rows[first + 2 * step] ?? NaN];
  return {
    /** Twice the distance of the middle from where it would be interpolated to. */
    bend: Math.hypot(x0 + x2 - 2 * x1, y0 + y2 - 2 * y1),
    before: Math.hypot(x1 - x0, y1 - y0),
    after: Math.hypot(x2 - x1, y2 - y1),
  };
}

/** The first corners of the cells of the grid of twice the step, as far as they have to do with the raster. */
function* cellsOf(grid: ViewGrid, raster: Size): Generator<number> {
  const { side } = grid;
  for (let j = 0; j + 2 < side; j += 2)
    for (let i = 0; i + 2 < side; i += 2) if (!isCellBeside(grid, j * side + i, raster)) yield j * side + i;
}

/** The lines through the points of a cell, from left to right and down. */
function linesOf(cell: number, side: number): readonly Line[] {
  const [i, j] = [cell % side, Math.floor(cell / side)];
  return [0, 1, 2].flatMap((line) => [
    { first: cell + line * side, step: 1, begins: i === 0, ends: i + 3 === side },
    { first: cell + line, step: side, begins: j === 0, ends: j + 3 === side },
  ]);
}

/** How far the middle of a cell of the coarser grid, given by its first corner, is from the mean of its corners. */
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
 * Opens a grid where the image leaps, and closes it where the image ends, by one point in the direction of its neighbours: so
 * no cell reaches over a leap, and none is lost at the edge of what the projection has.
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
