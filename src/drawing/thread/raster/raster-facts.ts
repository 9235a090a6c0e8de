import { halfWorld, type ViewMesh } from '../../../portrayal/raster/mesh.ts';

/** What descriptions of a map say of a raster. */
export interface RasterFacts {
  /** West, south, east, north, in degrees; west > east across 180°. */
  readonly bounds: readonly [number, number, number, number];
  /** The zoom at which a pixel of the screen is no larger than one of the raster, and the one at which the raster is a tile. */
  readonly zooms: readonly [min: number, max: number];
}

const maxZoom = 24;
const tileSize = 256;
const degreesOf = (metres: number) => (metres / halfWorld) * 180;
const latitudeOf = (metres: number) => (Math.atan(Math.sinh((metres / halfWorld) * Math.PI)) * 180) / Math.PI;

/** Turns a longitude by whole turns to between -180 and 180. */
const wrapped = (lon: number) => (lon > 180 || lon < -180 ? lon - 360 * Math.round(lon / 360) : lon);

/** Tells where a raster is, and at which zooms it is worth looking at. */
export function factsOf(mesh: ViewMesh): RasterFacts {
  const { left, right, top, bottom, width, height } = mesh;
  const isWorld = right - left >= 2 * halfWorld * 0.999;
  const [west, east] = isWorld ? [-180, 180] : [wrapped(degreesOf(left)), wrapped(degreesOf(right))];
  const metres = Math.min((right - left) / width, (top - bottom) / height);
  const zoomOf = (metresOfPixel: number) => Math.log2((2 * halfWorld) / tileSize / metresOfPixel);
  const clamp = (zoom: number) => Math.max(0, Math.min(maxZoom, zoom));
  const max = clamp(Math.ceil(zoomOf(metres) - 0.01));
  const min = clamp(Math.floor(zoomOf(Math.max(right - left, top - bottom) / tileSize)) - 1);
  return { bounds: [west, latitudeOf(bottom), east, latitudeOf(top)], zooms: [Math.min(min, max), max] };
}
