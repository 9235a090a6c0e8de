/** Polygons of a unit, each with its outer ring first: longitude and latitude, closed rings. */
export type Borders = readonly (readonly Ring[])[];
type Ring = readonly Position[];
type Position = readonly number[];
/** A vertex in whole steps of the rounding. */
type Point = readonly [x: number, y: number];

/** Precision of the units themselves. */
const mostDecimals = 7;

/**
 * Rounds borders to `decimals` of a degree, and removes parts that then have no extent: repeated points, lines there
 * and back, rings of nothing else. Vertices that units share stay shared, so that there are neither gaps nor overlaps
 * between them. A unit that would vanish is rounded to the smallest number of further decimals that preserves it; a
 * unit without extent has no borders. Outer rings run counter-clockwise, holes clockwise.
 */
export function roundBorders(borders: Borders, decimals: number): Borders {
  for (let precision = decimals; precision <= mostDecimals; precision += 1) {
    const rounded = borders.flatMap((polygon) => roundPolygon(polygon, 10 ** precision));
    if (rounded.length > 0) return rounded;
  }
  return [];
}

/** Returns one polygon; none if its outer ring vanishes. */
function roundPolygon(rings: readonly Ring[], stepsPerDegree: number): Ring[][] {
  const [outer = [], ...holes] = rings.map((ring) => roundRing(ring, stepsPerDegree));
  if (outer.length === 0) return [];
  const oriented = [
    turned(outer, 1),
    ...holes.filter(({ length }) => length > 0).map((hole) => turned(hole, -1)),
  ];
  return [
    oriented.map((ring) =>
      [...ring, ...ring.slice(0, 1)].map(([x, y]) => [x / stepsPerDegree, y / stepsPerDegree]),
    ),
  ];
}

/** Returns the remaining corners of a ring, the first one only once; none if it has no extent. */
function roundRing(ring: Ring, stepsPerDegree: number): readonly Point[] {
  const corners: Point[] = [];
  const at = (index: number): Point | undefined => corners.at(index);
  for (const [longitude = 0, latitude = 0] of ring) {
    const point = [Math.round(longitude * stepsPerDegree), Math.round(latitude * stepsPerDegree)] as const;
    while (turnsBack(at(-2), at(-1), point)) corners.pop();
    if (!isSame(at(-1), point)) corners.push(point);
  }
  return withoutClosingSpike(corners);
}

/** The ring may also turn back at its closing point. */
function withoutClosingSpike(corners: readonly Point[]): readonly Point[] {
  let [start, end] = [0, corners.length];
  const at = (index: number): Point | undefined =>
    index >= start && index < end ? corners[index] : undefined;
  for (;;) {
    if (end - start < 3) return [];
    if (isSame(at(end - 1), at(start)) || turnsBack(at(end - 2), at(end - 1), at(start))) end -= 1;
    else if (turnsBack(at(end - 1), at(start), at(start + 1))) start += 1;
    else return corners.slice(start, end);
  }
}

function isSame(one: Point | undefined, other: Point | undefined): boolean {
  return one !== undefined && other !== undefined && one[0] === other[0] && one[1] === other[1];
}

/** Returns true if a path turns straight back or stands still at its middle point. */
function turnsBack(from: Point | undefined, middle: Point | undefined, to: Point | undefined): boolean {
  if (from === undefined || middle === undefined || to === undefined) return false;
  const [ax, ay] = [middle[0] - from[0], middle[1] - from[1]];
  const [bx, by] = [to[0] - middle[0], to[1] - middle[1]];
  return ax * by === ay * bx && ax * bx + ay * by < 0;
}

/** Returns a ring in the direction of `sign`: 1 is counter-clockwise. A self-intersecting ring may have either. */
function turned(corners: readonly Point[], sign: 1 | -1): readonly Point[] {
  let doubledArea = 0;
  let [x0, y0] = corners.at(-1) ?? [0, 0];
  for (const [x, y] of corners) {
    doubledArea += x0 * y - x * y0;
    [x0, y0] = [x, y];
  }
  return doubledArea * sign < 0 ? corners.toReversed() : corners;
}
