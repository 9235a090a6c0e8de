/** Left, bottom, right and top; in degrees west, south, east and north, where west is greater than east across the antimeridian. */
export type Box = readonly [left: number, bottom: number, right: number, top: number];

/** Where a raster is: on the earth, and in its own reference system. */
export interface Place {
  /** Degrees. */
  readonly box: Box;
  /** Undefined where it is not known. */
  readonly plane: { readonly crs: string; readonly box: Box } | undefined;
}

/** Boxes in degrees stem from outlines, and transformations of datums differ: less apart than this is not apart. */
const toleranceDegrees = 0.002;

/** Returns the share of a raster's box that another one's covers: 0 where they are apart, in their reference system if they share one. */
export function coveredShare(place: Place, by: Place): number {
  const [plane, other] = [place.plane, by.plane];
  if (plane !== undefined && plane.crs === other?.crs) return shareIn(plane.box, [other.box], 0);
  const [west, south, east, north] = unrolled(by.box);
  const turns = [-360, 0, 360].map((turn): Box => [west + turn, south, east + turn, north]);
  return shareIn(unrolled(place.box), turns, toleranceDegrees);
}

function unrolled([west, south, east, north]: Box): Box {
  return [west, south, east < west ? east + 360 : east, north];
}

/** @param tolerance less apart is not apart; without any, boxes are apart that have an edge in common */
function shareIn([left, bottom, right, top]: Box, others: readonly Box[], tolerance: number): number {
  const shares = others.map((other) => {
    const width = Math.min(right, other[2]) - Math.max(left, other[0]) + tolerance;
    const height = Math.min(top, other[3]) - Math.max(bottom, other[1]) + tolerance;
    return width > 0 && height > 0 ? (width * height) / ((right - left) * (top - bottom)) : 0;
  });
  return Math.min(1, Math.max(...shares.map((share) => (Number.isNaN(share) ? 1 : share))));
}
