import { z } from 'zod';

const maxFaults = 5;
const maxDecimals = 7;

const Position = z.array(z.number()).min(2);
const Ring = z.array(Position);
type Ring = z.infer<typeof Ring>;
const Geometry = z.union([
  z.object({ type: z.literal('Point'), coordinates: Position }),
  z.object({ type: z.enum(['MultiPoint', 'LineString']), coordinates: z.array(Position) }),
  z.object({ type: z.enum(['MultiLineString', 'Polygon']), coordinates: z.array(Ring) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(Ring)) }),
  z.object({ type: z.literal('GeometryCollection'), geometries: z.array(z.unknown()) }),
]);
const Collection = z.strictObject({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.strictObject({
      type: z.literal('Feature'),
      geometry: z.unknown(),
      properties: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
});

export interface CheckedGeoJson {
  readonly featureCount: number;
  /** The first violations of RFC 7946, or of the limit of seven decimals. */
  readonly faults: readonly string[];
}

/** Checks a FeatureCollection of the service against RFC 7946: members, positions, rings and their orientation. */
export function checkGeoJson(text: string): CheckedGeoJson {
  const faults = new Set<string>();
  const collection = parse(text);
  if (collection === undefined) return { featureCount: 0, faults: ['the answer is no JSON'] };
  const read = Collection.safeParse(collection);
  if (!read.success)
    return { featureCount: 0, faults: [`no FeatureCollection: ${z.prettifyError(read.error)}`] };
  const { features } = read.data;
  for (const { geometry } of features) if (geometry !== null) checkGeometry(geometry, faults);
  return { featureCount: features.length, faults: [...faults].slice(0, maxFaults) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checkGeometry(value: unknown, faults: Set<string>): void {
  const read = Geometry.safeParse(value);
  if (!read.success) {
    faults.add('a geometry that RFC 7946 does not know');
    return;
  }
  const geometry = read.data;
  switch (geometry.type) {
    case 'Point':
      return checkPositions([geometry.coordinates], faults);
    case 'MultiPoint':
    case 'LineString':
      return checkPositions(geometry.coordinates, faults);
    case 'MultiLineString':
      return checkPositions(geometry.coordinates.flat(), faults);
    case 'Polygon':
      return checkPolygon(geometry.coordinates, faults);
    case 'MultiPolygon':
      for (const polygon of geometry.coordinates) checkPolygon(polygon, faults);
      return;
    case 'GeometryCollection':
      for (const member of geometry.geometries) checkGeometry(member, faults);
  }
}

function checkPolygon(rings: readonly Ring[], faults: Set<string>): void {
  for (const [index, ring] of rings.entries()) {
    checkPositions(ring, faults);
    const [first, last] = [ring.at(0), ring.at(-1)];
    if (ring.length < 4) faults.add('a ring of fewer than four positions');
    if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) faults.add('a ring that is not closed');
    if (index === 0 && doubleArea(ring) <= 0) faults.add('an outer ring that is not counter-clockwise');
    if (index > 0 && doubleArea(ring) >= 0) faults.add('a hole that is not clockwise');
  }
}

function checkPositions(positions: Ring, faults: Set<string>): void {
  for (const position of positions) {
    const [longitude = 0, latitude = 0] = position;
    if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) {
      faults.add(`${longitude}, ${latitude} is not longitude and latitude`);
    }
    if (position.some((degrees) => Number(degrees.toFixed(maxDecimals)) !== degrees)) {
      faults.add(`more than ${maxDecimals} decimals`);
    }
  }
}

/** Returns twice the area of a ring, relative to its first corner, which preserves precision for small rings. */
function doubleArea(ring: Ring): number {
  const [x0 = 0, y0 = 0] = ring[0] ?? [];
  let area = 0;
  for (const [index, [x1 = 0, y1 = 0]] of ring.entries()) {
    const [x2 = x1, y2 = y1] = ring[index + 1] ?? [];
    area += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  }
  return area;
}
