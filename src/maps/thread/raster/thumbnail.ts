import { fillLattice, type Lattice, type Size } from '../../raster/lattice.ts';
import type { ViewMesh } from '../../raster/mesh.ts';
import { meshLattices } from '../../raster/mesh-lattice.ts';

/** Screen pixels from one projected point to the next. */
const cellPixels = 8;

/** Places a raster as a whole, in Web Mercator, in a square picture of `size` pixels a side. */
export function wholeOnEarth(mesh: ViewMesh, size: number): readonly Lattice[] {
  const { left, right, top, bottom } = mesh;
  const span = Math.max(right - left, top - bottom);
  const square = { left: (left + right - span) / 2, top: (top + bottom + span) / 2, span };
  return meshLattices(mesh, square, size / cellPixels);
}

/** Places a raster that lies nowhere as it is, its first row at the top. */
export function wholeAsItIs({ width, height }: Size, size: number): readonly Lattice[] {
  const span = Math.max(width, height);
  const square = { left: (width - span) / 2, top: (span - height) / 2, span };
  return [fillLattice(square, size / cellPixels, (x, y) => [x, -y])];
}
