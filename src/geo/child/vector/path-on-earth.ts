import type { Positions } from '../../formats/features/geometry.ts';

/** A longitude or easting, and a latitude or northing. */
type Position = readonly [number, number];

/** A line that is straight in the file. */
interface Stretch {
  readonly lengthMetres: number;
  /** Continuous longitude and latitude of its start. */
  readonly begin: Position;
  readonly end: Position;
  readonly placeAt: PlaceAt;
}

/** Returns longitude and latitude at a share of a stretch. */
type PlaceAt = (share: number) => Position;

/** A place on a stretch: its share of the length, and its longitude and latitude. */
interface Stop {
  readonly share: number;
  readonly at: Position;
}

/** Transformation from the plane of a file to the earth; lines of a file in degrees are straight on the earth as well. */
export interface Projection {
  /** Returns longitude and latitude in degrees of a position in the file. */
  toEarth(position: Position): Position;
  /** Metres per unit of the file. */
  readonly unitMetres: number;
}

/** The antimeridian, on every turn around the earth. */
const antimeridian = 180;
/** Shorter lines that turn less than this against the meridians stay straight within `visibleBend`. */
const [slightTurnDegrees, longMetres] = [4, 2e6];
/** Relative deviation at which a line bends visibly, and the maximum for its pieces. */
const [visibleBend, leastBend] = [1e-2, 1e-6];
/** Longitudes farther apart may lie on either side of the earth. */
const nearDegrees = 5;
const [maxHalvings, maxBendHalvings, bisections] = [40, 12, 60];
/** Within a centimetre, a longitude counts as the antimeridian; within much less, a latitude counts as a pole. */
const [meridianNoise, poleNoise] = [1e-7, 1e-9];

/** Returns the full turns in degrees that bring a longitude closest to another. */
export function turnTowards(longitude: number, other: number): number {
  return 360 * Math.round((other - longitude) / 360);
}

function isAtPole([, latitude]: Position): boolean {
  return Math.abs(latitude) >= 90 - poleNoise;
}

/**
 * Follows a line on the earth without jumps: beyond 180° its longitudes continue, to 190 or -550. Adds positions at
 * crossings of 180°, at poles, and where it bends visibly although it is straight in the file.
 * @param source positions in the coordinates of the file.
 * @param onEarth their longitudes and latitudes in degrees.
 * @param projection absent if the file is in degrees, and `onEarth` has no jumps.
 */
export function followOnEarth(source: Positions, onEarth: Positions, projection?: Projection): number[] {
  if (projection === undefined && onEarth.every((value, i) => i % 2 === 1 || Math.abs(value) <= antimeridian))
    return [...onEarth];
  const path: number[] = [];
  for (let i = 0; i + 1 < source.length; i += 2) {
    const here = positionAt(onEarth, i);
    if (i === 0) {
      path.push(...onMeridian(here));
      continue;
    }
    const begin = positionAt(path, path.length - 2);
    const [from, to] = [positionAt(source, i - 2), positionAt(source, i)];
    const stretch = projection && stretchBetween(from, to, { begin, end: here }, projection);
    const stops = stretch === undefined ? [{ share: 1, at: here }] : stopsOf(stretch);
    let before: Stop = { share: 0, at: begin };
    for (const stop of stops) {
      for (const crossing of crossingsBetween(before, stop, stretch?.placeAt)) path.push(...crossing);
      path.push(...onMeridian(stop.at));
      before = stop;
    }
  }
  return path;
}

function positionAt(positions: Positions, index: number): Position {
  return [positions[index] ?? 0, positions[index + 1] ?? 0];
}

/** Snaps a longitude close to the antimeridian to it. */
function onMeridian([longitude, latitude]: Position): Position {
  const meridian = antimeridian + 360 * Math.round((longitude - antimeridian) / 360);
  return [Math.abs(longitude - meridian) < meridianNoise ? meridian : longitude, latitude];
}

function stretchBetween(
  from: Position,
  to: Position,
  ends: Pick<Stretch, 'begin' | 'end'>,
  { toEarth, unitMetres }: Projection,
): Stretch {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  return {
    ...ends,
    lengthMetres: Math.hypot(dx, dy) * unitMetres,
    placeAt: (share) => toEarth([from[0] + dx * share, from[1] + dy * share]),
  };
}

