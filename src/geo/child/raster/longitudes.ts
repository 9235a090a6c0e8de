/** Two longitudes in degrees, and all between them by the shorter way. */
export type Stretch = readonly [number, number];

/** Gaps that are narrower, in degrees, are none. */
const gapDegrees = 1e-5;

/** A stretch in degrees east of a first longitude; between -180 and 180, its ends also as they were given. */
interface Interval {
  readonly from: number;
  readonly to: number;
  readonly west: number;
  readonly east: number;
}

/**
 * Returns the least range of longitudes that holds all stretches; west is greater than east when it crosses the antimeridian.
 * @param stretches at least one.
 */
export function longitudesOf(stretches: readonly Stretch[]): readonly [west: number, east: number] {
  const [origin = 0] = stretches[0] ?? [];
  const intervals = stretches
    .flatMap((stretch) => intervalsOf(stretch, origin))
    .toSorted((a, b) => a.from - b.from);
  const [first] = intervals;
  if (first === undefined) return [-180, 180];
  let end = first;
  let gap = { width: -Infinity, west: first.west, east: first.east };
  const look = (next: Interval, from: number) => {
    if (from - end.to > gap.width) gap = { width: from - end.to, west: end.east, east: next.west };
    if (next.to > end.to) end = next;
  };
  for (const next of intervals) look(next, next.from);
  look(first, first.from + 360);
  if (gap.width <= gapDegrees) return [-180, 180];
  return [gap.east === 180 ? -180 : gap.east, gap.west === -180 ? 180 : gap.west];
}

function intervalsOf([one, other]: Stretch, origin: number): readonly Interval[] {
  const turn = nearest(other - one);
  const [west, east] = turn < 0 ? [other, one] : [one, other];
  const from = nearest(west - origin);
  const to = from + Math.abs(turn);
  if (to <= 180) return [{ from, to, west, east }];
  // Beyond the opposite of the origin it goes on from the other side.
  const seam = nearest(origin + 180);
  return [
    { from, to: 180, west, east: seam },
    { from: -180, to: to - 360, west: seam, east },
  ];
}

/** Returns the same angle by the shorter way round. */
export function nearest(turn: number): number {
  return turn - 360 * Math.round(turn / 360);
}
