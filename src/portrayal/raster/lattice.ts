import { type Affine, pixelOf } from './affine.ts';

/** From the CRS of the view to the CRS of a raster; not finite where there is no such place. */
export type Projection = (x: number, y: number) => readonly [number, number];

/** A square of the view: its upper left corner and its side, in units of the view. */
export interface Square {
  readonly left: number;
  readonly top: number;
  readonly span: number;
}

/** Cells along a side; the corners between them are projected, what lies inside is interpolated. */
export const cells = 8;
const corners = cells + 1;

/** Where the corners of the cells lie in the raster, in pixels of full resolution, row by row. */
export interface Lattice {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

/** Projects 9 × 9 points of a square. */
export function latticeOf(square: Square, project: Projection, affine: Affine): Lattice {
  const columns = new Float64Array(corners * corners);
  const rows = new Float64Array(corners * corners);
  const step = square.span / cells;
  for (let j = 0; j < corners; j += 1) {
    for (let i = 0; i < corners; i += 1) {
      const [x, y] = project(square.left + i * step, square.top - j * step);
      const [column, row] = pixelOf(affine, x, y);
      columns[j * corners + i] = column;
      rows[j * corners + i] = row;
    }
  }
  return { columns, rows };
}

/** The range of what is finite, `[least, greatest]`; undefined when nothing is. */
export function rangeOf(numbers: Float64Array): readonly [number, number] | undefined {
  const finite = numbers.filter((number) => Number.isFinite(number));
  if (finite.length === 0) return undefined;
  return [Math.min(...finite), Math.max(...finite)];
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface TiledSize extends Size {
  readonly tileWidth: number;
  readonly tileHeight: number;
}

/** The level to read and its tiles: first and last column and row, both inclusive. */
export interface Plan {
  readonly level: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** An overview may be a fifth coarser than the screen before the next finer one is read. */
const tolerance = 1.2;

/** Plans what a lattice of `size` screen pixels along a side needs. Undefined when it misses the raster. */
export function planOf(lattice: Lattice, size: number, levels: readonly TiledSize[]): Plan | undefined {
  const columns = rangeOf(lattice.columns);
  const rows = rangeOf(lattice.rows);
  const [full] = levels;
  if (columns === undefined || rows === undefined || full === undefined) return undefined;
  if (columns[1] <= 0 || columns[0] >= full.width || rows[1] <= 0 || rows[0] >= full.height) return undefined;
  const density = Math.max(columns[1] - columns[0], rows[1] - rows[0]) / size;
  const level = levels.findLastIndex(({ width }) => full.width / width <= density * tolerance);
  const chosen = levels[Math.max(0, level)] ?? full;
  const across = (column: number) => Math.floor((column * chosen.width) / full.width / chosen.tileWidth);
  const down = (row: number) => Math.floor((row * chosen.height) / full.height / chosen.tileHeight);
  return {
    level: Math.max(0, level),
    firstColumn: across(Math.max(0, columns[0])),
    lastColumn: Math.min(across(columns[1]), Math.ceil(chosen.width / chosen.tileWidth) - 1),
    firstRow: down(Math.max(0, rows[0])),
    lastRow: Math.min(down(rows[1]), Math.ceil(chosen.height / chosen.tileHeight) - 1),
  };
}
