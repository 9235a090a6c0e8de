import { tileAt } from '../test/support/maps/tiles.ts';

export type Tile = readonly [zoom: number, x: number, y: number];

/** The style of a raster, for the service and its peers. */
export interface Drawn {
  /** Colours by value, or cividis for a range of values. */
  readonly colours?: Readonly<Record<string, readonly [number, number, number, number]>>;
  readonly stretch?: readonly [number, number];
}

interface Box {
  readonly bounds: readonly [number, number, number, number];
}

/** Columns and rows of the tiles in a map view. */
const view = { columns: 5, rows: 4 } as const;

/** Returns the range of tiles within a box at a zoom level, both ends inclusive. */
function rangeOf({ bounds: [west, south, east, north] }: Box, zoom: number) {
  const [, left, top] = tileAt(west, north, zoom);
  const [, right, bottom] = tileAt(east, south, zoom);
  return {
    left: left + 1,
    top: top + 1,
    right: Math.max(left + 1, right - 1),
    bottom: Math.max(top + 1, bottom - 1),
  };
}

/** Returns tiles of one zoom level with a distance at which no two of them need the same block. */
export function apartTiles(box: Box, zoom: number, step: number): readonly Tile[] {
  const { left, top, right, bottom } = rangeOf(box, zoom);
  const tiles: Tile[] = [];
  for (let y = top; y <= bottom; y += step) {
    for (let x = left; x <= right; x += step) tiles.push([zoom, x, y]);
  }
  return tiles;
}

/**
 * Returns the tiles that a map requests while a user pans over a raster: right, down, back and in or out, including the tiles of the
 * previous view. The same for the same box.
 */
export function panningTrace(box: Box, zooms: readonly number[], count: number): readonly Tile[] {
  const tiles: Tile[] = [];
  for (let step = 0; tiles.length < count; step += 1) {
    const zoom = zooms[Math.floor(step / 6) % zooms.length] ?? 0;
    const { left, top, right, bottom } = rangeOf(box, zoom);
    const [across, down] = [
      Math.max(1, right - left - view.columns + 2),
      Math.max(1, bottom - top - view.rows + 2),
    ];
    const [x0, y0] = [left + ((step * 2) % across), top + (Math.floor(step / 3) % down)];
    for (let row = 0; row < view.rows; row += 1) {
      for (let column = 0; column < view.columns; column += 1) {
        const [x, y] = [x0 + column, y0 + row];
        if (x <= right && y <= bottom) tiles.push([zoom, x, y]);
      }
    }
  }
  return tiles.slice(0, count);
}
