import { countPositions, everyNth, withoutNear } from './bound-positions.ts';
import { boundsOf, type Position, type SourceFeature } from './collection.ts';
import { worldX, worldY } from '../../../../common/maps/raster/web-mercator.ts';

/** A point in pixels, from the left and from the top. */
export type Pixel = readonly [x: number, y: number];

/** A feature in pixels. */
export interface Shape {
  readonly properties: SourceFeature['properties'];
  readonly points: readonly Pixel[];
  readonly lines: readonly (readonly Pixel[])[];
  /** Closed rings: the outer one clockwise on the screen, holes the other way. */
  readonly polygons: readonly (readonly (readonly Pixel[])[])[];
}

interface Frame {
  /** Pixels per side. */
  readonly size: number;
  /** Free pixels on each side. */
  readonly margin: number;
}

const maxPositions = 2_000_000;
/** More points than this hide each other. */
const maxPoints = 20_000;
/** Limit of the total number of pixels along edges; more take seconds. */
const maxSteps = 4_000_000;
/** The same limit for a polygon: the time to fill it grows with the square. */
const maxPolygonSteps = 300_000;
/** Limit of the total pixels in the boxes of all features, each of which is tested. */
const maxPixels = 60_000_000;
/** Closer points are equal on the screen. */
const leastStepPixels = 0.2;
/** A line of fewer points keeps them all. */
const shortLine = 16;

/** Fits the features of a source into the centre of a picture. If painting would take too long, only every n-th part is kept. */
export function shapesOf(features: readonly SourceFeature[], frame: Frame): readonly Shape[] {
  const toPixel = fit(features, frame);
  if (toPixel === undefined) return [];
  const share = Math.ceil(countPositions(features) / maxPositions);
  const pointShare = Math.ceil(features.reduce((sum, { points }) => sum + points.length, 0) / maxPoints);
  let point = -1;
  const isDot = () => {
    point += 1;
    return point % pointShare === 0;
  };
  const place = (line: readonly Position[]) => {
    const pixels = everyNth(line, share).map(toPixel);
    return pixels.length > shortLine ? withoutNear(pixels, leastStepPixels) : pixels;
  };
  const shapes = features.map(({ properties, points, lines, polygons }) => ({
    properties,
    points: points.filter(isDot).map(toPixel),
    lines: lines.map(place),
    polygons: polygons.map((rings) =>
      bounded(rings.map(place)).map((ring, index) => turned(ring, index === 0 ? 1 : -1)),
    ),
  }));
  const drawn = withFewerSteps(shapes).filter(
    ({ points, lines, polygons }) => points.length + lines.length + polygons.length > 0,
  );
  return withFewerPixels(drawn);
}

/** Returns the transformation of the box of all positions to the centre of the frame; undefined without positions. */
function fit(features: readonly SourceFeature[], { size, margin }: Frame) {
  const bounds = boundsOf(features);
  if (bounds === undefined) return undefined;
  const [west, south, east, north] = bounds;
  const [left, right, top, bottom] = [worldX(west), worldX(east), worldY(north), worldY(south)];
  const span = Math.max(right - left, bottom - top);
  // A single point has no extent, and is placed in the centre.
  const scale = span === 0 ? 0 : (size - 2 * margin) / span;
  const within = (pixel: number) => Math.min(size - margin, Math.max(margin, pixel));
  return ([longitude = 0, latitude = 0]: Position): Pixel => [
    within(size / 2 + (worldX(longitude) - (left + right) / 2) * scale),
    within(size / 2 + (worldY(latitude) - (top + bottom) / 2) * scale),
  ];
}

/** Returns a ring in the direction of `sign`: 1 is clockwise on the screen. */
function turned(ring: readonly Pixel[], sign: 1 | -1): readonly Pixel[] {
  let doubled = 0;
  let [fromX, fromY] = ring.at(-1) ?? [0, 0];
  for (const [x, y] of ring) {
    doubled += fromX * y - x * fromY;
    [fromX, fromY] = [x, y];
  }
  return doubled * sign < 0 ? ring.toReversed() : ring;
}

/** Returns an odd number, because an even one would remove one side of zigzags. */
const oddShare = (steps: number, most: number) => Math.ceil(steps / most) | 1;

function bounded(rings: readonly (readonly Pixel[])[]): readonly (readonly Pixel[])[] {
  const share = oddShare(stepsOf(rings), maxPolygonSteps);
  return share <= 1 ? rings : rings.map((ring) => everyNth(ring, share));
}

function withFewerSteps(shapes: readonly Shape[]): readonly Shape[] {
  const steps = shapes.reduce(
    (sum, { lines, polygons }) => sum + stepsOf(lines) + stepsOf(polygons.flat()),
    0,
  );
  const share = oddShare(steps, maxSteps);
  if (share <= 1) return shapes;
  let number = 0;
  // Long lines lose points; some of the other lines are dropped.
  const isKept = (line: readonly Pixel[] = []) => {
    number += 1;
    return line.length > shortLine || number % share === 0;
  };
  const shortened = (line: readonly Pixel[]) => (line.length > shortLine ? everyNth(line, share) : line);
  return shapes.map(({ lines, polygons, ...shape }) => ({
    ...shape,
    lines: lines.filter((line) => isKept(line)).map(shortened),
    polygons: polygons
      .filter(([outer]) => isKept(outer))
      .map(([outer = [], ...holes]) => [
        shortened(outer),
        ...holes.filter((hole) => isKept(hole)).map(shortened),
      ]),
  }));
}

function stepsOf(lines: readonly (readonly Pixel[])[]): number {
  let steps = 0;
  for (const line of lines) {
    let [fromX, fromY] = line[0] ?? [0, 0];
    for (const [x, y] of line) {
      steps += 1 + Math.abs(x - fromX) + Math.abs(y - fromY);
      [fromX, fromY] = [x, y];
    }
  }
  return steps;
}

function withFewerPixels(shapes: readonly Shape[]): readonly Shape[] {
  const share = Math.ceil(shapes.reduce((sum, shape) => sum + boxPixels(shape), 0) / maxPixels);
  return share <= 1 ? shapes : shapes.filter((_, index) => index % share === 0);
}

function boxPixels({ points, lines, polygons }: Shape): number {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of [points, ...lines, ...polygons.map(([outer = []]) => outer)]) {
    for (const [x, y] of line) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return left > right ? 0 : (right - left + 1) * (bottom - top + 1);
}
