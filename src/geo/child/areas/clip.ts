import type { EarthBox } from './frame.ts';
import type { UnitRing } from './unit-polygons.ts';

/**
 * Clips a closed ring to a box (Sutherland and Hodgman). Separate pieces stay joined along the sides of the box by
 * lines of zero area. @returns fewer than three positions if nothing is left.
 */
export function clipRing(ring: UnitRing, { west, south, east, north }: EarthBox): UnitRing {
  const [xs, ys] = [rangeOf(ring, 0), rangeOf(ring, 1)];
  if (xs.most < west || xs.least > east || ys.most < south || ys.least > north) return new Float64Array(0);
  let cut = ring;
  if (xs.least < west) cut = cutAt(cut, 0, west, 1);
  if (xs.most > east) cut = cutAt(cut, 0, east, -1);
  if (ys.least < south) cut = cutAt(cut, 1, south, 1);
  if (ys.most > north) cut = cutAt(cut, 1, north, -1);
  return cut;
}

/** Returns the minimum and maximum of the longitudes (0) or latitudes (1) of a ring. */
export function rangeOf(ring: UnitRing, axis: 0 | 1): { readonly least: number; readonly most: number } {
  let [least, most] = [Infinity, -Infinity];
  for (let i = axis; i < ring.length; i += 2) {
    const value = ring[i] ?? NaN;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { least, most };
}

/** Keeps the part beyond `limit` along an axis, in the direction of `sign`. */
function cutAt(ring: UnitRing, axis: 0 | 1, limit: number, sign: 1 | -1): UnitRing {
  const kept: number[] = [];
  const isKept = (at: number) => ((ring[at + axis] ?? NaN) - limit) * sign >= 0;
  for (let i = 0; i + 2 < ring.length; i += 2) {
    const [from, to] = [isKept(i), isKept(i + 2)];
    if (from) kept.push(ring[i] ?? NaN, ring[i + 1] ?? NaN);
    if (from === to) continue;
    // Independent of the direction of a border, so that neighbours are cut alike.
    const [inner, outer] = from ? [i, i + 2] : [i + 2, i];
    const [a, b] = [ring[inner + axis] ?? NaN, ring[outer + axis] ?? NaN];
    const share = (limit - a) / (b - a);
    const other = 1 - axis;
    const [u, v] = [ring[inner + other] ?? NaN, ring[outer + other] ?? NaN];
    const across = u + (v - u) * share;
    kept.push(...(axis === 0 ? [limit, across] : [across, limit]));
  }
  if (kept.length > 0) kept.push(kept[0] ?? NaN, kept[1] ?? NaN);
  return Float64Array.from(kept);
}

/** Shifts a ring to the east by degrees. */
export function shifted(ring: UnitRing, degrees: number): UnitRing {
  return degrees === 0 ? ring : ring.map((value, i) => (i % 2 === 0 ? value + degrees : value));
}
