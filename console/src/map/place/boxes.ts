/** West, south, east, north in degrees; west > east across the antimeridian. */
export type Box = readonly [number, number, number, number];

/** The area in which the equal-area view of Kazakhstan is suitable. */
const kazakhstanAndAround: Box = [40, 33, 95, 62];

const isWithin = (box: Box, outer: Box) =>
  box[0] <= box[2] && box[0] >= outer[0] && box[1] >= outer[1] && box[2] <= outer[2] && box[3] <= outer[3];

/** The projection in which everything shown can be drawn. */
export function viewCodeFor(boxes: readonly Box[]): 'KZ:AEA' | 'EPSG:3857' {
  return boxes.every((box) => isWithin(box, kazakhstanAndAround)) ? 'KZ:AEA' : 'EPSG:3857';
}

/** The smallest box that contains all boxes; one across the antimeridian continues to the east. Undefined if there are none. */
export function unionOf(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const easts = boxes.map(([west, , east]) => (east < west ? east + 360 : east));
  return [
    Math.min(...boxes.map(([west]) => west)),
    Math.min(...boxes.map(([, south]) => south)),
    Math.max(...easts),
    Math.max(...boxes.map(([, , , north]) => north)),
  ];
}

/** The box of all positions in a GeoJSON value, in its own coordinates; undefined if there are none. */
export function geoJsonBox(geojson: unknown): Box | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const waiting: unknown[] = [geojson];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) {
      const [x, y]: unknown[] = value;
      if (typeof x === 'number' && typeof y === 'number') {
        west = Math.min(west, x);
        east = Math.max(east, x);
        south = Math.min(south, y);
        north = Math.max(north, y);
      } else {
        for (const part of value) waiting.push(part);
      }
    } else if (typeof value === 'object' && value !== null) {
      if ('features' in value) waiting.push(value.features);
      if ('geometry' in value) waiting.push(value.geometry);
      if ('geometries' in value) waiting.push(value.geometries);
      if ('coordinates' in value) waiting.push(value.coordinates);
    }
  }
  return west <= east ? [west, south, east, north] : undefined;
}

/** A kind of shape in a vector. */
export type Shape = 'area' | 'line' | 'point';

const shapes = [
  ['area', 'Polygon'],
  ['line', 'LineString'],
  ['point', 'Point'],
] as const;

/** The kinds of shapes in a GeoJSON value, in the order of drawing. */
export function shapesOf(geojson: unknown): readonly Shape[] {
  const found = new Set<string>();
  const waiting: unknown[] = [geojson];
  while (waiting.length > 0) {
    const value: { type?: unknown; features?: unknown; geometry?: unknown; geometries?: unknown } = Object(
      waiting.pop(),
    );
    const { type, features, geometry, geometries } = value;
    if (typeof type === 'string') found.add(type.replace('Multi', ''));
    for (const part of [features, geometries])
      if (Array.isArray(part)) for (const each of part) waiting.push(each);
    if (geometry !== undefined) waiting.push(geometry);
  }
  return shapes.flatMap(([shape, type]) => (found.has(type) ? [shape] : []));
}
