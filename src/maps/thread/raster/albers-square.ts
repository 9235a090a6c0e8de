import { fromAlbers } from '../../../../common/maps/paper/albers.ts';
import { fillLattice, type Lattice, type Square } from '../../../../common/maps/raster/lattice.ts';
import { meshPointAt, type ViewMesh } from '../../../../common/maps/raster/mesh.ts';
import { halfWorld, worldX, worldY } from '../../../../common/maps/raster/web-mercator.ts';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import type { Painted } from './draw-raster.ts';

/** A picture of a part of the Albers plane. */
export interface AlbersFrame {
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

/** Maps a square of the Albers plane to a raster. @param size of the square in pixels */
export function albersLattice(mesh: ViewMesh, square: Square, size: number): Lattice {
  const cells = size / (mesh.gaps === undefined ? cellPixels : finePixels);
  return fillLattice(square, cells, (x, y) => {
    const [lon, lat] = fromAlbers(x, y);
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

/** Copies the part of a square within a strip; white shows through unless it is opaque. */
export function copyOnWhite(painted: Painted, size: number, { pixels, width, rows, column }: Strip): void {
  const across = Math.min(size, width - column);
  const source =
    painted.kind === 'indexed'
      ? painted.indices
      : new Uint32Array(painted.pixels.buffer, painted.pixels.byteOffset, size * size);
  const palette = painted.kind === 'indexed' ? Uint32Array.from(painted.palette, wordOnWhite) : undefined;
  for (let row = 0; row < rows; row += 1) {
    for (let x = 0; x < across; x += 1) {
      const value = source[row * size + x] ?? 0;
      pixels[row * width + column + x] = palette === undefined ? onWhite(value) : (palette[value] ?? white);
    }
  }
}

const white = 0xff_ff_ff_ff;
const channels = new Uint8Array(4);
const word = new Uint32Array(channels.buffer);

function wordOnWhite(colour: Rgba): number {
  channels.set(colour);
  return onWhite(word[0] ?? white);
}

/** Returns a colour blended with white, opaque. */
function onWhite(value: number): number {
  word[0] = value;
  const opacity = (channels[3] ?? 0) / 255;
  if (opacity === 1) return value;
  for (let channel = 0; channel < 3; channel += 1)
    channels[channel] = Math.round(255 + ((channels[channel] ?? 255) - 255) * opacity);
  channels[3] = 255;
  return word[0] ?? white;
}