/** Returns the intermediate places of a stretch, and its end. */
function stopsOf(stretch: Stretch): Iterable<Stop> {
  const { begin, end } = stretch;
  if (isAtPole(begin) || isAtPole(end)) return alongMeridian(begin, end);
  const straight = { share: 1, at: continued(begin, end) };
  return mayBend(stretch, straight.at) ? bent(stretch, straight) : [straight];
}

/** Returns whether a stretch is so long, or so close to a pole, that it may bend, or go around the earth. */
function mayBend({ lengthMetres, begin }: Stretch, end: Position): boolean {
  const highest = Math.max(Math.abs(begin[1]), Math.abs(end[1]));
  const turnDegrees = Math.abs(end[0] - begin[0]) * Math.sin((highest * Math.PI) / 180);
  return turnDegrees > slightTurnDegrees || lengthMetres > longMetres;
}

/** Splits a stretch into pieces that follow its path on the earth; returns only its end if it is nearly straight. */
function bent({ begin, placeAt }: Stretch, end: Stop): readonly Stop[] {
  const start = { share: 0, at: begin };
  const isNear = (one: Stop, other: Stop) => Math.abs(other.at[0] - one.at[0]) <= nearDegrees;
  const coarse = [...halved(start, end, maxHalvings, { placeAt, isFine: isNear })];
  const last = coarse.at(-1) ?? end;
  const chord = lengthOf(begin, last.at);
  const isStraight = coarse.every(({ at }) => distanceFrom(begin, last.at, at) <= visibleBend * chord);
  if (isStraight) return [last];
  const isFine = (one: Stop, other: Stop, middle: Stop) =>
    isNear(one, other) && distanceFrom(one.at, other.at, middle.at) <= leastBend * chord;
  return [...halved(start, last, maxBendHalvings, { placeAt, isFine })];
}

/** All meridians meet at a pole: a line leaves it along the meridian of its destination, and reaches it along its own. */
function* alongMeridian(begin: Position, end: Position): Generator<Stop> {
  if (isAtPole(begin)) yield { share: 0, at: [continued(begin, end)[0], begin[1]] };
  yield { share: 1, at: isAtPole(end) ? [begin[0], end[1]] : continued(begin, end) };
}

/** Halves a stretch between two stops until each piece is fine enough, and yields the ends of the pieces with continuous longitudes. */
function* halved(
  one: Stop,
  other: Stop,
  halvingsLeft: number,
  by: { readonly placeAt: PlaceAt; readonly isFine: (one: Stop, other: Stop, middle: Stop) => boolean },
): Generator<Stop> {
  const share = (one.share + other.share) / 2;
  const middle = { share, at: continued(one.at, by.placeAt(share)) };
  const end = { share: other.share, at: continued(middle.at, other.at) };
  const isEnd = halvingsLeft === 0;
  if (isAtPole(middle.at) || (isEnd && Math.abs(end.at[0] - one.at[0]) > 90)) {
    yield* acrossPole(one, other, middle);
  } else if (isEnd || by.isFine(one, end, middle)) {
    yield* [middle, end];
  } else {
    let last = one;
    for (last of halved(one, middle, halvingsLeft - 1, by)) yield last;
    yield* halved(last, other, halvingsLeft - 1, by);
  }
}

function* acrossPole(one: Stop, other: Stop, { share, at }: Stop): Generator<Stop> {
  const end = continued(one.at, other.at);
  const pole = Math.sign(at[1]) * 90;
  yield* [
    { share, at: [one.at[0], pole] },
    { share, at: [end[0], pole] },
    { share: other.share, at: end },
  ];
}

/** Yields all crossings of the antimeridian by a piece of a stretch. */
function* crossingsBetween(one: Stop, other: Stop, placeAt?: PlaceAt): Generator<Position> {
  const [from, to] = [one.at[0], other.at[0]];
  const step = to > from ? 360 : -360;
  const first =
    antimeridian + 360 * (step > 0 ? Math.floor((from + 180) / 360) : Math.ceil((from - 180) / 360) - 1);
  for (let meridian = first; step > 0 ? meridian < to : meridian > to; meridian += step) {
    if (Math.min(Math.abs(meridian - from), Math.abs(meridian - to)) < meridianNoise) continue;
    yield [meridian, latitudeAt(meridian, one, other, placeAt)];
  }
}

