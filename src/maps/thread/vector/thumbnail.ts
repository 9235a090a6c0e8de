import { cssOf } from '../../../../common/maps/style/colour-map.ts';
import { denominatorOfWhole } from '../../../../common/maps/units/unit-paint.ts';
import { storedStyle } from '../../../../common/maps/style/sld-read.ts';
import type { RgbaPicture } from '../../png/png.ts';
import type { ThreadContext } from '../objects/context.ts';
import { openCanvas, type Pen, takePicture } from '../canvas/canvas.ts';
import { type Brush, brushesFor, type Dot } from './brushes.ts';
import { featuresOf } from './collection.ts';
import { readSource, type VectorSource } from './read-source.ts';
import { type Pixel, type Shape, shapesOf } from './shapes.ts';

export interface VectorThumbnailRequest {
  readonly source: VectorSource;
  /** Undefined if neither the dataset nor its group has one. */
  readonly style: { readonly key: string; readonly compiled: string } | undefined;
  /** Pixels per side. */
  readonly size: number;
}

/** Share of the picture on each side. Lines and dots are not wider, so that all of them lie within the picture. */
const margin = 0.04;

/**
 * Draws a whole stored GeoJSON in Web Mercator, centred in a square picture, on a transparent background. The picture
 * is empty if the source has no geometry.
 * @throws {Problem} `not_found` if the source is gone; `invalid` if it is too large to be drawn.
 */
export async function vectorThumbnail(
  { source, style, size }: VectorThumbnailRequest,
  context: ThreadContext,
): Promise<RgbaPicture> {
  const { json } = await readSource(source.key, context);
  const features = featuresOf(json);
  const brushesOf = brushesFor(features, source, storedStyle(style?.compiled));
  const pen = openCanvas({ width: size, height: size, isTransparent: true });
  pen.lineJoin = 'round';
  pen.lineCap = 'round';
  for (const shape of shapesOf(features, { size, margin: size * margin })) {
    for (const brush of brushesOf(shape.properties, denominatorOfWhole))
      paint(pen, brush, shape, size * margin);
  }
  return takePicture(pen);
}

/** The drawing time of a path grows with the square of its points; more are painted in several paths. */
const maxPathPlaces = 250;

function paint(
  pen: Pen,
  { fill, stroke, dot }: Brush,
  { points, lines, polygons }: Shape,
  most: number,
): void {
  if (fill !== undefined) {
    pen.fillStyle = cssOf(fill);
    fillAreas(pen, polygons);
  }
  if (stroke !== undefined && stroke.width > 0) {
    pen.strokeStyle = cssOf(stroke.colour);
    pen.lineWidth = Math.min(stroke.width, 2 * most);
    for (const rings of polygons) strokeLines(pen, rings);
    strokeLines(pen, lines);
  }
  if (dot !== undefined) for (const point of points) paintDot(pen, point, dot, most);
}

/** Fills polygons, each in one path with its holes. */
function fillAreas(pen: Pen, polygons: Shape['polygons']): void {
  let places = 0;
  pen.beginPath();
  for (const rings of polygons) {
    for (const ring of rings) {
      for (const [index, place] of ring.entries()) addPlace(pen, index, place);
      places += ring.length;
    }
    if (places < maxPathPlaces) continue;
    pen.fill();
    pen.beginPath();
    places = 0;
  }
  pen.fill();
}

function strokeLines(pen: Pen, lines: readonly (readonly Pixel[])[]): void {
  let places = 0;
  pen.beginPath();
  for (const line of lines) {
    for (const [index, place] of line.entries()) {
      addPlace(pen, index, place);
      places += 1;
      if (places < maxPathPlaces) continue;
      pen.stroke();
      pen.beginPath();
      addPlace(pen, 0, place);
      places = 0;
    }
  }
  pen.stroke();
}

function addPlace(pen: Pen, index: number, [x, y]: Pixel): void {
  if (index === 0) pen.moveTo(x, y);
  else pen.lineTo(x, y);
}

function paintDot(pen: Pen, [x, y]: Pixel, { fill, stroke, radius }: Dot, most: number): void {
  const circle = (size: number) => {
    pen.beginPath();
    pen.arc(x, y, size, 0, 2 * Math.PI);
  };
  const size = Math.min(radius, most);
  if (fill !== undefined) {
    circle(size);
    pen.fillStyle = cssOf(fill);
    pen.fill();
  }
  if (stroke === undefined) return;
  const [inner, outer] = [Math.max(0, size - stroke.width / 2), Math.min(most, size + stroke.width / 2)];
  if (!(outer > inner)) return;
  circle((inner + outer) / 2);
  pen.strokeStyle = cssOf(stroke.colour);
  pen.lineWidth = outer - inner;
  pen.stroke();
}
