import type { Point } from './albers.ts';

/** An ellipsoid of revolution. */
export interface Ellipsoid {
  /** Metres. */
  readonly semiMajor: number;
  readonly inverseFlattening: number;
}

/** Geodetic longitude and latitude in degrees. */
export type Place = readonly [lon: number, lat: number];

export const krassowsky: Ellipsoid = { semiMajor: 6_378_245, inverseFlattening: 298.3 };
export const grs80: Ellipsoid = { semiMajor: 6_378_137, inverseFlattening: 298.257222101 };
export const wgs84: Ellipsoid = { semiMajor: 6_378_137, inverseFlattening: 298.257223563 };

const degree = Math.PI / 180;

/** Returns the central meridian of a zone of 6°, in degrees. */
export const centralMeridianOf = (zone: number): number => 6 * zone - 3;

/**
 * Creates a zone of Gauss-Krüger: transverse Mercator of scale 1, whose easting begins with the number of the zone.
 * Krüger's series to the fourth power of the third flattening (Karney 2011, (35) and (36)), accurate to less than a tenth of
 * a millimetre in the zone and some degrees beside it.
 */
export function gaussKrueger({ semiMajor, inverseFlattening }: Ellipsoid, zone: number) {
  const flattening = 1 / inverseFlattening;
  const n = flattening / (2 - flattening);
  const e = Math.sqrt(flattening * (2 - flattening));
  const radius = (semiMajor / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
  const there = [
    n / 2 - (2 / 3) * n ** 2 + (5 / 16) * n ** 3 + (41 / 180) * n ** 4,
    (13 / 48) * n ** 2 - (3 / 5) * n ** 3 + (557 / 1440) * n ** 4,
    (61 / 240) * n ** 3 - (103 / 140) * n ** 4,
    (49_561 / 161_280) * n ** 4,
  ] as const;
  const back = [
    n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3 - (1 / 360) * n ** 4,
    (1 / 48) * n ** 2 + (1 / 15) * n ** 3 - (437 / 1440) * n ** 4,
    (17 / 480) * n ** 3 - (37 / 840) * n ** 4,
    (4397 / 161_280) * n ** 4,
  ] as const;
  const lon0 = centralMeridianOf(zone);
  const falseEasting = zone * 1_000_000 + 500_000;
  /** The tangent of the conformal latitude, from that of the geodetic one. */
  const conformal = (tangent: number) => {
    const secant = Math.hypot(1, tangent);
    const shift = Math.sinh(e * Math.atanh((e * tangent) / secant));
    return tangent * Math.hypot(1, shift) - shift * secant;
  };
  return {
    /** Projects a place. */
    toPlane(lon: number, lat: number): Point {
      const angle = (lon - lon0) * degree;
      const tangent = conformal(Math.tan(lat * degree));
      const xi = Math.atan2(tangent, Math.cos(angle));
      const eta = Math.asinh(Math.sin(angle) / Math.hypot(tangent, Math.cos(angle)));
      let [north, east] = [xi, eta];
      for (const [index, term] of there.entries()) {
        const times = 2 * (index + 1);
        north += term * Math.sin(times * xi) * Math.cosh(times * eta);
        east += term * Math.cos(times * xi) * Math.sinh(times * eta);
      }
      return [falseEasting + radius * east, radius * north];
    },
    /** Returns the place of a point; NaN beyond the earth. */
    fromPlane(x: number, y: number): Place {
      const [north, east] = [y / radius, (x - falseEasting) / radius];
      if (!(Math.abs(north) < Math.PI / 2 && Math.abs(east) < 1)) return [Number.NaN, Number.NaN];
      let [xi, eta] = [north, east];
      for (const [index, term] of back.entries()) {
        const times = 2 * (index + 1);
        xi -= term * Math.sin(times * north) * Math.cosh(times * east);
        eta -= term * Math.cos(times * north) * Math.sinh(times * east);
      }
      const wanted = Math.sin(xi) / Math.hypot(Math.sinh(eta), Math.cos(xi));
      // Newton's method; two steps give all digits of a double.
      let tangent = wanted / (1 - e * e);
      for (let step = 0; step < 3; step += 1) {
        const found = conformal(tangent);
        const slope =
          ((1 - e * e) * Math.hypot(1, found) * Math.hypot(1, tangent)) /
          (1 + (1 - e * e) * tangent * tangent);
        tangent += (wanted - found) / slope;
      }
      const lon = lon0 + Math.atan2(Math.sinh(eta), Math.cos(xi)) / degree;
      return [lon, Math.atan(tangent) / degree];
    },
    /** Returns the meridian convergence at a place: degrees by which north deviates clockwise from the grid. */
    convergenceAt: (lon: number, lat: number): number =>
      -Math.atan(Math.tan((lon - lon0) * degree) * Math.sin(lat * degree)) / degree,
  };
}

/** Seven parameters from one datum to another: metres, seconds of arc in the position vector convention, and parts per million. */
export interface Shift {
  readonly metres: readonly [x: number, y: number, z: number];
  readonly seconds: readonly [x: number, y: number, z: number];
  readonly scale: number;
}

type Space = readonly [x: number, y: number, z: number];

function toSpace({ semiMajor, inverseFlattening }: Ellipsoid, [lon, lat]: Place): Space {
  const flattening = 1 / inverseFlattening;
  const e2 = flattening * (2 - flattening);
  const [sine, cosine] = [Math.sin(lat * degree), Math.cos(lat * degree)];
  const across = semiMajor / Math.sqrt(1 - e2 * sine * sine);
  return [
    across * cosine * Math.cos(lon * degree),
    across * cosine * Math.sin(lon * degree),
    across * (1 - e2) * sine,
  ];
}

/** Bowring 1976; near the ellipsoid one step is accurate to less than a micrometre. */
function fromSpace({ semiMajor, inverseFlattening }: Ellipsoid, [x, y, z]: Space): Place {
  const flattening = 1 / inverseFlattening;
  const e2 = flattening * (2 - flattening);
  const semiMinor = semiMajor * (1 - flattening);
  const distance = Math.hypot(x, y);
  const angle = Math.atan2(z * semiMajor, distance * semiMinor);
  const lat = Math.atan2(
    z + (e2 / (1 - e2)) * semiMinor * Math.sin(angle) ** 3,
    distance - e2 * semiMajor * Math.cos(angle) ** 3,
  );
  return [Math.atan2(y, x) / degree, lat / degree];
}

const second = degree / 3600;

/** Moves a place on one ellipsoid to another by a shift, or back; heights are those of the ellipsoids, as PROJ has them. */
export function shifted(
  place: Place,
  {
    from,
    to,
    shift: { metres, seconds, scale },
    isBack,
  }: {
    readonly from: Ellipsoid;
    readonly to: Ellipsoid;
    readonly shift: Shift;
    readonly isBack: boolean;
  },
): Place {
  const [tx, ty, tz] = metres;
  const [rx, ry, rz] = [seconds[0] * second, seconds[1] * second, seconds[2] * second];
  const size = 1 + scale / 1e6;
  if (isBack) {
    const [a, b, c] = toSpace(to, place);
    const [x, y, z] = [(a - tx) / size, (b - ty) / size, (c - tz) / size];
    return fromSpace(from, [x + rz * y - ry * z, y - rz * x + rx * z, z + ry * x - rx * y]);
  }
  const [x, y, z] = toSpace(from, place);
  return fromSpace(to, [
    tx + size * (x - rz * y + ry * z),
    ty + size * (y + rz * x - rx * z),
    tz + size * (z - ry * x + rx * y),
  ]);
}
