import { transformExtent } from 'ol/proj.js';
import TileGrid from 'ol/tilegrid/TileGrid.js';
import type { ViewCode } from '../raster/projection.ts';
import { registerEqualArea } from './equal-area.ts';

const tilePixels = 256;
/** Half the side of the square that tiles divide, in metres of the view. */
const halves: Readonly<Record<ViewCode, number>> = { 'KZ:AEA': 4_194_304, 'EPSG:3857': 20_037_508.342789244 };
const maxZoom = 22;

let isRegistered = false;

/** Makes OpenLayers know the equal-area view. */
export function registerViews(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerEqualArea();
}

/** Metres of a view's pixel by zoom, which the address counts in; the same tiles serve the worker. */
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
    // A tile of the whole world would have both ends of a raster across 180°.
    minZoom: 1,
  });
}

/** The square of the view that a tile covers. */
export function squareOf(view: ViewCode, zoom: number, column: number, row: number) {
  const half = halves[view];
  const span = (2 * half) / 2 ** zoom;
  return { left: -half + column * span, top: half - row * span, span };
}

/** Kazakhstan in a view, in metres: a box in degrees would be wider by what meridians lean. */
export function countryExtent(view: ViewCode): number[] {
  return view === 'KZ:AEA'
    ? [-1_520_000, -860_000, 1_520_000, 870_000]
    : transformExtent([46.4, 40.5, 87.4, 55.5], 'EPSG:4326', view);
}

export { tilePixels };
