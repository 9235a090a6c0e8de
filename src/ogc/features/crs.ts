import { flat } from '../../standards/boxes.ts';
import type { PositionText } from '../../geo/flatgeobuf/geometry.ts';

/** The reference systems of features; the first is the default. */
export const crsAddresses = [
  'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  'http://www.opengis.net/def/crs/EPSG/0/3857',
] as const;
export type CrsAddress = (typeof crsAddresses)[number];
const [, webMercator] = crsAddresses;

/** Radius of the sphere of Web Mercator in metres, and the latitude of the edge of its plane. */
const [radius, lastLatitude] = [6_378_137, 85.0511287798066];
const radians = Math.PI / 180;
const [perDegree, perMetre] = [1e7, 100];

/** Returns a function that formats a position in a reference system: 7 decimals of a degree, or centimetres; heights stay unchanged. */
export function positionTextIn(crs: CrsAddress): PositionText {
  if (crs === webMercator)
    return (longitude, latitude, height) => {
      const within = Math.min(lastLatitude, Math.max(-lastLatitude, latitude));
      const x = radius * longitude * radians;
      const y = radius * Math.log(Math.tan(Math.PI / 4 + (within * radians) / 2));
      return `[${rounded(x, perMetre)},${rounded(y, perMetre)}${heightText(height)}]`;
    };
  return (longitude, latitude, height) =>
    `[${rounded(longitude, perDegree)},${rounded(latitude, perDegree)}${heightText(height)}]`;
}

const heightText = (height: number | undefined): string => (height === undefined ? '' : `,${height + 0}`);

function rounded(value: number, per: number): number {
  // Adding zero turns -0 into 0.
  return Math.round(value * per) / per + 0;
}

/** The largest rounding error of a position, with a margin for arithmetic: a box around positions from an answer must find them again. */
const [slackDegrees, slackMetres] = [0.51 / perDegree, 0.51 / perMetre];

/** Returns the corners of a box in degrees. */
export function degreesOf(bbox: readonly number[], crs: CrsAddress): readonly number[] {
  const [west, south, east, north] = flat(bbox);
  if (crs !== webMercator)
    return [west - slackDegrees, south - slackDegrees, east + slackDegrees, north + slackDegrees];
  return [
    longitudeOf(west - slackMetres),
    latitudeOf(south - slackMetres),
    longitudeOf(east + slackMetres),
    latitudeOf(north + slackMetres),
  ];
}

function longitudeOf(x: number): number {
  return x / radius / radians;
}

function latitudeOf(y: number): number {
  return (2 * Math.atan(Math.exp(y / radius)) - Math.PI / 2) / radians;
}
