/** The pixels of a band of rows that the border of a unit runs through, row by row and from left to right. */
export interface BorderCells {
  /** Where the cells of each row begin; one more than there are rows. */
  readonly starts: Int32Array;
  /** -1 for all that is to the left of the raster. */
  readonly columns: Int32Array;
  /** The share of the pixel that is covered, less that of the pixel to the left of it which goes on. */
  readonly shares: Float64Array;
  /** How much more of the pixels to the right is covered than of those to the left. */
  readonly steps: Float64Array;
}

export interface Band {
  readonly top: number;
  /** The row behind the last. */
  readonly bottom: number;
  readonly width: number;
}

/** Room for cells, which grows. */
interface Room {
  count: number;
  rows: Int32Array;
  columns: Int32Array;
  shares: Float64Array;
  steps: Float64Array;
}

function createRoom(size: number): Room {
  return {
    count: 0,
    rows: new Int32Array(size),
    columns: new Int32Array(size),
    shares: new Float64Array(size),
    steps: new Float64Array(size),
  };
}

function grow(room: Room): void {
  const before = { ...room };
  Object.assign(room, createRoom(2 * room.rows.length), { count: before.count });
  room.rows.set(before.rows);
  room.columns.set(before.columns);
  room.shares.set(before.shares);
  room.steps.set(before.steps);
}

/**
 * Creates what walks along the rings of a unit, each once, and finds the exact share of every pixel that the border runs through; between those, pixels
 * are covered as a whole or not at all. Each row is worked out from the corners of the rings alone, so that its shares have the same
 * bits in whatever band it is.
 */
export function createCellWalker() {
  const room = createRoom(2 ** 14);
  return (
    { rings, sign }: { readonly rings: readonly Float64Array[]; readonly sign: 1 | -1 },
    band: Band,
  ): BorderCells => {
    room.count = 0;
    for (const ring of rings) walkRing(room, ring, sign, band);
    return sortedCells(room, band);
  };
}

function walkRing(room: Room, ring: Float64Array, sign: 1 | -1, { top, bottom, width }: Band): void {
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const x0 = ring[i] ?? NaN;
    const y0 = ring[i + 1] ?? NaN;
    const x1 = ring[i + 2] ?? NaN;
    const y1 = ring[i + 3] ?? NaN;
    if (y0 === y1) continue;
    const isDown = y1 > y0;
    const ya = isDown ? y0 : y1;
    const yb = isDown ? y1 : y0;
    if (yb <= top || ya >= bottom) continue;
    const xa = isDown ? x0 : x1;
    const xb = isDown ? x1 : x0;
    const slope = (xb - xa) / (yb - ya);
    const direction = isDown ? sign : -sign;
    const last = Math.min(bottom - 1, Math.ceil(yb) - 1);
    for (let row = Math.max(top, Math.floor(ya)); row <= last; row += 1) {
      const upper = Math.max(ya, row);
      const lower = Math.min(yb, row + 1);
      const from = upper === ya ? xa : xa + (row - ya) * slope;
      const to = lower === yb ? xb : xa + (row + 1 - ya) * slope;
      addStretch(room, row, { from, to, step: (lower - upper) * direction, width });
    }
  }
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  /** What it covers of the height of the row: of all pixels to its right. */
  readonly step: number;
  readonly width: number;
}

/** Adds what a stretch of a border within one row covers. */
function addStretch(room: Room, row: number, { from, to, step, width }: Stretch): void {
  let [left, right] = from < to ? [from, to] : [to, from];
  if (left >= width) return;
  if (right <= 0) return addCell(room, { row, column: -1 }, 0, step);
  let inner = step;
  if (left < 0 || right > width) {
    const perColumn = step / (right - left);
    if (left < 0) addCell(room, { row, column: -1 }, 0, -left * perColumn);
    [left, right] = [Math.max(0, left), Math.min(width, right)];
    inner = (right - left) * perColumn;
  }
  const first = Math.min(width - 1, Math.floor(left));
  const last = Math.max(first, Math.ceil(right) - 1);
  if (first === last)
    return addCell(room, { row, column: first }, inner * (1 - ((left + right) / 2 - first)), inner);
  const perColumn = inner / (right - left);
  for (let column = first; column <= last; column += 1) {
    const [a, b] = [Math.max(left, column), Math.min(right, column + 1)];
    const part = (b - a) * perColumn;
    addCell(room, { row, column }, part * (1 - ((a + b) / 2 - column)), part);
  }
}

