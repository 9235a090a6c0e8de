/** From the CRS of the view to the CRS of a raster; not finite for places without an image. */
export type Projection = (x: number, y: number) => readonly [number, number];

/** A square of the view by its upper left corner and its side, in units of the view. */
export interface Square {
  readonly left: number;
  readonly top: number;
  readonly span: number;
}

/** Cells per side of the page's lattices; their corners are projected, and places inside are interpolated. */
export const cells = 8;

/** Positions of the corners of a square's cells in a raster, in pixels of full resolution, row by row; NaN for none. */
export interface Lattice {
  /** Cells per side; there is one more corner. */
  readonly cells: number;
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

/** Projects 9 × 9 points of a square. */
export function latticeOf(square: Square, project: Projection, affine: Affine): Lattice {
  return fillLattice(square, cells, (x, y) => pixelOf(affine, ...project(x, y)));
}

/** Computes the pixel of each corner of a square that is cut into `cells` by `cells`. */
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

/** Range of the drawn cells of a lattice (those with four corners) along an axis. */
interface Cover {
  readonly least: number;
  readonly greatest: number;
  /** Average number of pixels per cell. */
  readonly perCell: number;
}

/** Returns undefined if no cell is drawn. */
function coverOf({ cells, columns, rows }: Lattice): { columns: Cover; rows: Cover } | undefined {
  // A tile has a thousand cells, so that this allocates no arrays.
  const of = (numbers: Float64Array): Cover => {
    let [least, greatest, sum, count] = [Infinity, -Infinity, 0, 0];
    for (let cell = 0; cell < cells * cells; cell += 1) {
      const upper = cell + Math.floor(cell / cells);
      const lower = upper + cells + 1;
      const a = numbers[upper] ?? Number.NaN;
      const b = numbers[upper + 1] ?? Number.NaN;
      const c = numbers[lower] ?? Number.NaN;
      const d = numbers[lower + 1] ?? Number.NaN;
      // Column and row of a corner are NaN together; a sum is not finite if any of them is not.
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

/** The level to read and its tiles: first and last column and row, inclusive. */
export interface Plan {
  readonly level: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  readonly firstRow: number;
  readonly lastRow: number;
  /** First and last required row of pixels of the level, inclusive. */
  readonly top: number;
  readonly bottom: number;
}

/** An overview may be a fifth coarser than the screen before the next finer one is read. */
const tolerance = 1.2;

/** Plans the tiles for a lattice of `size` screen pixels per side; undefined if it misses the raster. */
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
  // Values are sampled inside the cells, never on their outer edge.
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

/** Converts pixels to a CRS: x = x0 + column * dxColumn + row * dxRow, y likewise; (0, 0) is the outer corner of the first pixel. */
export interface Affine {
  readonly x0: number;
  readonly dxColumn: number;
  readonly dxRow: number;
  readonly y0: number;
  readonly dyColumn: number;
  readonly dyRow: number;
}

/** Georeference of a GeoTIFF with the numbers of its tags. */
export interface PlaceTags {
  readonly pixelScale: ArrayLike<number> | undefined;
  readonly tiepoint: ArrayLike<number> | undefined;
  readonly transformation: ArrayLike<number> | undefined;
  /** The coordinates are those of pixel centres (RasterPixelIsPoint). */
  readonly isPoint: boolean;
}

const at = (numbers: ArrayLike<number>, index: number) => numbers[index] ?? 0;

/**
 * Returns the affine transform of a raster, rotated ones included; undefined without a georeference, or with ground control points only.
 */
export function affineOf({ pixelScale, tiepoint, transformation, isPoint }: PlaceTags): Affine | undefined {
  const affine = fromMatrix(transformation) ?? fromScale(pixelScale, tiepoint);
  if (affine === undefined) return undefined;
  const area = affine.dxColumn * affine.dyRow - affine.dxRow * affine.dyColumn;
  if (!Number.isFinite(area) || area === 0) return undefined;
  if (!isPoint) return affine;
  const { x0, y0, dxColumn, dxRow, dyColumn, dyRow } = affine;
  return { ...affine, x0: x0 - (dxColumn + dxRow) / 2, y0: y0 - (dyColumn + dyRow) / 2 };
}

function fromMatrix(matrix: ArrayLike<number> | undefined): Affine | undefined {
  if (matrix === undefined || matrix.length < 16) return undefined;
  return {
    dxColumn: at(matrix, 0),
    dxRow: at(matrix, 1),
    x0: at(matrix, 3),
    dyColumn: at(matrix, 4),
    dyRow: at(matrix, 5),
    y0: at(matrix, 7),
  };
}

function fromScale(
  scale: ArrayLike<number> | undefined,
  tie: ArrayLike<number> | undefined,
): Affine | undefined {
  if (scale === undefined || tie === undefined || scale.length < 2 || tie.length !== 6) return undefined;
  // Some writers give a negative height although rows go down; GDAL accepts this as well.
  const [dxColumn, dyRow] = [at(scale, 0), -Math.abs(at(scale, 1))];
  return {
    dxColumn,
    dxRow: 0,
    x0: at(tie, 3) - at(tie, 0) * dxColumn,
    dyColumn: 0,
    dyRow,
    y0: at(tie, 4) - at(tie, 1) * dyRow,
  };
}

/** Converts from the CRS to pixels: `[column, row]`, integers at the outer corners of pixels. */
export function pixelOf(affine: Affine, x: number, y: number): readonly [number, number] {
  const { x0, y0, dxColumn, dxRow, dyColumn, dyRow } = affine;
  const area = dxColumn * dyRow - dxRow * dyColumn;
  const [dx, dy] = [x - x0, y - y0];
  return [(dx * dyRow - dy * dxRow) / area, (dy * dxColumn - dx * dyColumn) / area];
}
