import { linearRingContainsXY } from 'ol/geom/flat/contains.js';
import type { Pixels } from '../drawing/canvas-layer.ts';

/** Borders of a unit in a view. Rings are x, y, x, y, …; a point is inside if an odd number of rings surround it. */
export interface Outline {
  readonly kato: string;
  readonly rings: readonly number[][];
  /** West, south, east, north. */
  readonly extent: readonly [number, number, number, number];
}

export type Ring = readonly (readonly number[])[];
/** The geometry of a unit in degrees. */
export type Area =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };

/** Projects an area into a view; `project` takes and returns x, y, x, y, …. */
export function outlineOf(kato: string, area: Area, project: (flat: number[]) => number[]): Outline {
  const all = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const rings = all.map((ring) => {
    const degrees: number[] = [];
    for (const point of ring) degrees.push(point[0] ?? Number.NaN, point[1] ?? Number.NaN);
    const flat = project(degrees);
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const x = flat[at] ?? Number.NaN;
      const y = flat[at + 1] ?? Number.NaN;
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
    return flat;
  });
  return { kato, rings, extent: [west, south, east, north] };
}

/** Returns true if a point of the view is inside an outline. */
export function isInside(
  { rings, extent: [west, south, east, north] }: Outline,
  x: number,
  y: number,
): boolean {
  if (!(x >= west && x <= east && y >= south && y <= north)) return false;
  const around = rings.filter((ring) => linearRingContainsXY(ring, 0, ring.length, 2, x, y));
  return around.length % 2 === 1;
}

/**
 * Draws outlines as one path in pixels. Points are rounded to half a pixel and repeated points are dropped, so that
 * invisible detail costs nothing and neighbours still touch.
 */
export function pathOf(
  outlines: readonly Outline[],
  { left, top, metresPerPixel, width, height }: Pixels,
): Path2D {
  const path = new Path2D();
  const [right, bottom] = [left + width * metresPerPixel, top - height * metresPerPixel];
  const halves = 2 / metresPerPixel;
  for (const { rings, extent } of outlines) {
    if (extent[0] > right || extent[2] < left || extent[1] > top || extent[3] < bottom) continue;
    for (const ring of rings) addRing(path, ring, { left, top, halves });
  }
  return path;
}

/** Runs before the JIT compiler has warmed up, so it allocates no objects. */
function addRing(
  path: Path2D,
  ring: readonly number[],
  { left, top, halves }: { readonly left: number; readonly top: number; readonly halves: number },
): void {
  let lastX = Number.NaN;
  let lastY = Number.NaN;
  for (let at = 0; at + 1 < ring.length; at += 2) {
    const x = Math.round(((ring[at] ?? 0) - left) * halves);
    const y = Math.round((top - (ring[at + 1] ?? 0)) * halves);
    if (x === lastX && y === lastY) continue;
    if (at === 0) path.moveTo(x / 2, y / 2);
    else path.lineTo(x / 2, y / 2);
    lastX = x;
    lastY = y;
  }
  path.closePath();
}
