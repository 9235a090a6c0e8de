/** Left, bottom, right and top; in degrees west, south, east and north, where west is greater than east across the antimeridian. */
export type Box = readonly [left: number, bottom: number, right: number, top: number];

/** The extent of a raster: on the earth, and in its own reference system. */
export interface Place {
  /** In degrees. */
  readonly box: Box;
  /** Undefined when unknown. */
  readonly plane: { readonly crs: string; readonly box: Box } | undefined;
}

/** Tolerance, in degrees, for boxes that are computed from outlines and across datums. */
const toleranceDegrees = 0.002;

/**
 * Returns the share of a raster's box that another raster covers, in their reference system if they share one; 0 if they are disjoint.
 */
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

/**
 * Returns the covered share of a box.
 * @param tolerance boxes with a smaller distance are not disjoint; if 0, boxes that share an edge are disjoint
 */
function shareIn([left, bottom, right, top]: Box, others: readonly Box[], tolerance: number): number {
  const shares = others.map((other) => {
    const width = Math.min(right, other[2]) - Math.max(left, other[0]) + tolerance;
    const height = Math.min(top, other[3]) - Math.max(bottom, other[1]) + tolerance;
    return width > 0 && height > 0 ? (width * height) / ((right - left) * (top - bottom)) : 0;
  });
  return Math.min(1, Math.max(...shares.map((share) => (Number.isNaN(share) ? 1 : share))));
}
