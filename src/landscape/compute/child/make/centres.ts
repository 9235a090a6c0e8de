import type { Tile } from '../../../model/tiles.ts';

/** Positions at which the outline of a polygon crosses the centre lines of rows. */
interface Crossings {
  count: number;
  rows: Int32Array;
  columns: Float64Array;
}

/** Rows with more crossings than this use the engine's own sort. */
const few = 32;

/**
 * Creates a function that finds the pixels of a strip whose centre lies in a polygon (even-odd rule). A centre on an outline belongs to the
 * polygon on its left and above, as in GDAL.
 */
export function createCentreWalker() {
  const found: Crossings = { count: 0, rows: new Int32Array(4096), columns: new Float64Array(4096) };
  let [starts, next, runs] = [new Int32Array(0), new Int32Array(0), new Int32Array(4096)];
  let sorted = new Float64Array(0);

  /** @returns offset of the first pixel in the strip and that after the last one, run by run; valid until the next call */
  return (rings: readonly Float64Array[], { x: left, y: top, width, height }: Tile): Int32Array => {
    found.count = 0;
    for (const ring of rings) addCrossings(found, ring, top, top + height);
    const { count, rows, columns } = found;
    if (starts.length < height + 1) [starts, next] = [new Int32Array(height + 1), new Int32Array(height + 1)];
    if (sorted.length < count) sorted = new Float64Array(2 * count);
    starts.fill(0, 0, height + 1);
    for (let i = 0; i < count; i += 1) starts[(rows[i] ?? 0) + 1] = (starts[(rows[i] ?? 0) + 1] ?? 0) + 1;
    for (let row = 0; row < height; row += 1) starts[row + 1] = (starts[row + 1] ?? 0) + (starts[row] ?? 0);
    next.set(starts.subarray(0, height + 1));
    for (let i = 0; i < count; i += 1) {
      const row = rows[i] ?? 0;
      const at = next[row] ?? 0;
      sorted[at] = columns[i] ?? NaN;
      next[row] = at + 1;
    }
    if (runs.length < count) runs = new Int32Array(2 * count);
    let end = 0;
    for (let row = 0; row < height; row += 1) {
      const [from, to] = [starts[row] ?? 0, starts[row + 1] ?? 0];
      if (from === to) continue;
      sort(sorted, from, to);
      for (let i = from; i + 1 < to; i += 2) {
        const first = Math.max(0, Math.floor((sorted[i] ?? 0) + 0.5) - left);
        const last = Math.min(width, Math.floor((sorted[i + 1] ?? 0) + 0.5) - left);
        if (first >= last) continue;
        runs[end] = row * width + first;
        runs[end + 1] = row * width + last;
        end += 2;
      }
    }
    return runs.subarray(0, end);
  };
}

function sort(values: Float64Array, from: number, to: number): void {
  if (to - from > few) {
    values.subarray(from, to).sort();
    return;
  }
  for (let i = from + 1; i < to; i += 1) {
    const value = values[i] ?? NaN;
    let at = i;
    while (at > from && (values[at - 1] ?? NaN) > value) {
      values[at] = values[at - 1] ?? NaN;
      at -= 1;
    }
    values[at] = value;
  }
}

function addCrossings(found: Crossings, ring: Float64Array, top: number, bottom: number): void {
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const ya = ring[i + 1] ?? NaN;
    const yb = ring[i + 3] ?? NaN;
    if (ya === yb || (ya < top && yb < top) || (ya > bottom && yb > bottom)) continue;
    // From top to bottom, so that two polygons with a common border get identical digits.
    const isDown = ya < yb;
    const y0 = isDown ? ya : yb;
    const y1 = isDown ? yb : ya;
    const x0 = (isDown ? ring[i] : ring[i + 2]) ?? NaN;
    const x1 = (isDown ? ring[i + 2] : ring[i]) ?? NaN;
    const first = Math.max(top, Math.ceil(y0 - 0.5));
    const end = Math.min(bottom, Math.ceil(y1 - 0.5));
    const slope = (x1 - x0) / (y1 - y0);
    for (let row = first; row < end; row += 1) {
      if (found.count === found.rows.length) grow(found);
      found.rows[found.count] = row - top;
      found.columns[found.count] = x0 + (row + 0.5 - y0) * slope;
      found.count += 1;
    }
  }
}

function grow(found: Crossings): void {
  const { rows, columns } = found;
  found.rows = new Int32Array(2 * rows.length);
  found.columns = new Float64Array(2 * columns.length);
  found.rows.set(rows);
  found.columns.set(columns);
}
