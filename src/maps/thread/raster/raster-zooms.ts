import { halfWorld, type ViewMesh } from '../../raster/mesh.ts';

/** The zoom at which a raster is about the size of a tile, and the one at which the screen has no more pixels than it. */
export type Zooms = readonly [min: number, max: number];

const maxZoom = 24;
const tileSize = 256;
/** Rounding of a pixel size that is that of a zoom. */
const slack = 0.01;
/** Zooms to look at it from farther away, however few pixels it has. */
const leastZooms = 2;

/** Tells at which zooms a raster is worth looking at. */
export function zoomsOf({ left, right, top, bottom, width, height }: ViewMesh): Zooms {
  const zoomOf = (metresOfPixel: number) => Math.log2((2 * halfWorld) / tileSize / metresOfPixel);
  const clamp = (zoom: number) => Math.max(0, Math.min(maxZoom, zoom));
  const max = clamp(Math.ceil(zoomOf(Math.min((right - left) / width, (top - bottom) / height)) - slack));
  const min = clamp(Math.floor(zoomOf(Math.max(right - left, top - bottom) / tileSize)));
  return [Math.min(min, Math.max(0, max - leastZooms)), max];
}
