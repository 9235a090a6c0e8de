import { type Affine, pixelOf } from './affine.ts';

/** From the CRS of the view to the CRS of a raster; not finite where there is no such place. */
export type Projection = (x: number, y: number) => readonly [number, number];

/** A square of the view: its upper left corner and its side, in units of the view. */
export interface Square {
  readonly left: number;
  readonly top: number;
  readonly span: number;
}

/** Cells along a side of the page's lattices; the corners between them are projected, what lies inside is interpolated. */
export const cells = 8;

/** Where the corners of the cells of a square lie in a raster, in pixels of full resolution, row by row; NaN for nowhere. */
export interface Lattice {
  /** Cells along a side; there is one corner more. */
  readonly cells: number;
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

/** Projects 9 × 9 points of a square. */
export function latticeOf(square: Square, project: Projection, affine: Affine): Lattice {
  return fillLattice(square, cells, (x, y) => pixelOf(affine, ...project(x, y)));
}

/** Looks up the pixel of each corner of a square that is cut into `cells` by `cells`. */
export function fillLattice(square: Square, cells: number, pixelAt: Projection): Lattice {
  const corners = cells + 1;
  const columns = new Float64Array(corners * corners);
  const rows = new Float64Array(corners * corners);
  const step = square.span / cells;
  for (let j = 0; j < corners; j += 1) {
    for (let i = 0; i < corners; i += 1) {
      const [column, row] = pixelAt(square.left + i * step, square.top - j * step);
      columns[j * corners + i] = column;
      rows[j * corners + i] = row;
    }
  }
  return { cells, columns, rows };
}

/** What the drawn cells of a lattice, those with four corners, cover along an axis. */
interface Cover {
  readonly least: number;
  readonly greatest: number;
  /** Pixels that a cell spans, on average. */
  readonly perCell: number;
}

/** Undefined when no cell is drawn. */
function coverOf({ cells, columns, rows }: Lattice): { columns: Cover; rows: Cover } | undefined {
  // A tile has a thousand cells: none of them makes an array.
  const of = (numbers: Float64Array): Cover => {
    let [least, greatest, sum, count] = [Infinity, -Infinity, 0, 0];
    for (let cell = 0; cell < cells * cells; cell += 1) {
      const upper = cell + Math.floor(cell / cells);
      const lower = upper + cells + 1;
      const a = numbers[upper] ?? Number.NaN;
      const b = numbers[upper + 1] ?? Number.NaN;
      const c = numbers[lower] ?? Number.NaN;
      const d = numbers[lower + 1] ?? Number.NaN;
      // The columns and the rows of a corner are NaN together; a sum is not finite when one of them is not.
      if (!Number.isFinite(a + b + c + d)) continue;
      const low = Math.min(a, b, c, d);
      const high = Math.max(a, b, c, d);
      least = Math.min(least, low);
      greatest = Math.max(greatest, high);
      sum += high - low;
      count += 1;
    }
    return { least, greatest, perCell: sum / count };
  };
  const cover = { columns: of(columns), rows: of(rows) };
  return Number.isFinite(cover.columns.perCell) && Number.isFinite(cover.rows.perCell) ? cover : undefined;
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
  /** The first and the last row of pixels of the level that are needed, both inclusive. */
  readonly top: number;
  readonly bottom: number;
}

/** An overview may be a fifth coarser than the screen before the next finer one is read. */
const tolerance = 1.2;

/** Plans what a lattice of `size` screen pixels along a side needs. Undefined when it misses the raster. */
export function planOf(lattice: Lattice, size: number, levels: readonly TiledSize[]): Plan | undefined {
  const cover = coverOf(lattice);
  const [full] = levels;
  if (cover === undefined || full === undefined) return undefined;
  const { columns, rows } = cover;
  const isBeside = ({ least, greatest }: Cover, side: number) => greatest <= 0 || least >= side;
  if (isBeside(columns, full.width) || isBeside(rows, full.height)) return undefined;
  const density = (Math.max(columns.perCell, rows.perCell) * lattice.cells) / size;
  const level = levels.findLastIndex(({ width }) => full.width / width <= density * tolerance);
  const chosen = levels[Math.max(0, level)] ?? full;
  // Values are taken within the cells, never on their outer edge.
  const rangeOf = ({ least, greatest }: Cover, side: number, fullSide: number) => {
    const first = Math.floor((Math.max(0, least) * side) / fullSide);
    const last = Math.ceil((greatest * side) / fullSide) - 1;
    return [first, Math.max(first, Math.min(last, side - 1))] as const;
  };
  const [left, right] = rangeOf(columns, chosen.width, full.width);
  const [top, bottom] = rangeOf(rows, chosen.height, full.height);
  return {
    level: Math.max(0, level),
    firstColumn: Math.floor(left / chosen.tileWidth),
    lastColumn: Math.floor(right / chosen.tileWidth),
    firstRow: Math.floor(top / chosen.tileHeight),
    lastRow: Math.floor(bottom / chosen.tileHeight),
    top,
    bottom,
  };
}
