import type { Positions } from '../features/geometry.ts';

/** The step with which GDAL approximates arcs. */
const stepRadians = (4 * Math.PI) / 180;
/** An arc with a greater ratio of radius to chord is straight within float64. */
const straightRadii = 1e8;

/** Approximates consecutive arcs by a line; each arc has three positions and starts at the end of the previous one. */
export function arcsAsLine(arcs: Positions): number[] {
  const line = arcs.slice(0, 2);
  for (let i = 0; i + 5 < arcs.length; i += 4) line.push(...arcAsLine(arcs.slice(i, i + 6)));
  // Ignores positions after the last complete arc.
  const whole = 2 + 4 * Math.floor(Math.max(0, arcs.length - 2) / 4);
  line.push(...arcs.slice(whole));
  return line;
}

/** Returns the positions of one arc without its first. */
function arcAsLine(arc: Positions): readonly number[] {
  const [startX = 0, startY = 0, middleX = 0, middleY = 0, endX = 0, endY = 0] = arc;
  const center = centerOf(middleX - startX, middleY - startY, endX - startX, endY - startY);
  if (center === undefined) return [middleX, middleY, endX, endY];
  const [x, y] = [startX + center.x, startY + center.y];
  const radius = Math.hypot(center.x, center.y);
  const angle = (atX: number, atY: number) => Math.atan2(atY - y, atX - x);
  const [begin, middle, end] = [angle(startX, startY), angle(middleX, middleY), angle(endX, endY)];
  const { isLeft } = center;
  const turn = (from: number, to: number) => {
    const left = (to - from + 4 * Math.PI) % (2 * Math.PI);
    return isLeft ? left : left - 2 * Math.PI;
  };
  function* between(from: number, sweep: number) {
    const steps = Math.ceil(Math.abs(sweep) / stepRadians);
    for (let step = 1; step < steps; step += 1) {
      const at = from + (sweep * step) / steps;
      yield* [x + radius * Math.cos(at), y + radius * Math.sin(at)];
    }
  }
  return [
    ...between(begin, turn(begin, middle)),
    middleX,
    middleY,
    ...between(middle, turn(middle, end)),
    endX,
    endY,
  ];
}

/** Returns the centre of an arc that starts at 0, 0; undefined for a straight one. An arc that also ends there is a circle. */
function centerOf(middleX: number, middleY: number, endX: number, endY: number) {
  if (endX === 0 && endY === 0) {
    const isPoint = middleX === 0 && middleY === 0;
    return isPoint ? undefined : { x: middleX / 2, y: middleY / 2, isLeft: true };
  }
  const cross = middleX * endY - middleY * endX;
  const [middle, end] = [middleX ** 2 + middleY ** 2, endX ** 2 + endY ** 2];
  const x = (endY * middle - middleY * end) / (2 * cross);
  const y = (middleX * end - endX * middle) / (2 * cross);
  const isStraight = !(Math.hypot(x, y) < straightRadii * Math.sqrt(Math.max(middle, end)));
  return isStraight ? undefined : { x, y, isLeft: cross > 0 };
}
