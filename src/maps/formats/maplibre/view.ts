import { worldY } from '../../raster/web-mercator.ts';

/** Where a map begins. */
export interface MapView {
  readonly center: readonly [lon: number, lat: number];
  /** Of MapLibre, whose world has 512 pixels at zoom 0. */
  readonly zoom: number;
}

/** Bounds that fill the window have a logarithm that is about a whole number. */
const rounding = 1e-6;
/** A single place is shown with its surroundings. */
const maxZoom = 14;

/**
 * Returns the view in which a window of 512 × 512 pixels shows the whole of some bounds, at a whole zoom: at others MapLibre mixes the
 * colours of the pixels that it shrinks. A style has no other form for what a map begins with, and begins with the whole earth otherwise.
 * @param bounds West, south, east, north in degrees; west > east across 180°.
 */
export function viewOf([west, south, east, north]: readonly [number, number, number, number]): MapView {
  const degrees = west > east ? east + 360 - west : east - west;
  const middle = west + degrees / 2;
  const [top, bottom] = [worldY(north), worldY(south)];
  const zoom = Math.min(maxZoom, -Math.log2(Math.max(degrees / 360, bottom - top)));
  return {
    center: [rounded(middle > 180 ? middle - 360 : middle), rounded(latOf((top + bottom) / 2))],
    zoom: Math.max(0, Math.floor(zoom + rounding)),
  };
}

function latOf(row: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * row))) * 180) / Math.PI;
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
