/** A rectangle of pixels, in absolute columns and rows of the reference grid. */
export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Bounds the memory of one tile: 32 bands of it take some 25 MB. Larger ones are no quicker. */
export const maxTileSide = 512;

/** Covers a grid once with square windows from the top-left corner; the last row and column are cut. */
export function* windowsOf(grid: Size, side: number): Generator<Tile> {
  yield* cut({ x: 0, y: 0, width: grid.width, height: grid.height }, side);
}

/** Covers windows, in their order, with the tiles that are computed in one piece. */
export function* tilesOf(windows: Iterable<Tile>): Generator<Tile> {
  for (const window of windows) yield* cut(window, maxTileSide);
}

function* cut(whole: Tile, side: number): Generator<Tile> {
  const right = whole.x + whole.width;
  const bottom = whole.y + whole.height;
  for (let y = whole.y; y < bottom; y += side) {
    for (let x = whole.x; x < right; x += side) {
      yield { x, y, width: Math.min(side, right - x), height: Math.min(side, bottom - y) };
    }
  }
}

/** A tile and the pixels up to `columns` and `rows` around it, cut at the edge of the grid. */
export function withHalo(
  tile: Tile,
  halo: { readonly columns: number; readonly rows: number },
  grid: Size,
): Tile {
  const x = Math.max(0, tile.x - halo.columns);
  const y = Math.max(0, tile.y - halo.rows);
  const right = Math.min(grid.width, tile.x + tile.width + halo.columns);
  const bottom = Math.min(grid.height, tile.y + tile.height + halo.rows);
  return { x, y, width: right - x, height: bottom - y };
}
