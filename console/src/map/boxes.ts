/** West, south, east, north in degrees; west > east across the antimeridian. */
export type Box = readonly [number, number, number, number];

/** Where the equal-area view of Kazakhstan is a good one. */
const kazakhstanAndAround: Box = [40, 33, 95, 62];

const isWithin = (box: Box, outer: Box) =>
  box[0] <= box[2] && box[0] >= outer[0] && box[1] >= outer[1] && box[2] <= outer[2] && box[3] <= outer[3];

/** The projection in which everything shown can be drawn. */
export function viewCodeFor(boxes: readonly Box[]): 'KZ:AEA' | 'EPSG:3857' {
  return boxes.every((box) => isWithin(box, kazakhstanAndAround)) ? 'KZ:AEA' : 'EPSG:3857';
}

/** The least box that holds all of them; one across the antimeridian is continued eastwards. Undefined for none. */
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
