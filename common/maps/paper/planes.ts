import { convergenceAt, type Extent, extentOf, fromAlbers, type Point, toAlbers } from './albers.ts';
import { gaussKrueger, grs80, krassowsky, type Place, type Shift, shifted, wgs84 } from './gauss-krueger.ts';
import type { NomenclatureSheet } from './nomenclature.ts';

export const datums = ['qaztrf-23', 'sk-42'] as const;
export type Datum = (typeof datums)[number];

/** Operations of the EPSG registry from SK-42 (EPSG:4284) to WGS 84, by their numbers in its names. */
export type Operation = 10 | 16 | 20;

/** The plane of a map, as data. */
export type Plane =
  | { readonly kind: 'albers' }
  | { readonly kind: 'gauss-krueger'; readonly datum: 'qaztrf-23'; readonly zone: number }
  | {
      readonly kind: 'gauss-krueger';
      readonly datum: 'sk-42';
      readonly zone: number;
      readonly operation: Operation;
    };

export const albers: Plane = { kind: 'albers' };

/** A plane with its two directions, between longitude and latitude on WGS 84 and metres. */
export interface OpenPlane {
  toPlane(lon: number, lat: number): Point;
  /** NaN for points of the plane that are not on the earth. */
  fromPlane(x: number, y: number): Place;
  /** Degrees by which north deviates clockwise from the upper edge of a map. */
  convergenceAt(lon: number, lat: number): number;
  /** Projects a place of the plane's own datum. */
  ownToPlane(lon: number, lat: number): Point;
}

/** Pulkovo 1942 to WGS 84 (10), (16) and (20): EPSG:1303, 15865 and 5044, with their accuracy in metres. */
export const operations: Readonly<
  Record<Operation, Shift & { readonly code: number; readonly accuracy: number }>
> = {
  10: {
    metres: [43.822, -108.842, -119.585],
    seconds: [1.455, -0.761, 0.737],
    scale: 0.549,
    code: 1303,
    accuracy: 2,
  },
  16: { metres: [25, -141, -78.5], seconds: [0, 0.35, 0.736], scale: 0, code: 15_865, accuracy: 4.5 },
  20: { metres: [23.57, -140.95, -79.8], seconds: [0, 0.35, 0.79], scale: -0.22, code: 5044, accuracy: 3 },
};

/** Bounds of the operations in degrees on SK-42, in which PROJ prefers them. */
const [southOf20, caspian] = [41.19, { west: 48.9, south: 41.15, east: 53.15, north: 46.97 }] as const;

/** Returns the operation that PROJ prefers at a place on SK-42; the engine moves files by the same one. */
export function operationAt(lon: number, lat: number): Operation {
  const { west, south, east, north } = caspian;
  if (lat < southOf20 && !(lon >= west && lon <= east && lat >= south)) return 16;
  return lon >= west && lon <= east && lat >= south && lat <= north ? 10 : 20;
}

/** Returns the plane of a sheet of the state map. */
export function planeOf({ zone, west, east, south, north }: NomenclatureSheet, datum: Datum): Plane {
  if (datum === 'qaztrf-23') return { kind: 'gauss-krueger', datum, zone };
  const operation = operationAt((west + east) / 7200, (south + north) / 7200);
  return { kind: 'gauss-krueger', datum, zone, operation };
}

/** Makes the functions of a plane. */
export function openPlane(plane: Plane): OpenPlane {
  if (plane.kind === 'albers')
    return { toPlane: toAlbers, fromPlane: fromAlbers, convergenceAt, ownToPlane: toAlbers };
  const { zone, datum } = plane;
  if (datum === 'qaztrf-23') {
    // QazTRF-23 is WGS 84 to a metre: the null transformation EPSG:10965.
    const { toPlane, fromPlane, convergenceAt: turnAt } = gaussKrueger(grs80, zone);
    return { toPlane, fromPlane, convergenceAt: turnAt, ownToPlane: toPlane };
  }
  const own = gaussKrueger(krassowsky, zone);
  const way = { from: krassowsky, to: wgs84, shift: operations[plane.operation] };
  const toWgs84 = (place: Place) => shifted(place, { ...way, isBack: false });
  const toOwn = (lon: number, lat: number) => shifted([lon, lat], { ...way, isBack: true });
  return {
    toPlane: (lon, lat) => own.toPlane(...toOwn(lon, lat)),
    fromPlane: (x, y) => toWgs84(own.fromPlane(x, y)),
    convergenceAt: own.convergenceAt,
    ownToPlane: own.toPlane,
  };
}

/** Points per side of a frame at which its longitudes and latitudes are found, and the margin around them as a share. */
const [samples, around] = [32, 0.05] as const;

/** Returns bounds in degrees that contain a frame with all lines that reach into it; undefined beyond the earth. */
export function boundsOfFrame(
  { left, right, top, bottom }: Extent,
  { fromPlane }: OpenPlane,
): Extent | undefined {
  const places = Array.from({ length: samples + 1 }, (_, index) => {
    const x = left + ((right - left) * index) / samples;
    const y = bottom + ((top - bottom) * index) / samples;
    return [fromPlane(x, bottom), fromPlane(x, top), fromPlane(left, y), fromPlane(right, y)];
  }).flat();
  const bounds = extentOf(places);
  if (bounds === undefined || places.some(([lon, lat]) => Number.isNaN(lon + lat))) return undefined;
  const more = around * Math.max(bounds.right - bounds.left, bounds.top - bounds.bottom);
  return {
    left: bounds.left - more,
    right: bounds.right + more,
    top: bounds.top + more,
    bottom: bounds.bottom - more,
  };
}
