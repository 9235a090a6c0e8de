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

/** Bounds the memory of a tile: 32 bands of it take about 25 MB. Larger tiles are not faster. */
export const maxTileSide = 512;

/**
 * Yields square windows that cover a grid once, from the top-left corner; the last row and column are clipped. Their side is a multiple
 * of the tile side, so that all tiles have the same alignment.
 */
export function* windowsOf(grid: Size, atLeast: number): Generator<Tile> {
  yield* windowsIn({ x: 0, y: 0, width: grid.width, height: grid.height }, atLeast);
}

/** Yields such windows for a part of a grid, from its own corner, which must be the corner of a tile. */
export function* windowsIn(part: Tile, atLeast: number): Generator<Tile> {
  yield* cut(part, Math.ceil(atLeast / maxTileSide) * maxTileSide);
}

/** Yields the tiles of windows, in the order of the windows. */
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

/** Returns a tile extended by up to `columns` and `rows` pixels on each side, clipped to the grid. */
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

/** The approximate number of pixels that one process computes: it limits the loss after a death, and makes its start negligible. */
const batchPixels = 32e6;

/**
 * Divides windows into batches for child processes, as runs of neighbours: they share source blocks, which a process decodes once. There
 * is at least one batch per worker, if there are enough windows.
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
