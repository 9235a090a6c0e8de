/** WGS 84. */
const semiMajorMetres = 6_378_137;
const flattening = 1 / 298.257223563;
const squaredEccentricity = flattening * (2 - flattening);
const eccentricity = Math.sqrt(squaredEccentricity);
const qOfPole = qOf(1);
/** Square metres of a steradian of the sphere that is as large as the ellipsoid. */
export const squaredRadius = (semiMajorMetres ** 2 * qOfPole) / 2;

/** Snyder, Map Projections: A Working Manual, equation 3-12; it grows as the area between the equator and a latitude. */
function qOf(sine: number): number {
  const product = eccentricity * sine;
  return (
    (1 - squaredEccentricity) *
    (sine / (1 - product ** 2) - Math.log((1 - product) / (1 + product)) / (2 * eccentricity))
  );
}

/** The height of a latitude, in degrees, on the unit sphere to which WGS 84 is mapped with equal areas: from -1 to 1. */
export function authalicHeight(latitude: number): number {
  return qOf(Math.sin((latitude * Math.PI) / 180)) / qOfPole;
}

/** Places on the unit sphere to which WGS 84 is mapped with equal areas: x, y, z of each, one after the other. */
export type AuthalicPlaces = Float64Array;

/** @param lons and `lats` in degrees on WGS 84; NaN stays NaN. */
export function authalicPlacesOf(lons: Float64Array, lats: Float64Array): AuthalicPlaces {
  const places = new Float64Array(3 * lons.length);
  for (let i = 0; i < lons.length; i += 1) {
    const longitude = ((lons[i] ?? NaN) * Math.PI) / 180;
    const z = authalicHeight(lats[i] ?? NaN);
    // More than 1 by rounding.
    const fromAxis = Math.sqrt(Math.max(0, (1 - z) * (1 + z)));
    places[3 * i] = fromAxis * Math.cos(longitude);
    places[3 * i + 1] = fromAxis * Math.sin(longitude);
    places[3 * i + 2] = z;
  }
  return places;
}

/**
 * Returns the area of a quadrilateral in square metres, its sides great circles of the authalic sphere; NaN when a corner is.
 * It may lie anywhere, around a pole or across 180°. @param corners numbers of places, in their order around it.
 */
export function quadrilateralArea(
  places: AuthalicPlaces,
  [a, b, c, d]: readonly [number, number, number, number],
): number {
  return Math.abs(triangleExcess(places, a, b, c) + triangleExcess(places, a, c, d)) * squaredRadius;
}

/** The signed area of a spherical triangle in steradians (Van Oosterom and Strackee 1983), by differences, which keep digits. */
function triangleExcess(places: AuthalicPlaces, a: number, b: number, c: number): number {
  const [ax, ay, az] = placeOf(places, a);
  const [bx, by, bz] = placeOf(places, b);
  const [cx, cy, cz] = placeOf(places, c);
  const [ux, uy, uz] = [bx - ax, by - ay, bz - az];
  const [vx, vy, vz] = [cx - ax, cy - ay, cz - az];
  const volume = ax * (uy * vz - uz * vy) + ay * (uz * vx - ux * vz) + az * (ux * vy - uy * vx);
  const cosines =
    1 + (ax * bx + ay * by + az * bz) + (bx * cx + by * cy + bz * cz) + (cx * ax + cy * ay + cz * az);
  return 2 * Math.atan2(volume, cosines);
}

function placeOf(places: AuthalicPlaces, at: number): readonly [number, number, number] {
  return [places[3 * at] ?? NaN, places[3 * at + 1] ?? NaN, places[3 * at + 2] ?? NaN];
}
