import type { Extent, Point } from '../../../../common/maps/paper/albers.ts';
import { clipLine, clipRing } from '../../../../common/maps/paper/clip.ts';
import { cssOf } from '../../../../common/maps/style/colour-map.ts';
import { storedStyle } from '../../../../common/maps/style/sld-read.ts';
import type { Pen } from '../canvas/canvas.ts';
import type { ThreadContext } from '../objects/context.ts';
import { type Brush, type Brushes, brushesFor, type Dot } from '../vector/brushes.ts';
import { boundsOf, featuresOf, type SourceFeature } from '../vector/collection.ts';
import { parseSource, readSource, type VectorSource } from '../vector/read-source.ts';
import { fillBorders, lineOnPicture, strokeLines, type Way } from './borders.ts';

/** A vector, or a table by KATO, on a map on paper. */
export interface PaperVector {
  readonly source: VectorSource;
  /** The single features that the map shows, as GeoJSON; undefined to draw the stored GeoJSON, in which they are united. */
  readonly features?: Uint8Array<ArrayBuffer> | undefined;
  /** Undefined if neither the dataset nor its group has one. */
  readonly style: { readonly key: string; readonly compiled: string } | undefined;
}

/** A vector whose features are in memory. */
export interface OpenVector {
  readonly features: readonly (SourceFeature & { readonly bounds: Extent })[];
  readonly brushesOf: Brushes;
}

/** A pixel of a style on paper, in points: 0.28 mm, by the OGC's Symbology Encoding 1.1. */
export const pointsPerPixel = (0.28 / 25.4) * 72;

/** Reads a vector. @throws {Problem} `not_found` if it is gone; `invalid` if it is too large to be drawn. */
export async function openVector(
  { source, features: text, style }: PaperVector,
  context: ThreadContext,
): Promise<OpenVector> {
  const json = text === undefined ? (await readSource(source.key, context)).json : parseSource(text);
  const features = featuresOf(json);
  return {
    brushesOf: brushesFor(features, source, storedStyle(style?.compiled)),
    features: features.flatMap((feature) => {
      const bounds = boundsOf([feature]);
      if (bounds === undefined) return [];
      const [left, bottom, right, top] = bounds;
      return [{ ...feature, bounds: { left, bottom, right, top } }];
    }),
  };
}

/** Draws the features of a vector that the map shows, with the widths of its style on paper. */
export function drawVector(
  pen: Pen,
  { features, brushesOf }: OpenVector,
  { way, denominator }: { readonly way: Way; readonly denominator: number },
): void {
  for (const feature of features) {
    if (way.bounds !== undefined && !meetsBounds(feature.bounds, way.bounds)) continue;
    const brushes = brushesOf(feature.properties, denominator);
    if (brushes.length === 0) continue;
    const shape = shapeOf(feature, way);
    for (const brush of brushes) paint(pen, brush, shape);
  }
}

const meetsBounds = (one: Extent, other: Extent) =>
  one.left <= other.right && other.left <= one.right && one.bottom <= other.top && other.bottom <= one.top;

/** A feature on paper, in points. */
interface PaperShape {
  readonly points: readonly Point[];
  readonly lines: readonly (readonly Point[])[];
  readonly polygons: readonly (readonly (readonly Point[])[])[];
}

function shapeOf({ points, lines, polygons }: SourceFeature, way: Way): PaperShape {
  const { bounds, plane, toPicture } = way;
  const isInside = ([x = 0, y = 0]: readonly number[]) =>
    bounds === undefined || (x >= bounds.left && x <= bounds.right && y >= bounds.bottom && y <= bounds.top);
  return {
    points: points.filter(isInside).map(([x = 0, y = 0]) => toPicture(plane.toPlane(x, y))),
    lines: lines.flatMap((line) =>
      (bounds === undefined ? [line] : clipLine(line, bounds)).map((part) => lineOnPicture(part, way)),
    ),
    polygons: polygons.map((rings) =>
      rings.flatMap((ring) => {
        const kept = bounds === undefined ? ring : clipRing(ring, bounds);
        return kept.length === 0 ? [] : [lineOnPicture(kept, way)];
      }),
    ),
  };
}

function paint(pen: Pen, { fill, stroke, dot }: Brush, { points, lines, polygons }: PaperShape): void {
  if (fill !== undefined) {
    pen.fillStyle = cssOf(fill);
    for (const rings of polygons) fillBorders(pen, rings);
  }
  if (stroke !== undefined && stroke.width > 0) {
    pen.strokeStyle = cssOf(stroke.colour);
    pen.lineWidth = stroke.width * pointsPerPixel;
    const dashes = stroke.dashes.map((dash) => dash * pointsPerPixel);
    strokeLines(pen, [...polygons.flat(), ...lines], dashes);
  }
  if (dot !== undefined) for (const point of points) paintDot(pen, point, dot);
}

/** Draws a point symbol in the sizes of its style. */
export function paintDot(pen: Pen, [x, y]: Point, { fill, stroke, radius, shape }: Dot): void {
  pen.beginPath();
  const corners = cornersOf(shape);
  const size = radius * pointsPerPixel;
  if (corners === undefined) pen.arc(x, y, size, 0, 2 * Math.PI);
  else for (const [across, down] of corners) pen.lineTo(x + across * size, y + down * size);
  pen.closePath();
  if (fill !== undefined) {
    pen.fillStyle = cssOf(fill);
    pen.fill();
  }
  if (stroke === undefined || stroke.width === 0) return;
  pen.strokeStyle = cssOf(stroke.colour);
  pen.lineWidth = stroke.width * pointsPerPixel;
  pen.stroke();
}

/** Returns the corners of a symbol in a circle of radius 1; undefined for a circle. */
function cornersOf(shape: string): readonly Point[] | undefined {
  switch (shape) {
    case 'square':
      return [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ];
    case 'triangle':
      return [
        [0, -1],
        [1, 1],
        [-1, 1],
      ];
    case 'star':
      return Array.from({ length: 10 }, (_, index) => {
        const [angle, size] = [(index * Math.PI) / 5, index % 2 === 0 ? 1 : 0.4];
        return [size * Math.sin(angle), -size * Math.cos(angle)];
      });
    default:
      return undefined;
  }
}
