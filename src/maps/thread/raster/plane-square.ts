import type { OpenPlane } from '../../../../common/maps/paper/planes.ts';
import { fillLattice, type Lattice, type Square } from '../../../../common/maps/raster/lattice.ts';
import { meshPointAt, type ViewMesh } from '../../../../common/maps/raster/mesh.ts';
import { halfWorld, worldX, worldY } from '../../../../common/maps/raster/web-mercator.ts';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import type { Painted } from './draw-raster.ts';

/** A picture of a part of a plane. */
export interface PlaneFrame {
  /** Upper left corner in metres. */
  readonly left: number;
  readonly top: number;
  readonly metresPerPixel: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

const world = 2 * halfWorld;
/** Distance of projected points in pixels; a cell with a gap of the raster's image is not drawn. */
const [cellPixels, finePixels] = [8, 2] as const;

/** Maps a square of a plane to a raster. @param size of the square in pixels */
export function planeLattice(
  mesh: ViewMesh,
  square: Square,
  { size, plane }: { readonly size: number; readonly plane: OpenPlane },
): Lattice {
  const cells = size / (mesh.gaps === undefined ? cellPixels : finePixels);
  return fillLattice(square, cells, (x, y) => {
    const [lon, lat] = plane.fromPlane(x, y);
    return meshPointAt(mesh, (worldX(lon) - 0.5) * world, (0.5 - worldY(lat)) * world);
  });
}

interface Strip {
  /** Four bytes per pixel. */
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly rows: number;
  /** First column of the square. */
  readonly column: number;
}

/** Draws the part of a square within a strip over what the strip has. */
export function copyOver(painted: Painted, size: number, { pixels, width, rows, column }: Strip): void {
  const across = Math.min(size, width - column);
  const source =
    painted.kind === 'indexed'
      ? painted.indices
      : new Uint32Array(painted.pixels.buffer, painted.pixels.byteOffset, size * size);
  const palette = painted.kind === 'indexed' ? Uint32Array.from(painted.palette, wordOf) : undefined;
  for (let row = 0; row < rows; row += 1) {
    for (let x = 0; x < across; x += 1) {
      const value = source[row * size + x] ?? 0;
      const word = palette === undefined ? value : (palette[value] ?? 0);
      const at = row * width + column + x;
      const opacity = word >>> opacityShift;
      if (opacity === 255) pixels[at] = word;
      else if (opacity > 0) pixels[at] = blended(word, pixels[at] ?? white);
    }
  }
}

const white = 0xff_ff_ff_ff;
const channels = new Uint8Array(4);
const words = new Uint32Array(channels.buffer);
/** Words have the bytes of a colour in the order of the machine, which is little-endian. */
const opacityShift = 24;

function wordOf(colour: Rgba): number {
  channels.set(colour);
  return words[0] ?? 0;
}

/** Returns a colour over an opaque one. */
function blended(over: number, under: number): number {
  const opacity = (over >>> opacityShift) / 255;
  let word = 0xff << opacityShift;
  for (let shift = 0; shift < opacityShift; shift += 8) {
    const below = (under >>> shift) & 0xff;
    word |= Math.round(below + (((over >>> shift) & 0xff) - below) * opacity) << shift;
  }
  return word >>> 0;
}
