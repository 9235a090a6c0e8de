/** Mapped area of a unit, and its part outside a raster, in the same measure. */
interface UnitArea {
  readonly area: number;
  readonly outside: number;
}

/** Returns whether a raster reaches a unit; an atlas has one sheet per reached unit. */
export function isReached({ area, outside }: UnitArea): boolean {
  return outside < area;
}
