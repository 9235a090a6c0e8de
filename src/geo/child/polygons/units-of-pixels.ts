import type { Outline } from '../areas/outline.ts';

/** A unit in pixel coordinates of a raster. */
export interface UnitOutline {
  readonly number: number;
  readonly outline: Outline;
}

/**
 * Creates a function that writes the number of the unit at the centre of each pixel of a row; 0 for none, the first of
 * several. Rows must be passed in order.
 */
export function createUnitsOfPixels(units: readonly UnitOutline[], width: number) {
  const crossings: number[] = [];
  return (row: number, target: Int32Array): void => {
    target.fill(0);
    for (const { number, outline } of units) {
      if (row < outline.firstRow || row >= outline.endRow) continue;
      crossings.length = 0;
      for (const ring of outline.rings) addCrossings(ring, row + 0.5, crossings);
      crossings.sort((one, other) => one - other);
      for (let i = 0; i + 1 < crossings.length; i += 2) {
        const from = Math.max(0, Math.ceil((crossings[i] ?? 0) - 0.5));
        const to = Math.min(width, Math.ceil((crossings[i + 1] ?? 0) - 0.5));
        for (let column = from; column < to; column += 1) if (target[column] === 0) target[column] = number;
      }
    }
  };
}

/** Adds the positions at which a ring crosses a row's centre line; a corner on the line belongs to the part below. */
function addCrossings(ring: Float64Array, y: number, crossings: number[]): void {
  for (let i = 0; i + 3 < ring.length; i += 2) {
    if ((ring[i + 1] ?? NaN) < y === (ring[i + 3] ?? NaN) < y) continue;
    // From top to bottom, so that two units with a common border get identical digits.
    const upper = (ring[i + 1] ?? NaN) < (ring[i + 3] ?? NaN) ? i : i + 2;
    const lower = 2 * i + 2 - upper;
    const [x0 = NaN, y0 = NaN] = [ring[upper], ring[upper + 1]];
    const [x1 = NaN, y1 = NaN] = [ring[lower], ring[lower + 1]];
    crossings.push(x0 + ((x1 - x0) * (y - y0)) / (y1 - y0));
  }
}
