import type { Position } from './collection.ts';
import { worldX, worldY } from '../../raster/web-mercator.ts';

/** Natural lines are halved some thirty times, so that each position is looked at as often. */
const maxLooksPerPosition = 100;
/** The stack of a thread has room for several thousand calls. */
const maxDepth = 1000;
/** Three units of a tile at the deepest zoom, in parts of the world, squared: finer than this nothing is halved. */
const squaredTolerance = (3 / (2 ** 22 * 4096)) ** 2;

/**
 * Returns whether Douglas and Peucker's simplification of a line is quick. It is not for zigzags that become ever narrower:
 * each position is the farthest from all that follow, so that its time grows by the square and its depth by the length.
 */
export function isQuickToSimplify(line: readonly Position[]): boolean {
  const xy = projected(line);
  const stack: (readonly [first: number, last: number, depth: number])[] = [[0, line.length - 1, 0]];
  let looks = line.length * maxLooksPerPosition;
  for (let range = stack.pop(); range !== undefined; range = stack.pop()) {
    const [first, last, depth] = range;
    looks -= last - first;
    if (looks < 0 || depth > maxDepth) return false;
    const middle = farthest(xy, first, last);
    if (middle === undefined) continue;
    if (middle - first > 1) stack.push([first, middle, depth + 1]);
    if (last - middle > 1) stack.push([middle, last, depth + 1]);
  }
  return true;
}

/** Places in Web Mercator, the world being 1 wide. */
function projected(line: readonly Position[]): Float64Array {
  const xy = new Float64Array(line.length * 2);
  line.forEach(([longitude = 0, latitude = 0], index) => {
    xy[2 * index] = worldX(longitude);
    xy[2 * index + 1] = worldY(latitude);
  });
  return xy;
}

/** The position between two that is farthest from the line through them; of several the one nearest to the middle. */
function farthest(xy: Float64Array, first: number, last: number): number | undefined {
  const at = (index: number) => xy[index] ?? 0;
  const [ax, ay] = [at(2 * first), at(2 * first + 1)];
  const [dx, dy] = [at(2 * last) - ax, at(2 * last + 1) - ay];
  const squared = dx * dx + dy * dy;
  const middle = (first + last) >> 1;
  let [most, found, fromMiddle] = [squaredTolerance, -1, last - first];
  for (let i = first + 1; i < last; i += 1) {
    const [px, py] = [at(2 * i) - ax, at(2 * i + 1) - ay];
    const share = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared));
    const [ex, ey] = [px - share * dx, py - share * dy];
    const distance = ex * ex + ey * ey;
    if (distance > most) {
      most = distance;
      found = i;
    } else if (distance === most && Math.abs(i - middle) < fromMiddle) {
      fromMiddle = Math.abs(i - middle);
      found = i;
    }
  }
  return most > squaredTolerance && found >= 0 ? found : undefined;
}
