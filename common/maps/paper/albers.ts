/** A point or an extent in the plane of the projection, in metres. */
export type Point = readonly [x: number, y: number];

/**
 * Projection of maps on paper: Albers equal-area conic on WGS 84, so that hectares on paper are hectares on the ground.
 * The standard parallels lie a sixth inside the latitudes of Kazakhstan (40.6 to 55.4° N), which keeps lengths within
 * half a percent all over the country; the page uses the same projection.
 */
export const albersOfKazakhstan = { lat1: 43, lat2: 53, lat0: 48, lon0: 67 } as const;

const semiMajor = 6_378_137;
const flattening = 1 / 298.257223563;
const e2 = flattening * (2 - flattening);
const e = Math.sqrt(e2);
const degree = Math.PI / 180;

const authalic = (sine: number) =>
  (1 - e2) * (sine / (1 - e2 * sine * sine) - Math.log((1 - e * sine) / (1 + e * sine)) / (2 * e));
const squaredRadius = (sine: number) => (1 - sine * sine) / (1 - e2 * sine * sine);

const { lat1, lat2, lat0, lon0 } = albersOfKazakhstan;
const [sine1, sine2] = [Math.sin(lat1 * degree), Math.sin(lat2 * degree)];
const cone = (squaredRadius(sine1) - squaredRadius(sine2)) / (authalic(sine2) - authalic(sine1));
const constant = squaredRadius(sine1) + cone * authalic(sine1);
const radiusOf = (sine: number) =>
  (semiMajor * Math.sqrt(Math.max(0, constant - cone * authalic(sine)))) / cone;
const radius0 = radiusOf(Math.sin(lat0 * degree));
const authalicOfPole = authalic(1);
/** Snyder 1987, 3-18: authalic to geodetic latitude, accurate to two millimetres. */
const series = [
  e2 / 3 + (31 * e2 ** 2) / 180 + (517 * e2 ** 3) / 5040,
  (23 * e2 ** 2) / 360 + (251 * e2 ** 3) / 3780,
  (761 * e2 ** 3) / 45_360,
] as const;

/** Projects a place in degrees. Longitudes take the shorter way from the central meridian. */
export function toAlbers(lon: number, lat: number): Point {
  const turn = ((((lon - lon0 + 180) % 360) + 360) % 360) - 180;
  const radius = radiusOf(Math.sin(lat * degree));
  const angle = cone * turn * degree;
  return [radius * Math.sin(angle), radius0 - radius * Math.cos(angle)];
}

/** Returns the place of a point in degrees; NaN for points of the plane that are not on the earth. */
export function fromAlbers(x: number, y: number): readonly [lon: number, lat: number] {
  const radius = Math.hypot(x, radius0 - y);
  const turn = Math.atan2(x, radius0 - y) / cone;
  const share = (constant - ((radius * cone) / semiMajor) ** 2) / cone / authalicOfPole;
  const beta = Math.asin(share);
  const [two, four, six] = series;
  const lat = beta + two * Math.sin(2 * beta) + four * Math.sin(4 * beta) + six * Math.sin(6 * beta);
  return Math.abs(turn) <= Math.PI ? [lon0 + turn / degree, lat / degree] : [Number.NaN, Number.NaN];
}

/** Returns the meridian convergence at a longitude: degrees by which north deviates clockwise from the upper edge of a map. */
export function convergenceAt(lon: number): number {
  return -cone * (lon - lon0);
}

export interface Extent {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Returns the extent of points; undefined for none. */
export function extentOf(points: Iterable<Point>): Extent | undefined {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  return left <= right && bottom <= top ? { left, bottom, right, top } : undefined;
}

/** Rings as in RFC 7946, in degrees. */
export type Rings = readonly (readonly Readonly<readonly number[]>[])[];
export type Polygons = readonly Rings[];

/** Maximum length in degrees between two corners of a border, which bends in the projection. */
const longest = 0.25;

type Projection = (lon: number, lat: number) => Point;

/** Projects a ring, with additional corners where lines bend. */
export function projectRing(ring: Rings[number], toPlane: Projection = toAlbers): readonly Point[] {
  const points: Point[] = [];
  let before: readonly number[] | undefined;
  for (const place of ring) {
    const [lon = 0, lat = 0] = place;
    if (before !== undefined) {
      const [lonBefore = 0, latBefore = 0] = before;
      const parts = Math.ceil(Math.max(Math.abs(lon - lonBefore), Math.abs(lat - latBefore)) / longest);
      for (let part = 1; part < parts; part += 1)
        points.push(
          toPlane(
            lonBefore + ((lon - lonBefore) * part) / parts,
            latBefore + ((lat - latBefore) * part) / parts,
          ),
        );
    }
    points.push(toPlane(lon, lat));
    before = place;
  }
  return points;
}

/** Projects a box of longitudes and latitudes and returns the extent; undefined if the numbers are not a box. */
export function extentOfBox([west, south, east, north]: readonly number[]): Extent | undefined {
  if (west === undefined || south === undefined || east === undefined || north === undefined)
    return undefined;
  const [low, high] = [Math.max(-89, south), Math.min(89, north)];
  const corners = [
    [west, low],
    [east, low],
    [east, high],
    [west, high],
    [west, low],
  ];
  return extentOf(projectRing(corners));
}

/** Corners per side of a frame: between two of them, longitude and latitude are nearly linear. */
const cornersOfSide = 128;

/** Returns the border of a part of the plane as a closed ring of longitudes and latitudes, NaN beyond the earth. */
export function ringOfExtent({ left, right, top, bottom }: Extent): readonly (readonly [number, number])[] {
  const corners = [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
    [left, bottom],
  ] as const;
  const ring = corners.slice(1).flatMap(([toX, toY], index) => {
    const [fromX, fromY] = corners[index] ?? [toX, toY];
    return Array.from({ length: cornersOfSide }, (_, step) => {
      const share = step / cornersOfSide;
      return fromAlbers(fromX + (toX - fromX) * share, fromY + (toY - fromY) * share);
    });
  });
  return [...ring, ...ring.slice(0, 1)];
}
