import { tileAt } from '../test/support/tiles.ts';

export type Tile = readonly [zoom: number, x: number, y: number];

/** How a raster is drawn by service and peers alike. */
export interface Drawn {
  /** Colours by value, or cividis over a range of values. */
  readonly colours?: Readonly<Record<string, readonly [number, number, number, number]>>;
  readonly stretch?: readonly [number, number];
}

interface Box {
  readonly bounds: readonly [number, number, number, number];
}

/** Columns and rows of tiles that a map shows at once. */
const view = { columns: 5, rows: 4 } as const;

/** Range of tiles that lie within a box at a zoom, both ends inclusive. */
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

/** Tiles of one zoom, so far apart that no two of them need the same block. */
export function apartTiles(box: Box, zoom: number, step: number): readonly Tile[] {
  const { left, top, right, bottom } = rangeOf(box, zoom);
  const tiles: Tile[] = [];
  for (let y = top; y <= bottom; y += step) {
    for (let x = left; x <= right; x += step) tiles.push([zoom, x, y]);
  }
  return tiles;
}

/**
 * The tiles that a map asks for while a person walks over a raster: to the right, down, back and in or out, always with what
 * the step before has shown as well. The same for the same box.
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
