/** Longitude and latitude in degrees, or easting and northing. */
export type Line = readonly (readonly [number, number])[];
export type Ring = Line;

const radians = Math.PI / 180;
/** WGS 84: semi-major axis in metres, and squared eccentricity. */
const [axis, e2] = [6_378_137, 0.006_694_379_990_141_317];
const e = Math.sqrt(e2);
/** Gauss-Legendre quadrature: nodes between 0 and 1, and their weights. */
const nodes = [
  [0.5, 0.284_444_444_444_444_4],
  [0.230_765_344_947_158_45, 0.239_314_335_249_683_2],
  [0.769_234_655_052_841_5, 0.239_314_335_249_683_2],
  [0.046_910_077_030_668_01, 0.118_463_442_528_094_54],
  [0.953_089_922_969_332, 0.118_463_442_528_094_54],
] as const;

/** Returns the area of polygons on the ellipsoid in square metres; their edges are straight in longitude and latitude. */
export function areaOf(polygons: readonly (readonly Ring[])[]): number {
  const sum = (rings: readonly Ring[]) =>
    rings.reduce((total, ring, index) => total + (index === 0 ? 1 : -1) * Math.abs(ringArea(ring)), 0);
  return polygons.reduce((total, rings) => total + sum(rings), 0);
}

function ringArea(ring: Ring): number {
  let area = 0;
  for (const [index, [lon, lat]] of ring.entries()) {
    const [nextLon, nextLat] = ring[index + 1] ?? [lon, lat];
    const mean = nodes.reduce((sum, [at, weight]) => sum + weight * zoneBelow(lat + (nextLat - lat) * at), 0);
    area += (nextLon - lon) * radians * mean;
  }
  return area;
}

/** Square metres per radian of longitude, between the equator and a latitude. */
function zoneBelow(latitude: number): number {
  const sine = Math.sin(latitude * radians);
  return ((axis * axis * (1 - e2)) / 2) * (sine / (1 - e2 * sine * sine) + Math.atanh(e * sine) / e);
}

/** Returns the length in metres of a line of short segments on the ellipsoid. */
export function lengthOf(line: Line): number {
  return line.slice(1).reduce((sum, [lon, lat], index) => {
    const [fromLon, fromLat] = line[index] ?? [lon, lat];
    const middle = ((lat + fromLat) / 2) * radians;
    const w = Math.sqrt(1 - e2 * Math.sin(middle) ** 2);
    const east = (axis / w) * Math.cos(middle) * (lon - fromLon) * radians;
    const north = ((axis * (1 - e2)) / w ** 3) * (lat - fromLat) * radians;
    return sum + Math.hypot(east, north);
  }, 0);
}

/** Returns whether one of the polygons contains a place. */
export function isWithin(polygons: readonly (readonly Ring[])[], [x, y]: Line[number]): boolean {
  const crossings = (ring: Ring) =>
    ring.filter(([x1, y1], index) => {
      const [x2, y2] = ring[index + 1] ?? [x1, y1];
      return y1 > y !== y2 > y && x < x1 + ((x2 - x1) * (y - y1)) / (y2 - y1);
    }).length;
  return polygons.some((rings) => rings.reduce((sum, ring) => sum + crossings(ring), 0) % 2 === 1);
}
