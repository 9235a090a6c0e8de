/** Longitude and latitude in degrees, within the range of the earth. */
export type Position = number[];

/** A feature with its geometry sorted by kind; collections are split into their members. */
export interface SourceFeature {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly points: Position[];
  /** Each of two positions or more. */
  readonly lines: Position[][];
  /** Each with its outer ring first; rings are closed and have at least four positions. */
  readonly polygons: Position[][][];
}

/**
 * Extracts the features of any GeoJSON. Invalid geometry is dropped: nulls, empty or incomplete positions, unknown
 * types. Positions beyond the earth are moved to its edge.
 */
export function featuresOf(json: unknown): readonly SourceFeature[] {
  if (!isRecord(json)) return [];
  const list = json['type'] === 'FeatureCollection' ? json['features'] : [json];
  return Array.isArray(list) ? list.map(featureOf) : [];
}

function featureOf(json: unknown): SourceFeature {
  const feature = isRecord(json) ? json : {};
  const isBare = feature['type'] !== 'Feature';
  const { properties } = feature;
  const made: SourceFeature = {
    properties: !isBare && isRecord(properties) ? properties : {},
    points: [],
    lines: [],
    polygons: [],
  };
  // Without recursion, so that any nesting of collections is safe.
  const waiting: unknown[] = [isBare ? feature : feature['geometry']];
  for (let geometry = waiting.pop(); geometry !== undefined; geometry = waiting.pop()) {
    if (!isRecord(geometry)) continue;
    const { type, coordinates, geometries } = geometry;
    if (type !== 'GeometryCollection') addGeometry(made, type, coordinates);
    else if (Array.isArray(geometries))
      for (const each of geometries.toReversed()) waiting.push(each ?? null);
  }
  return made;
}

function addGeometry({ points, lines, polygons }: SourceFeature, type: unknown, coordinates: unknown): void {
  switch (type) {
    case 'Point':
      return addAll(points, positionsOf([coordinates]));
    case 'MultiPoint':
      return addAll(points, positionsOf(coordinates));
    case 'LineString':
      return addAll(lines, [lineOf(coordinates)]);
    case 'MultiLineString':
      return addAll(lines, listOf(coordinates).map(lineOf));
    case 'Polygon':
      return addAll(polygons, [ringsOf(coordinates)]);
    case 'MultiPolygon':
      return addAll(polygons, listOf(coordinates).map(ringsOf));
    default:
      return undefined;
  }
}

/** Adds defined items one by one: a call cannot have a million arguments. */
function addAll<T>(to: T[], parts: readonly (T | undefined)[]): void {
  for (const part of parts) if (part !== undefined) to.push(part);
}

function lineOf(json: unknown): Position[] | undefined {
  const positions = positionsOf(json);
  return positions.length < 2 ? undefined : positions;
}

/** Returns the rings of a polygon; none if its outer ring is invalid, whatever its holes are. */
function ringsOf(json: unknown): Position[][] | undefined {
  const [outer, ...holes] = listOf(json).map(ringOf);
  return outer === undefined ? undefined : [outer, ...holes.filter((hole) => hole !== undefined)];
}

function ringOf(json: unknown): Position[] | undefined {
  const positions = positionsOf(json);
  const [first, last] = [positions[0], positions.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (first[0] !== last[0] || first[1] !== last[1]) positions.push(first);
  return positions.length < 4 ? undefined : positions;
}

function positionsOf(json: unknown): Position[] {
  const positions: Position[] = [];
  for (const each of listOf(json)) {
    const [longitude, latitude]: readonly unknown[] = listOf(each);
    if (!isFinite(longitude) || !isFinite(latitude)) continue;
    // Most positions are valid; not copying them saves half of the memory.
    const isOnEarth = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
    positions.push(isOnEarth && isPosition(each) ? each : [clamped(longitude, 180), clamped(latitude, 90)]);
  }
  return positions;
}

const isFinite = (value: unknown): value is number => Number.isFinite(value);
const isPosition = (json: unknown): json is Position => Array.isArray(json) && json.every(isFinite);
const clamped = (value: number, most: number) => Math.min(most, Math.max(-most, value));
const listOf = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : []);

function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** Returns west, south, east and north of some features; undefined without geometry. */
export function boundsOf(
  features: readonly SourceFeature[],
): readonly [west: number, south: number, east: number, north: number] | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { points, lines, polygons } of features) {
    for (const line of [points, ...lines, ...polygons.flat()]) {
      for (const [longitude = 0, latitude = 0] of line) {
        west = Math.min(west, longitude);
        east = Math.max(east, longitude);
        south = Math.min(south, latitude);
        north = Math.max(north, latitude);
      }
    }
  }
  return west > east ? undefined : [west, south, east, north];
}
