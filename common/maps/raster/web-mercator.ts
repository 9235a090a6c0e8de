import type { Square } from './lattice.ts';

/** Half the circumference of the earth in Web Mercator, in metres; the plane is a square of twice this side. */
export const halfWorld = 20_037_508.342789244;
/** The latitude at which Web Mercator ends, in degrees. */
const lastLatitude = 85.0511287798066;

/** A tile of WebMercatorQuad: zoom, column from the west, row from the north. */
export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Scale denominator of zoom 0, for pixels of 0.28 mm (OGC 17-083r4, annex D). */
const denominatorOfWorld = 559_082_264.0287178;

export function denominatorOf(zoom: number): number {
  return denominatorOfWorld / 2 ** zoom;
}

/** Returns the square of a tile of WebMercatorQuad, in metres. */
export function squareOfTile({ z, x, y }: Tile): Square {
  const span = (2 * halfWorld) / 2 ** z;
  return { left: -halfWorld + x * span, top: halfWorld - y * span, span };
}

/** Returns the position of a longitude in Web Mercator, 0 at the west end and 1 at the east end. */
export function worldX(longitude: number): number {
  return longitude / 360 + 0.5;
}

/** Returns the position of a latitude in Web Mercator, 0 at the north end and 1 at the south end. */
export function worldY(latitude: number): number {
  const sine = Math.sin((Math.min(lastLatitude, Math.max(-lastLatitude, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The zoom at which a raster is about one tile, and the zoom that shows its full resolution. */
export type Zooms = readonly [min: number, max: number];

const maxZoom = 24;
const tileSize = 256;
/** Tolerance for a pixel size that equals that of a zoom. */
const slack = 0.01;
/** Minimum number of zooms for an overview, even for a raster of few pixels. */
const leastZooms = 2;

interface Placed {
  /** Metres. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Returns the useful zooms of a raster. */
export function zoomsOf({ left, right, top, bottom, width, height }: Placed): Zooms {
  const zoomOf = (metresOfPixel: number) => Math.log2((2 * halfWorld) / tileSize / metresOfPixel);
  const clamp = (zoom: number) => Math.max(0, Math.min(maxZoom, zoom));
  const max = clamp(Math.ceil(zoomOf(Math.min((right - left) / width, (top - bottom) / height)) - slack));
  const min = clamp(Math.floor(zoomOf(Math.max(right - left, top - bottom) / tileSize)));
  return [Math.min(min, Math.max(0, max - leastZooms)), max];
}
