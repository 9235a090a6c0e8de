import gdal from 'gdal-async';
import { quietly } from './last-error.ts';
import { createTransformation } from './transformation.ts';
import { createPointTransformation } from './transform-points.ts';

/** Longitude and latitude. */
export type Place = readonly [longitude: number, latitude: number];

/** Datums of most files, which need no look at PROJ's ways. */
const surelyKnown = /DATUM\["WGS_1984"|TOWGS84\[|EXTENSION\["PROJ4_GRIDS"/;
const spheroid = /SPHEROID\["(?:[^"]|"")*",([\d.]+),([\d.eE+-]+)/;
const datumName = /DATUM\["((?:[^"]|"")*)"/;

/**
 * Ellipsoids of the frames of satellite navigation (GRS 80, WGS 84, CGCS2000, GSK-2011, PZ-90), which agree with WGS 84 to a
 * metre or two: also those that are younger than this PROJ, and those of files that name the ellipsoid alone.
 */
const satelliteAxisMetres = { from: 6_378_134.5, to: 6_378_139.5 };
const satelliteFlattening = { from: 298.252, to: 298.262 };
const satelliteName =
  /unknown|undefined|unnamed|not.?specified|based.?on|wgs|grs|trf|etrf|frame|terrestrial|geodetic|reference|cgcs|gsk|pz.?90|(?:19[89]|20\d)\d/i;

const stepDegrees = 5;
/** Less than this no datum moves a latitude: a tenth of a millimetre. */
const leastShiftDegrees = 1e-9;

/**
 * Tells whether PROJ knows nothing better than to take the coordinates of a CRS for those of WGS 84. The binding does not hand
 * out PROJ's own word for it ("ballpark"): then, and only then, no latitude anywhere changes on the way to WGS 84,
 * nor on that to WGS 72, which lies some metres beside it. A sphere stands for the latitudes of WGS 84 by convention.
 * @param places of the file, on WGS 84.
 */
export function isDatumUnknown(wkt: string, places: readonly Place[]): boolean {
  if (surelyKnown.test(wkt)) return false;
  const [, axis = '', flattening = ''] = spheroid.exec(wkt) ?? [];
  if (!(Number(flattening) > 0)) return false;
  const isOfSatellites =
    isBetween(Number(axis), satelliteAxisMetres) && isBetween(Number(flattening), satelliteFlattening);
  if (isOfSatellites && satelliteName.test(datumName.exec(wkt)?.[1] ?? '')) return false;
  const datum = quietly(() => gdal.SpatialReference.fromWKT(wkt).cloneGeogCS());
  if (datum === undefined) return false;
  const moves = (of: readonly Place[]) => [4326, 4322].some((epsg) => movesLatitude(datum, epsg, of));
  return !moves(places) && !moves(everywhere());
}

function isBetween(value: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return value >= from && value <= to;
}

/** Tells whether any latitude changes on the way from a geographic CRS to another. */
function movesLatitude(datum: gdal.SpatialReference, epsg: number, places: readonly Place[]): boolean {
  if (places.length < 2) return places.length === 1 && movesLatitude(datum, epsg, [...places, ...places]);
  const unit = datum.getAngularUnits().value * (180 / Math.PI);
  const transform = quietly(() =>
    createPointTransformation(createTransformation({ wkt: datum.toWKT() }, { epsg })),
  );
  if (transform === undefined) return false;
  const xs = Float64Array.from(places, ([longitude]) => longitude / unit);
  const ys = Float64Array.from(places, ([, latitude]) => latitude / unit);
  transform(xs, ys);
  // Beyond the area of a transformation there is no image.
  return places.some(([, latitude], index) => Math.abs((ys[index] ?? 0) - latitude) > leastShiftDegrees);
}

/** Places all over the world: where a file lies, a datum of elsewhere may have no shift. */
function everywhere(): readonly Place[] {
  const count = (degrees: number) => degrees / stepDegrees;
  return Array.from({ length: count(360) * count(175) }, (_, index) => [
    (index % count(360)) * stepDegrees - 180,
    Math.floor(index / count(360)) * stepDegrees - 85,
  ]);
}