function latitudeAt(meridian: number, one: Stop, other: Stop, placeAt?: PlaceAt): number {
  const [[fromLon, fromLat], [toLon, toLat]] = [one.at, other.at];
  if (placeAt === undefined || one.share === other.share)
    return fromLat + ((toLat - fromLat) * (meridian - fromLon)) / (toLon - fromLon);
  let [low, high] = [one.share, other.share];
  let at = one.at;
  for (let i = 0; i < bisections; i += 1) {
    const share = (low + high) / 2;
    at = continued([meridian, 0], placeAt(share));
    if (at[0] < meridian === fromLon < meridian) low = share;
    else high = share;
  }
  return at[1];
}

/** Shifts a position by full turns to be closest to another. */
function continued([near]: Position, [longitude, latitude]: Position): Position {
  return [longitude + turnTowards(longitude, near), latitude];
}

/** Returns the approximate distance of two close positions in degrees of latitude. */
function lengthOf(one: Position, other: Position): number {
  const middle = ((one[1] + other[1]) / 2) * (Math.PI / 180);
  return Math.hypot((other[0] - one[0]) * Math.cos(middle), other[1] - one[1]);
}

/** Returns the distance of a position from the line through two others, in degrees of latitude. */
function distanceFrom(begin: Position, end: Position, position: Position): number {
  const scale = Math.cos((position[1] * Math.PI) / 180);
  const [dx, dy] = [(end[0] - begin[0]) * scale, end[1] - begin[1]];
  const [x, y] = [(position[0] - begin[0]) * scale, position[1] - begin[1]];
  const length = Math.hypot(dx, dy);
  return length === 0 ? Math.hypot(x, y) : Math.abs(dx * y - dy * x) / length;
}

export type Pole = 90 | -90;

/**
 * Follows a closed ring on the earth. A ring around a pole is closed along that pole from one end of the world to the
 * other, as readers of RFC 7946 expect; it then spans -180° to 180°.
 * @param poleWithin returns the pole inside the ring.
 * @returns a closed ring in longitudes, which may exceed 180°, and latitudes.
 */
export function followRing(
  source: Positions,
  onEarth: Positions,
  poleWithin: () => Pole,
  projection?: Projection,
): number[] {
  const pole = projection === undefined ? -1 : indexOf(onEarth, isAtPole);
  const path =
    pole > 0
      ? followOnEarth(rotated(source, pole), rotated(onEarth, pole), projection)
      : followOnEarth(source, onEarth, projection);
  const [first, last] = [positionAt(path, 0), positionAt(path, path.length - 2)];
  if (pole >= 0) return path.concat(first);
  const turns = Math.round((last[0] - first[0]) / 360);
  if (turns === 0) return [...path.slice(0, -2), ...first];
  return closedAlong(poleWithin(), path, 360 * turns);
}

function closedAlong(pole: Pole, path: readonly number[], turn: number): number[] {
  // A full turn crosses 180° somewhere: from there it spans the world once.
  const start = Math.max(
    0,
    indexOf(path, ([longitude]) => (longitude - 180) % 360 === 0),
  );
  const before = path.slice(0, start + 2).map((value, i) => (i % 2 === 0 ? value + turn : value));
  const around = [...path.slice(start), ...before.slice(2)];
  const [first, last] = [positionAt(around, 0), positionAt(around, around.length - 2)];
  return [...around, last[0], pole, first[0], pole, ...first];
}

/** Rotates a closed ring to start at another position. */
function rotated(ring: Positions, start: number): number[] {
  return [...ring.slice(start), ...ring.slice(2, start + 2)];
}

/** Returns the index of the first number of a position, or -1. */
function indexOf(positions: Positions, is: (position: readonly [number, number]) => boolean): number {
  for (let i = 0; i + 1 < positions.length; i += 2) if (is(positionAt(positions, i))) return i;
  return -1;
}

/** Returns whether a position is inside a closed ring of a plane. */
export function isWithin(ring: Positions, [x, y]: readonly [number, number]): boolean {
  let within = false;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [[x1, y1], [x2, y2]] = [positionAt(ring, i), positionAt(ring, i + 2)];
    if (y1 > y !== y2 > y && x < x1 + ((x2 - x1) * (y - y1)) / (y2 - y1)) within = !within;
  }
  return within;
}