interface Pixel {
  readonly row: number;
  readonly column: number;
}

function addCell(room: Room, { row, column }: Pixel, share: number, step: number): void {
  const at = room.count;
  if (at === room.rows.length) grow(room);
  room.rows[at] = row;
  room.columns[at] = column;
  room.shares[at] = share;
  room.steps[at] = step;
  room.count = at + 1;
}

/** Sorts cells by row and column, those of one pixel joined in the order in which they came. */
function sortedCells(room: Room, { top, bottom }: Band): BorderCells {
  const { count, rows, columns, shares, steps } = room;
  const ends = new Int32Array(bottom - top + 1);
  for (let i = 0; i < count; i += 1)
    ends[(rows[i] ?? 0) - top + 1] = (ends[(rows[i] ?? 0) - top + 1] ?? 0) + 1;
  for (let row = 1; row < ends.length; row += 1) ends[row] = (ends[row] ?? 0) + (ends[row - 1] ?? 0);
  const order = new Int32Array(count);
  const next = ends.slice();
  for (let i = 0; i < count; i += 1) {
    const row = (rows[i] ?? 0) - top;
    const at = next[row] ?? 0;
    order[at] = i;
    next[row] = at + 1;
  }
  const found = {
    starts: new Int32Array(ends.length),
    columns: new Int32Array(count),
    shares: new Float64Array(count),
    steps: new Float64Array(count),
  };
  let kept = 0;
  for (let row = 0; row < bottom - top; row += 1) {
    const [from, to] = [ends[row] ?? 0, ends[row + 1] ?? 0];
    sortByColumn(order, columns, from, to);
    const start = kept;
    for (let i = from; i < to; i += 1) {
      const cell = order[i] ?? 0;
      const column = columns[cell] ?? 0;
      if (kept > start && found.columns[kept - 1] === column) {
        found.shares[kept - 1] = (found.shares[kept - 1] ?? 0) + (shares[cell] ?? 0);
        found.steps[kept - 1] = (found.steps[kept - 1] ?? 0) + (steps[cell] ?? 0);
      } else {
        found.columns[kept] = column;
        found.shares[kept] = shares[cell] ?? 0;
        found.steps[kept] = steps[cell] ?? 0;
        kept += 1;
      }
    }
    found.starts[row + 1] = kept;
  }
  return {
    starts: found.starts,
    columns: found.columns.slice(0, kept),
    shares: found.shares.slice(0, kept),
    steps: found.steps.slice(0, kept),
  };
}

/** More cells than this in a row are sorted by the engine's own sort. */
const few = 64;

/** A stable sort: most rows have a few cells, most of them in order. */
function sortByColumn(order: Int32Array, columns: Int32Array, from: number, to: number): void {
  if (to - from > few) {
    const sorted = order.subarray(from, to);
    // Numbers of cells ascend, so that equal columns stay in their order.
    sorted.sort((a, b) => (columns[a] ?? 0) - (columns[b] ?? 0) || a - b);
    return;
  }
  for (let i = from + 1; i < to; i += 1) {
    const cell = order[i] ?? 0;
    const column = columns[cell] ?? 0;
    let at = i;
    while (at > from && (columns[order[at - 1] ?? 0] ?? 0) > column) {
      order[at] = order[at - 1] ?? 0;
      at -= 1;
    }
    order[at] = cell;
  }
}
