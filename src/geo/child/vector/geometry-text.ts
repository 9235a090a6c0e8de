import type { Parts, Positions } from '../../formats/features/geometry.ts';

/** Returns the GeoJSON text of united parts, in small pieces; several kinds become a collection, none `null`. */
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

/** Writes decimals without an exponent, as people and every parser read them. */
function degreesText(degrees: number): string {
  return Math.abs(degrees) < 1e-6 && degrees !== 0 ? degrees.toFixed(7) : String(degrees);
}
