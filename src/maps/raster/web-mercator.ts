import type { Square } from './lattice.ts';
import { halfWorld } from './mesh.ts';

/** A tile of WebMercatorQuad: zoom, column from the west, row from the north. */
export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** The denominator of scale of zoom 0, for pixels of 0.28 mm (OGC 17-083r4, annex D). */
const denominatorOfWorld = 559_082_264.0287178;

/** Returns the denominator of scale of a zoom. */
export function denominatorOf(zoom: number): number {
  return denominatorOfWorld / 2 ** zoom;
}

/** Returns the square of a tile of WebMercatorQuad, in metres. */
export function squareOfTile({ z, x, y }: Tile): Square {
  const span = (2 * halfWorld) / 2 ** z;
  return { left: -halfWorld + x * span, top: halfWorld - y * span, span };
}
