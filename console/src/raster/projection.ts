import proj4 from 'proj4';
import type { Projection } from '../../../src/maps/raster/lattice.ts';

/** Equal-area view of Kazakhstan: a hectare is as large on the screen at 40° as at 55°. Units: metres. */
export const albersOfKazakhstan =
  '+proj=aea +lat_0=48 +lon_0=67 +lat_1=43 +lat_2=53 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs';

/** The two projections that a map is drawn in. */
export type ViewCode = 'KZ:AEA' | 'EPSG:3857';

const words: Readonly<Record<ViewCode, string>> = { 'KZ:AEA': albersOfKazakhstan, 'EPSG:3857': 'EPSG:3857' };
const nowhere = [Number.NaN, Number.NaN] as const;

/** From a view to a CRS given as PROJ string or as a code that needs none. @throws when the CRS cannot be read. */
export function fromView(view: ViewCode, crs: string): Projection {
  const transform = proj4(words[view], crs);
  return (x, y) => {
    try {
      const [toX = Number.NaN, toY = Number.NaN] = transform.forward([x, y]);
      return [toX, toY];
    } catch {
      // proj4 throws for points that a projection does not have, which is an answer.
      return nowhere;
    }
  };
}

/** True when coordinates of a CRS, as `crsOf` names it, are degrees. */
export const isInDegrees = (crs: string) => crs === 'EPSG:4326' || /\+proj=(?:longlat|latlong)\b/.test(crs);

/** Codes that proj4 knows without words. */
const known = new Set([4326, 3857]);

/** The CRS to hand to `fromView` for a raster: the words of the service, else what the file's own code says. */
export function crsOf(words: string | undefined, epsg: number | undefined): string | undefined {
  if (words !== undefined) return words;
  return epsg !== undefined && known.has(epsg) ? `EPSG:${epsg}` : undefined;
}
