import type { Box } from '../../../../common/maps/paper/papers.ts';
import { widthOf } from '../canvas/canvas.ts';
import { cleanText } from '../canvas/text.ts';
import type { Borders } from './borders.ts';

interface Named {
  readonly name: string;
  readonly borders: Borders;
}

interface PlacedName {
  readonly name: string;
  /** Centre of the name. */
  readonly x: number;
  readonly y: number;
}

/** Minimum distance between the candidate positions, in points of paper, and their maximum number. */
const [leastStep, mostPlaces] = [10, 400] as const;

/**
 * Finds positions for the names of units: the point farthest from the borders at which the whole name lies within the
 * map and within the unit; a name without such a position is omitted.
 * @param room.hidden the unit of the map itself, which no name covers
 */
export function placeNames(
  units: readonly Named[],
  { box, hidden }: { readonly box: Box; readonly hidden: Borders | undefined },
): readonly PlacedName[] {
  const placed: (PlacedName & { readonly width: number })[] = [];
  for (const { name, borders } of units) {
    const width = widthOf(cleanText(name), 'small') + 4;
    let best: PlacedName | undefined;
    let bestDepth = 0;
    for (const place of placesIn(borders, box)) {
      const ends = [-0.5, 0, 0.5].map((share) => [place.x + share * width, place.y] as const);
      const isIn = ends.every(
        ([x, y]) =>
          isWithin(borders, x, y) &&
          (hidden === undefined || !isWithin(hidden, x, y)) &&
          x > box.x + 2 &&
          x < box.x + box.width - 2,
      );
      if (!isIn || placed.some((other) => isOver(other, place, width))) continue;
      const depth = Math.min(depthOf(borders, place), place.y - box.y, box.y + box.height - place.y);
      if (depth <= Math.max(5, bestDepth)) continue;
      [best, bestDepth] = [{ name, ...place }, depth];
    }
    if (best !== undefined) placed.push({ ...best, width });
  }
  return placed;
}

function isOver(
  other: PlacedName & { readonly width: number },
  place: { x: number; y: number },
  width: number,
): boolean {
  return Math.abs(other.y - place.y) < 10 && Math.abs(other.x - place.x) < (other.width + width) / 2;
}

/** Yields a grid of points in the box around a unit, within the map. */
function* placesIn(borders: Borders, box: Box) {
  const points = borders.flat();
  const range = (numbers: readonly number[], from: number, to: number) =>
    [
      Math.max(
        from,
        numbers.reduce((a, b) => Math.min(a, b), Infinity),
      ),
      Math.min(
        to,
        numbers.reduce((a, b) => Math.max(a, b), -Infinity),
      ),
    ] as const;
  const [left, right] = range(
    points.map(([x]) => x),
    box.x,
    box.x + box.width,
  );
  const [top, bottom] = range(
    points.map(([, y]) => y),
    box.y,
    box.y + box.height,
  );
  const step = Math.max(
    leastStep,
    Math.sqrt((Math.max(0, right - left) * Math.max(0, bottom - top)) / mostPlaces),
  );
  for (let y = top + step / 2; y < bottom; y += step)
    for (let x = left + step / 2; x < right; x += step) yield { x, y };
}

function isWithin(borders: Borders, x: number, y: number): boolean {
  let isIn = false;
  for (const ring of borders) {
    for (let index = 1; index < ring.length; index += 1) {
      const [[ax = 0, ay = 0] = [], [bx = 0, by = 0] = []] = [ring[index - 1], ring[index]];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
    }
  }
  return isIn;
}

/** Returns the distance to the nearest point of the borders. */
function depthOf(borders: Borders, { x, y }: { x: number; y: number }): number {
  let least = Infinity;
  for (const ring of borders)
    for (const [bx, by] of ring) least = Math.min(least, Math.hypot(bx - x, by - y));
  return least;
}
