import type { Square } from '../../../portrayal/raster/lattice.ts';
import { halfWorld } from '../../../portrayal/raster/mesh.ts';

/** Returns the square of a tile of WebMercatorQuad, in metres. */
export function squareOfTile({ z, x, y }: Readonly<Record<'z' | 'x' | 'y', number>>): Square {
  const span = (2 * halfWorld) / 2 ** z;
  return { left: -halfWorld + x * span, top: halfWorld - y * span, span };
}
