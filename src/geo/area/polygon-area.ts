import { authalicHeight, squaredRadius } from './authalic.ts';

const radians = Math.PI / 180;
/** Abscissas and weights of Gauss-Legendre quadrature on the interval from -1 to 1. */
const twoPoints = [[1 / Math.sqrt(3), 1]] as const;
const fivePoints = [
  [Math.sqrt(5 - 2 * Math.sqrt(10 / 7)) / 3, (322 + 13 * Math.sqrt(70)) / 900],
  [Math.sqrt(5 + 2 * Math.sqrt(10 / 7)) / 3, (322 - 13 * Math.sqrt(70)) / 900],
] as const;
const middleWeight = 128 / 225;
/** Degrees of latitude up to which two abscissas are exact to the last digit; five are up to `longDegrees`. */
const shortDegrees = 0.02;
const longDegrees = 6;

export type Pole = 1 | -1;

/**
 * Returns the area on WGS 84 between a pole and a line that is straight in longitude and latitude, in square metres,
 * signed by direction. The sum around a ring is its area, negative for a clockwise ring. @param line degrees.
 */
export function areaToPole(
  line: readonly [lon0: number, lat0: number, lon1: number, lat1: number],
  pole: Pole,
): number {
  const [lon0, lat0, lon1, lat1] = line;
  if (lon0 === lon1) return 0;
  const height = lat1 - lat0;
  const width = (lon1 - lon0) * radians * squaredRadius;
  if (Math.abs(height) <= shortDegrees) return -width * (meanHeight(lat0, height, twoPoints, 0) - pole);
  const parts = Math.ceil(Math.abs(height) / longDegrees);
  let sum = 0;
  for (let i = 0; i < parts; i += 1)
    sum += meanHeight(lat0 + (height * i) / parts, height / parts, fivePoints, middleWeight) - pole;
  return (-width * sum) / parts;
}

function meanHeight(
  from: number,
  height: number,
  points: readonly (readonly [place: number, weight: number])[],
  ofMiddle: number,
): number {
  const middle = from + height / 2;
  let sum = ofMiddle === 0 ? 0 : ofMiddle * authalicHeight(middle);
  for (const [place, weight] of points) {
    const away = (place * height) / 2;
    sum += weight * (authalicHeight(middle - away) + authalicHeight(middle + away));
  }
  return sum / 2;
}

/**
 * Returns the area of a closed ring on WGS 84 in square metres, with lines that are straight in longitude and latitude.
 * @param ring longitude, latitude of each position.
 */
export function ringArea(ring: ArrayLike<number>): number {
  const pole = 1;
  let sum = 0;
  for (let i = 2; i < ring.length; i += 2)
    sum += areaToPole([ring[i - 2] ?? NaN, ring[i - 1] ?? NaN, ring[i] ?? NaN, ring[i + 1] ?? NaN], pole);
  return sum;
}

/** Returns the same area for a curved border, given by three places: both ends and the middle. */
export function areaOfCurve(
  lons: readonly [number, number, number],
  lats: readonly [number, number, number],
  pole: Pole,
): number {
  const [l0, l1, l2] = lons;
  const [z0, z1, z2] = [
    authalicHeight(lats[0]) - pole,
    authalicHeight(lats[1]) - pole,
    authalicHeight(lats[2]) - pole,
  ];
  const sum = z0 * (-3 * l0 + 4 * l1 - l2) + 4 * z1 * (l2 - l0) + z2 * (l0 - 4 * l1 + 3 * l2);
  return (-sum * radians * squaredRadius) / 6;
}
