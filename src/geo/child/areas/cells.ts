/** The pixels on the border of a unit in a band of rows, row by row and from left to right. */
export interface BorderCells {
  /** Index of the first cell of each row; one more than there are rows. */
  readonly starts: Int32Array;
  /** Column of each cell; -1 for everything to the left of the raster. */
  readonly columns: Int32Array;
  /** Covered share of the pixel, minus the share that continues from the pixel to its left. */
  readonly shares: Float64Array;
  /** Change of the covered share from the pixels on the left to those on the right. */
  readonly steps: Float64Array;
}

export interface Band {
  readonly top: number;
  /** End row, exclusive. */
  readonly bottom: number;
  readonly width: number;
}

/** Growing arrays of cells. */
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
 * Creates a walker that passes along each ring of a unit once, and computes the exact share of every pixel on the
 * border; other pixels are covered completely or not at all. Each row is computed from the corners of the rings only,
 * so that its shares are bit-identical in any band.
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
  /** Share of the height of the row that it covers: applies to all pixels to its right. */
  readonly step: number;
  readonly width: number;
}

/** Adds the area that a piece of a border covers within one row. */
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

/** Sorts cells by row and column, and joins those of one pixel in their order. */
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

/** Rows with more cells than this use the engine's own sort. */
const few = 64;

/** A stable sort: most rows have a few cells, nearly in order. */
function sortByColumn(order: Int32Array, columns: Int32Array, from: number, to: number): void {
  if (to - from > few) {
    const sorted = order.subarray(from, to);
    // Cell numbers ascend, so that equal columns keep their order.
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
