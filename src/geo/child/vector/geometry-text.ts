import type { Parts, Positions } from '../../formats/features/geometry.ts';

const maxPieceLength = 64 * 1024;

/** The GeoJSON text of united parts, in pieces; undefined when there are none. Several kinds become a collection. */
export function geometryText(parts: Parts): Iterable<string> | undefined {
  const kinds = [
    ...(parts.points.length > 0 ? [pointsText(parts.points)] : []),
    ...(parts.lines.length > 0 ? [manyText('LineString', parts.lines, positionsText)] : []),
    ...(parts.polygons.length > 0
      ? [manyText('Polygon', parts.polygons, (rings) => listText(rings, positionsText))]
      : []),
  ];
  const [only] = kinds;
  if (kinds.length <= 1) return only && inPieces(only);
  return inPieces(
    wrapped(
      '{"type":"GeometryCollection","geometries":',
      listText(kinds, (kind) => kind),
      '}',
    ),
  );
}

function pointsText(points: Positions): Iterable<string> {
  const several = points.length > 2;
  const type = several ? 'MultiPoint' : 'Point';
  return wrapped(
    `{"type":"${type}","coordinates":`,
    several ? positionsText(points) : [positionText(points, 0)],
    '}',
  );
}

function manyText<T>(
  type: string,
  members: readonly T[],
  text: (member: T) => Iterable<string>,
): Iterable<string> {
  const [only] = members;
  const single = members.length === 1 && only !== undefined;
  return wrapped(
    `{"type":"${single ? '' : 'Multi'}${type}","coordinates":`,
    single ? text(only) : listText(members, text),
    '}',
  );
}

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

/** Decimals without an exponent, as people and every parser read them. */
function degreesText(degrees: number): string {
  return Math.abs(degrees) < 1e-6 && degrees !== 0 ? degrees.toFixed(7) : String(degrees);
}

function* wrapped(before: string, inner: Iterable<string>, after: string): Generator<string> {
  yield before;
  yield* inner;
  yield after;
}

/** Joins many small pieces into few large ones. */
function* inPieces(pieces: Iterable<string>): Generator<string> {
  let joined = '';
  for (const piece of pieces) {
    joined += piece;
    if (joined.length >= maxPieceLength) {
      yield joined;
      joined = '';
    }
  }
  yield joined;
}
