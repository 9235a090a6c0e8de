import { latitudeOf, longitudeOf, type ViewBox } from './view-box.ts';
import type { ViewSource } from './view-source.ts';

/** The source pixels of points of a box, row by row; NaN, NaN where there is none. */
export interface ViewGrid {
  /** Points along a side. */
  readonly side: number;
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

/** Points that are moved by one call; for many more the texts between here and GDAL would take too much memory. */
const pointsAtOnce = 8192;
/** Metres by which the points at the ends of a whole turn lie within it, so that a projection takes each to its own edge. */
const inset = 0.01;

/** Makes the first grid of a box. */
export function firstGrid(box: ViewBox, source: ViewSource, side: number): ViewGrid {
  const grid = emptyGrid(side);
  fill(grid, box, source, Uint32Array.from(grid.columns.keys()));
  return grid;
}

/** Makes a grid of half the step: every second point is that of the grid before. */
export function finerGrid(before: ViewGrid, box: ViewBox, source: ViewSource): ViewGrid {
  const grid = emptyGrid(2 * before.side - 1);
  const wanted: number[] = [];
  for (let j = 0; j < grid.side; j += 1) {
    for (let i = 0; i < grid.side; i += 1) {
      const at = j * grid.side + i;
      if (i % 2 === 0 && j % 2 === 0) {
        const from = (j / 2) * before.side + i / 2;
        [grid.columns[at], grid.rows[at]] = [before.columns[from] ?? NaN, before.rows[from] ?? NaN];
      } else if (hasImageAround(before, i / 2, j / 2)) wanted.push(at);
    }
  }
  fill(grid, box, source, Uint32Array.from(wanted));
  return grid;
}

function emptyGrid(side: number): ViewGrid {
  return {
    side,
    columns: new Float64Array(side * side).fill(NaN),
    rows: new Float64Array(side * side).fill(NaN),
  };
}

/** Tells whether a point within a step and a half has an image; amid others that have none, there is none to be looked for. */
function hasImageAround({ side, columns }: ViewGrid, i: number, j: number): boolean {
  const [top, bottom] = [Math.max(0, Math.ceil(j) - 2), Math.min(side - 1, Math.floor(j) + 2)];
  const [left, right] = [Math.max(0, Math.ceil(i) - 2), Math.min(side - 1, Math.floor(i) + 2)];
  for (let row = top; row <= bottom; row += 1)
    for (let column = left; column <= right; column += 1)
      if (!Number.isNaN(columns[row * side + column])) return true;
  return false;
}

function fill(
  { side, columns, rows }: ViewGrid,
  box: ViewBox,
  source: ViewSource,
  wanted: Uint32Array,
): void {
  for (let start = 0; start < wanted.length; start += pointsAtOnce) {
    const some = wanted.subarray(start, start + pointsAtOnce);
    const across = Float64Array.from(some, (at) => (at % side) / (side - 1));
    const down = Float64Array.from(some, (at) => Math.floor(at / side) / (side - 1));
    movePlaces(across, down, box, source);
    for (const [i, at] of some.entries()) [columns[at], rows[at]] = [across[i] ?? NaN, down[i] ?? NaN];
  }
}

/** Moves places of a box, given by shares of its sides from the upper left, to columns and rows of the raster, in place. */
export function movePlaces(across: Float64Array, down: Float64Array, box: ViewBox, source: ViewSource): void {
  const { left, right, top, bottom, isWholeTurn, middle } = box;
  const margin = isWholeTurn ? inset : 0;
  for (const [i, share] of across.entries()) {
    const x = left + (right - left) * share;
    across[i] = longitudeOf(Math.max(left + margin, Math.min(right - margin, x)));
    down[i] = latitudeOf(top + (bottom - top) * (down[i] ?? NaN));
  }
  source.toPixels(across, down, middle);
}
