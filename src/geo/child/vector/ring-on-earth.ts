import type { Positions } from '../../formats/features/geometry.ts';
import { followOnEarth, isAtPole, positionAt, type Projection } from './path-on-earth.ts';

/** The latitude of a pole. */
export type Pole = 90 | -90;

/**
 * Follows a closed ring over the earth. One that goes around a pole is closed along that pole, from one end of the world to
 * the other, as readers of RFC 7946 expect; it then spans the longitudes from 180° to 180°.
 * @param poleWithin tells which pole the ring goes around.
 * @returns a closed ring in longitudes, which may lie beyond 180°, and latitudes.
 */
export function followRing(
  source: Positions,
  onEarth: Positions,
  poleWithin: () => Pole,
  projection?: Projection,
): number[] {
  const pole = projection === undefined ? -1 : indexOf(onEarth, isAtPole);
  const path =
    pole > 0
      ? followOnEarth(rotated(source, pole), rotated(onEarth, pole), projection)
      : followOnEarth(source, onEarth, projection);
  const [first, last] = [positionAt(path, 0), positionAt(path, path.length - 2)];
  if (pole >= 0) return path.concat(first);
  const turns = Math.round((last[0] - first[0]) / 360);
  if (turns === 0) return [...path.slice(0, -2), ...first];
  return closedAlong(poleWithin(), path, 360 * turns);
}

function closedAlong(pole: Pole, path: readonly number[], turn: number): number[] {
  // A whole turn crosses 180° somewhere: from there on it spans the world once.
  const start = Math.max(
    0,
    indexOf(path, ([longitude]) => (longitude - 180) % 360 === 0),
  );
  const before = path.slice(0, start + 2).map((value, i) => (i % 2 === 0 ? value + turn : value));
  const around = [...path.slice(start), ...before.slice(2)];
  const [first, last] = [positionAt(around, 0), positionAt(around, around.length - 2)];
  return [...around, last[0], pole, first[0], pole, ...first];
}

/** A closed ring from another of its positions on. */
function rotated(ring: Positions, start: number): number[] {
  return [...ring.slice(start), ...ring.slice(2, start + 2)];
}

/** Returns the index of the first number of a position, or -1. */
function indexOf(positions: Positions, is: (position: readonly [number, number]) => boolean): number {
  for (let i = 0; i + 1 < positions.length; i += 2) if (is(positionAt(positions, i))) return i;
  return -1;
}

/** Tells whether a position lies within a closed ring of a plane. */
export function isWithin(ring: Positions, [x, y]: readonly [number, number]): boolean {
  let within = false;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [[x1, y1], [x2, y2]] = [positionAt(ring, i), positionAt(ring, i + 2)];
    if (y1 > y !== y2 > y && x < x1 + ((x2 - x1) * (y - y1)) / (y2 - y1)) within = !within;
  }
  return within;
}
