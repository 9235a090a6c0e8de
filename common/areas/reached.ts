/** The mapped area of a unit, and what of it lies outside of a raster; both in one unit. */
interface UnitArea {
  readonly area: number;
  readonly outside: number;
}

/** Returns whether a raster reaches a unit: an atlas of it has a sheet for that unit. */
export function isReached({ area, outside }: UnitArea): boolean {
  return outside < area;
}
