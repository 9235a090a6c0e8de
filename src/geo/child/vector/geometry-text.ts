import type { Parts, Positions, Rings } from '../../formats/features/geometry.ts';

/** Yields the GeoJSON text of united parts in small pieces; several types become a collection, none becomes `null`. */
export function* geometryText({ points, lines, polygons }: Parts): Generator<string> {
  const places = Array.from({ length: points.length / 2 }, (_, index) => 2 * index);
  const kinds = [
    ...(places.length > 0 ? [membersText('Point', places, (at) => [positionText(points, at)])] : []),
    ...(lines.length > 0 ? [membersText('LineString', lines, positionsText)] : []),
    ...(polygons.length > 0 ? [membersText('Polygon', polygons, ringsText)] : []),
  ];
  const [only] = kinds;
  if (only === undefined) yield 'null';
  else if (kinds.length === 1) yield* only;
  else {
    yield '{"type":"GeometryCollection","geometries":';
    yield* listText(kinds, (kind) => kind);
    yield '}';
  }
}

function* membersText<T>(
  type: string,
  members: readonly T[],
  text: (member: T) => Iterable<string>,
): Generator<string> {
  const [only] = members;
  const single = members.length === 1 && only !== undefined;
  yield `{"type":"${single ? '' : 'Multi'}${type}","coordinates":`;
  yield* single ? text(only) : listText(members, text);
  yield '}';
}

const ringsText = (rings: readonly Positions[]): Iterable<string> => listText(rings, positionsText);

function* listText<T>(members: readonly T[], text: (member: T) => Iterable<string>): Generator<string> {
  let before = '[';
  for (const member of members) {
    yield before;
    yield* text(member);
    before = ',';
  }
  yield ']';
}

function* positionsText(positions: Positions): Generator<string> {
  for (let i = 0; i + 1 < positions.length; i += 2) yield (i === 0 ? '[' : ',') + positionText(positions, i);
  yield ']';
}

function positionText(positions: Positions, at: number): string {
  return `[${degreesText(positions[at] ?? 0)},${degreesText(positions[at + 1] ?? 0)}]`;
}

/** Formats decimals without an exponent, for people and every parser. */
function degreesText(degrees: number): string {
  return Math.abs(degrees) < 1e-6 && degrees !== 0 ? degrees.toFixed(7) : String(degrees);
}

/** 7 decimals, a centimetre on the ground; RFC 7946 requires no more. */
const perDegree = 1e7;

/** Area of a strip around the earth of the width of the last decimal. */
const tinyDegrees2 = 2 * (360 / perDegree);

export function roundDegrees(degrees: number): number {
  // Adding zero turns -0 into 0.
  return Math.round(degrees * perDegree) / perDegree + 0;
}

/** Rounds positions and drops repeated ones. */
function roundPositions(positions: Positions): number[] {
  const rounded: number[] = [];
  for (let i = 0; i + 1 < positions.length; i += 2) {
    const [x, y] = [roundDegrees(positions[i] ?? 0), roundDegrees(positions[i + 1] ?? 0)];
    if (rounded.length === 0 || rounded.at(-2) !== x || rounded.at(-1) !== y) rounded.push(x, y);
  }
  return rounded;
}

/** Rounds a line; undefined if it is shorter than the rounding. */
export function roundLine(line: Positions): Positions | undefined {
  const rounded = roundPositions(line);
  return rounded.length >= 4 ? rounded : undefined;
}

/** Rounds a polygon and orients its rings: outer counter-clockwise, holes clockwise; drops rings smaller than the rounding. */
export function roundPolygon(rings: Rings): Rings | undefined {
  const [outer, ...holes] = rings.map(roundPositions);
  if (outer === undefined || !hasArea(outer)) return undefined;
  return [turned(outer, 1), ...holes.filter(hasArea).map((hole) => turned(hole, -1))];
}

/** Orients the rings of a polygon: outer counter-clockwise, holes clockwise. */
export function wound([outer = [], ...holes]: Rings): Rings {
  return [turned(outer, 1), ...holes.map((hole) => turned(hole, -1))];
}

/** Returns whether a ring encloses so little that rounding may remove it. */
export function isTiny(ring: Positions = []): boolean {
  return !(Math.abs(doubleArea(ring)) > tinyDegrees2);
}

function hasArea(ring: Positions): boolean {
  return ring.length >= 8 && doubleArea(ring) !== 0;
}

function turned(ring: Positions, sign: 1 | -1): Positions {
  if (Math.sign(doubleArea(ring)) !== -sign) return ring;
  const reversed: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) reversed.push(ring[i] ?? 0, ring[i + 1] ?? 0);
  return reversed;
}

/** Positive for counter-clockwise. Relative to the first corner, which keeps the precision of small rings. */
function doubleArea(ring: Positions): number {
  const [x0 = 0, y0 = 0] = ring;
  let area = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [x1, y1, x2, y2] = [ring[i] ?? 0, ring[i + 1] ?? 0, ring[i + 2] ?? 0, ring[i + 3] ?? 0];
    area += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  }
  return area;
}
