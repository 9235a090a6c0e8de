import type { Lattice, Plan, Size, TiledSize } from '../../../portrayal/raster/lattice.ts';

/** An overview may be a fifth coarser than the screen before the next finer one is read. */
const tolerance = 1.2;

/** The level that a tile is drawn from, the rectangle of blocks in it, and which of these are needed. */
export interface TilePlan {
  readonly plan: Plan;
  readonly blocks: readonly { readonly column: number; readonly row: number }[];
}

/**
 * Plans what a square of `size` screen pixels needs. Undefined when it misses the raster.
 * @param lattice in pixels of the full resolution, which is the first of the levels.
 */
export function planTile(lattice: Lattice, size: number, levels: readonly TiledSize[]): TilePlan | undefined {
  const [full] = levels;
  if (full === undefined) return undefined;
  const boxes = cellBoxes(lattice, full);
  if (boxes.length === 0) return undefined;
  const step = size / lattice.cells;
  const density = boxes.reduce((sum, box) => sum + box.span, 0) / boxes.length / step;
  const level = Math.max(
    0,
    levels.findLastIndex(({ width }) => full.width / width <= density * tolerance),
  );
  const chosen = levels[level] ?? full;
  const [across, down] = [chosen.width / full.width, chosen.height / full.height];
  const lastOf = (pixels: number, tile: number) => Math.ceil(pixels / tile) - 1;
  const last = {
    column: lastOf(chosen.width, chosen.tileWidth),
    row: lastOf(chosen.height, chosen.tileHeight),
  };
  const needed = new Map<number, { readonly column: number; readonly row: number }>();
  for (const { left, right, top, bottom } of boxes) {
    const to = {
      column: Math.min(last.column, Math.floor((right * across) / chosen.tileWidth)),
      row: Math.min(last.row, Math.floor((bottom * down) / chosen.tileHeight)),
    };
    for (let row = Math.floor((top * down) / chosen.tileHeight); row <= to.row; row += 1) {
      for (let column = Math.floor((left * across) / chosen.tileWidth); column <= to.column; column += 1)
        needed.set(row * (last.column + 1) + column, { column, row });
    }
  }
  const blocks = [...needed.values()];
  const columns = blocks.map(({ column }) => column);
  const rows = blocks.map(({ row }) => row);
  return {
    plan: {
      level,
      firstColumn: columns.reduce((a, b) => Math.min(a, b)),
      lastColumn: columns.reduce((a, b) => Math.max(a, b)),
      firstRow: rows.reduce((a, b) => Math.min(a, b)),
      lastRow: rows.reduce((a, b) => Math.max(a, b)),
    },
    blocks,
  };
}

interface CellBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The longer of the ways that its upper and its left edge take through the raster, in pixels. */
  readonly span: number;
}

/** The boxes of the cells that meet the raster, cut at its edges, in pixels; a cell counts by those of its corners that are somewhere. */
function cellBoxes({ cells, columns, rows }: Lattice, { width, height }: Size): readonly CellBox[] {
  const boxes: CellBox[] = [];
  for (let j = 0; j < cells; j += 1) {
    for (let i = 0; i < cells; i += 1) {
      const upper = j * (cells + 1) + i;
      const box = boxOf([upper, upper + 1, upper + cells + 1, upper + cells + 2], columns, rows);
      if (box.right <= 0 || box.left >= width || box.bottom <= 0 || box.top >= height) continue;
      if (!(box.right >= box.left)) continue;
      boxes.push({
        left: Math.max(0, box.left),
        right: Math.min(width, box.right),
        top: Math.max(0, box.top),
        bottom: Math.min(height, box.bottom),
        span: box.span,
      });
    }
  }
  return boxes;
}

type Corners = readonly [upperLeft: number, upperRight: number, lowerLeft: number, lowerRight: number];

function boxOf(corners: Corners, columns: Float64Array, rows: Float64Array): CellBox {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const corner of corners) {
    const [column = Number.NaN, row = Number.NaN] = [columns[corner], rows[corner]];
    if (Number.isNaN(column) || Number.isNaN(row)) continue;
    [left, right] = [Math.min(left, column), Math.max(right, column)];
    [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
  }
  const [upperLeft, upperRight, lowerLeft] = corners;
  const way = (from: number, to: number) =>
    Math.hypot((columns[to] ?? 0) - (columns[from] ?? 0), (rows[to] ?? 0) - (rows[from] ?? 0));
  const ways = [way(upperLeft, upperRight), way(upperLeft, lowerLeft)].filter((length) => !Number.isNaN(length));
  return { left, right, top, bottom, span: ways.length === 0 ? 0 : Math.max(...ways) };
}
