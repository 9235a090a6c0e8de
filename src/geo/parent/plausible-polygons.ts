import type { MadePolygons, PolygonsAsked } from '../polygons.ts';

/** Relative tolerance between polygons and the pixels that they are made of. */
const rounding = 1e-6;

/**
 * Returns a description for the log of polygons with inconsistent figures; undefined for plausible ones, with the same
 * limits as `implausibilityOf`.
 */
export function polygonFaultOf(
  { zones, belowMinimum, classes }: Omit<MadePolygons, 'path'>,
  { minAreaM2, maxZones }: Pick<PolygonsAsked, 'minAreaM2' | 'maxZones'>,
): string | undefined {
  const sum = (of: (each: (typeof classes)[number]) => number) =>
    classes.reduce((total, each) => total + of(each), 0);
  if (zones > maxZones || zones !== sum(({ after }) => after.zones)) return 'another number of zones';
  if (belowMinimum > zones) return 'more small zones than zones';
  if (classes.some(({ value }, i) => value <= (classes[i - 1]?.value ?? -Infinity)))
    return 'classes out of order';
  if (
    !isNear(
      sum(({ before }) => before.pixels_m2),
      sum(({ after }) => after.pixels_m2),
    )
  )
    return 'another area than the raster';
  for (const { value, before, after, polygons_m2: polygons } of classes) {
    if (!isNear(after.pixels_m2, polygons)) return `another area than the pixels of ${value}`;
    if ((after.zones === 0) !== (after.pixels_m2 === 0)) return `zones of ${value} without an area`;
    const isSame = before.zones === after.zones && isNear(before.pixels_m2, after.pixels_m2);
    if (minAreaM2 === 0 && !isSame) return `merged zones of ${value}`;
  }
  return undefined;
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= rounding * Math.max(one, other);
}
