import { parseCompiledStyle } from '../../style/compiled-style.ts';
import { layerStyleOf } from '../../style/sld-read.ts';
import type { RgbaPicture } from '../../png/rgba-png.ts';
import type { ThreadContext } from '../objects/context.ts';
import { type Brush, brushesFor } from './brushes.ts';
import { type Canvas, createCanvas } from './canvas.ts';
import { featuresOf } from './collection.ts';
import { readSource } from './read-source.ts';
import { type Shape, shapesOf } from './shapes.ts';
import type { VectorThumbnailRequest } from './tasks.ts';

/** Part of the picture on each side. Nothing is wider, so that all of it lies within the picture. */
const margin = 0.04;

/**
 * Draws all of a stored GeoJSON in Web Mercator, in the middle of a square picture, on a transparent ground. Nothing is in the
 * picture when the source has no geometry.
 * @throws {Problem} `not_found` when the source is gone; `invalid` when it is too large to be drawn.
 */
export async function vectorThumbnail(
  { source, style, size }: VectorThumbnailRequest,
  context: ThreadContext,
): Promise<RgbaPicture> {
  const { json } = await readSource(source.key, context);
  const features = featuresOf(json);
  const compiled = style && parseCompiledStyle(style.compiled);
  const brushesOf = brushesFor(features, source, compiled && layerStyleOf(compiled));
  const canvas = createCanvas(size, size);
  for (const shape of shapesOf(features, { size, margin: size * margin })) {
    for (const brush of brushesOf(shape.properties)) paint(canvas, brush, shape, size * margin);
  }
  return { width: size, height: size, pixels: canvas.pixels() };
}

function paint(
  canvas: Canvas,
  { fill, stroke, dot }: Brush,
  { points, lines, polygons }: Shape,
  most: number,
): void {
  const rings = polygons.flat();
  if (fill !== undefined && rings.length > 0) canvas.areas(rings, fill);
  if (stroke !== undefined && rings.length + lines.length > 0) {
    canvas.lines([...rings, ...lines], stroke.colour, Math.min(stroke.width, 2 * most));
  }
  if (dot === undefined || points.length === 0) return;
  const radius = Math.min(dot.radius, most);
  if (dot.fill !== undefined) canvas.dots(points, dot.fill, radius);
  if (dot.stroke === undefined) return;
  const { colour, width } = dot.stroke;
  canvas.circles(points, colour, [Math.max(0, radius - width / 2), Math.min(most, radius + width / 2)]);
}
