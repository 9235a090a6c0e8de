/** WGS 84. */
const semiMajorMetres = 6_378_137;
const flattening = 1 / 298.257223563;
const squaredEccentricity = flattening * (2 - flattening);
const eccentricity = Math.sqrt(squaredEccentricity);
const qOfPole = qOf(1);
/** Area of the ellipsoid in square metres per steradian of its authalic sphere. */
export const squaredRadius = (semiMajorMetres ** 2 * qOfPole) / 2;

/** Snyder, Map Projections: A Working Manual, equation 3-12; proportional to the area between the equator and a latitude. */
function qOf(sine: number): number {
  const product = eccentricity * sine;
  return (
    (1 - squaredEccentricity) *
    (sine / (1 - product ** 2) - Math.log((1 - product) / (1 + product)) / (2 * eccentricity))
  );
}

/** Returns the z coordinate of a latitude (degrees) on the authalic unit sphere of WGS 84, from -1 to 1. */
export function authalicHeight(latitude: number): number {
  return qOf(Math.sin((latitude * Math.PI) / 180)) / qOfPole;
}

/** Places on the authalic unit sphere of WGS 84: x, y, z of each. */
export type AuthalicPlaces = Float64Array;

/** @param lons and `lats` in degrees on WGS 84; NaN stays NaN. */
export function authalicPlacesOf(lons: Float64Array, lats: Float64Array): AuthalicPlaces {
  const places = new Float64Array(3 * lons.length);
  for (let i = 0; i < lons.length; i += 1) {
    const longitude = ((lons[i] ?? NaN) * Math.PI) / 180;
    const z = authalicHeight(lats[i] ?? NaN);
    // May exceed 1 because of rounding.
    const fromAxis = Math.sqrt(Math.max(0, (1 - z) * (1 + z)));
    places[3 * i] = fromAxis * Math.cos(longitude);
    places[3 * i + 1] = fromAxis * Math.sin(longitude);
    places[3 * i + 2] = z;
  }
  return places;
}

/**
 * Returns the area of a quadrilateral in square metres, whose sides are great circles of the authalic sphere; NaN if a corner is NaN. It
 * may lie anywhere, around a pole or across 180°. @param corners indexes of places, in order around it.
 */
export function quadrilateralArea(
  places: AuthalicPlaces,
  [a, b, c, d]: readonly [number, number, number, number],
): number {
  return Math.abs(triangleExcess(places, a, b, c) + triangleExcess(places, a, c, d)) * squaredRadius;
}

/**
 * Returns the signed area of a spherical triangle in steradians (Van Oosterom and Strackee 1983), computed from differences for precision.
 */
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
