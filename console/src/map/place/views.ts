import {
  addCoordinateTransforms,
  addProjection,
  fromLonLat,
  get as getProjection,
  toLonLat,
  transformExtent,
  type TransformFunction,
} from 'ol/proj.js';
import TileGrid from 'ol/tilegrid/TileGrid.js';
import { albersOfKazakhstan, type ViewCode } from '../../raster/projection.ts';
import Projection from 'ol/proj/Projection.js';
import { add as addTransform } from 'ol/proj/transforms.js';
import proj4 from 'proj4';

const tilePixels = 256;
/** Half the side of the square of the tile grid, in metres of the view. */
const halves: Readonly<Record<ViewCode, number>> = { 'KZ:AEA': 4_194_304, 'EPSG:3857': 20_037_508.342789244 };
const maxZoom = 22;

let isRegistered = false;

/** Registers the equal-area view with OpenLayers. */
export function registerViews(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerEqualArea();
}

/** Metres per pixel of a view by zoom level, in which the address counts; the worker uses the same tiles. */
export function resolutionsOf(view: ViewCode): number[] {
  const widest = (2 * halves[view]) / tilePixels;
  return Array.from({ length: maxZoom + 1 }, (_, zoom) => widest / 2 ** zoom);
}

export function tileGridOf(view: ViewCode): TileGrid {
  const half = halves[view];
  return new TileGrid({
    origin: [-half, half],
    extent: [-half, -half, half, half],
    resolutions: resolutionsOf(view),
    tileSize: tilePixels,
    // One tile of the whole world would contain both ends of a raster across 180°.
    minZoom: 1,
  });
}

/** The square of the view that a tile covers. */
export function squareOf(view: ViewCode, zoom: number, column: number, row: number) {
  const half = halves[view];
  const span = (2 * half) / 2 ** zoom;
  return { left: -half + column * span, top: half - row * span, span };
}

/** The extent of Kazakhstan in a view, in metres. A box in degrees would be wider, since meridians are slanted in the view. */
export function countryExtent(view: ViewCode): number[] {
  return view === 'KZ:AEA'
    ? [-1_520_000, -860_000, 1_520_000, 870_000]
    : transformExtent([46.4, 40.5, 87.4, 55.5], 'EPSG:4326', view);
}

export { tilePixels };

interface Point {
  x: number;
  y: number;
}

/** Formulas in radians and metres; the types of proj4 omit them. */
interface Formulas {
  readonly forward: (point: Point) => Point;
  readonly inverse: (point: Point) => Point;
}

const degree = Math.PI / 180;
const half = 4_194_304;

/**
 * Registers the equal-area view with OpenLayers. Both the view and degrees refer to WGS 84, so that the formulas of the
 * projection suffice, which take a sixth of the time of `proj4(from, to)`. OpenLayers' own `register` would also
 * prepare a transformation between any two of proj4's 120 zones of UTM.
 */
export function registerEqualArea(): void {
  const formulas: unknown = new proj4.Proj(albersOfKazakhstan);
  if (!hasFormulas(formulas)) throw new Error('proj4 lacks the equal-area projection');
  // Wider than the data, so that lines of longitude and latitude reach the edges of the map.
  const extent = [-half, -half, half, half];
  const view = new Projection({ code: 'KZ:AEA', units: 'm', extent, worldExtent: [5, 12, 129, 82] });
  addProjection(view);
  const degrees = getProjection('EPSG:4326');
  if (degrees === null) throw new Error('OpenLayers lacks EPSG:4326');
  addTransform(
    degrees,
    view,
    transformBy((point) => formulas.forward(point), degree, 1),
  );
  addTransform(
    view,
    degrees,
    transformBy((point) => formulas.inverse(point), 1, 1 / degree),
  );
  // Backgrounds come in Web Mercator.
  addCoordinateTransforms(
    view,
    'EPSG:3857',
    (point) => fromLonLat(toLonLat(point, view)),
    (point) => fromLonLat(toLonLat(point), view),
  );
}

function hasFormulas(projection: unknown): projection is Formulas {
  return (
    typeof projection === 'object' &&
    projection !== null &&
    'forward' in projection &&
    'inverse' in projection
  );
}

/** Transforms the first two of each `stride` numbers, and keeps the others. One point object is reused. */
function transformBy(move: (point: Point) => Point, before: number, after: number): TransformFunction {
  const point: Point = { x: 0, y: 0 };
  return (input, output = Array.from(input), dimension = 2, stride = dimension) => {
    for (let at = 0; at < input.length; at += stride) {
      point.x = (input[at] ?? Number.NaN) * before;
      point.y = (input[at + 1] ?? Number.NaN) * before;
      const { x, y } = move(point);
      output[at] = x * after;
      output[at + 1] = y * after;
      for (let other = 2; other < stride; other += 1) output[at + other] = input[at + other] ?? 0;
    }
    return output;
  };
}
