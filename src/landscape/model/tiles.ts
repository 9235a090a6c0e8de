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

/**
 * Covers a grid once with square windows from the top-left corner; the last row and column are cut. Their side is a
 * multiple of that of a tile, so that all tiles lie on one grid.
 */
export function* windowsOf(grid: Size, atLeast: number): Generator<Tile> {
  yield* windowsIn({ x: 0, y: 0, width: grid.width, height: grid.height }, atLeast);
}

/** Covers a part of a grid with such windows, from its own corner, which lies on that of a tile. */
export function* windowsIn(part: Tile, atLeast: number): Generator<Tile> {
  yield* cut(part, Math.ceil(atLeast / maxTileSide) * maxTileSide);
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

/** About what one process computes before it ends: a death costs no more, and its start is lost in the time it takes. */
const batchPixels = 32e6;

/**
 * Deals windows out for child processes, in runs of neighbours: they share blocks of their sources, which a process
 * then decodes once. There is a batch for every worker as long as there are windows.
 */
export function batchesOf(windows: readonly Tile[], workers: number): readonly (readonly Tile[])[] {
  const pixels = windows.reduce((sum, { width, height }) => sum + width * height, 0);
  const count = Math.min(windows.length, Math.max(workers, Math.ceil(pixels / batchPixels)));
  return Array.from({ length: count }, (_, index) =>
    windows.slice(
      Math.floor((index * windows.length) / count),
      Math.floor(((index + 1) * windows.length) / count),
    ),
  );
}
