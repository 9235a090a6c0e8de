/** A place in pixels, from the left and from the top. */
export type Pixel = readonly [x: number, y: number];

/** How much of each pixel some shapes cover, exactly. */
export interface Coverage {
  /** Adds the inside of a ring; a ring the other way round takes away, so that holes do. It must lie within the picture. */
  addRing(ring: readonly Pixel[]): void;
  /** Gives each pixel that is covered, with its share from 0 to 1, and empties itself. */
  take(each: (index: number, share: number) => void): void;
}

/**
 * Creates a picture of coverage: each edge notes, row by row, by how much what lies to its right is covered more than what lies
 * to its left. Their sum along a row is the coverage, without a list of crossings, however many edges there are.
 */
export function createCoverage(width: number, height: number): Coverage {
  // One column more, for what an edge at the right end notes.
  const stride = width + 2;
  const changes = new Float32Array(stride * height);
  const rows = { first: height, last: -1 };
  const columns = { first: stride, last: -1 };

  function addRing(ring: readonly Pixel[]): void {
    let [fromX, fromY] = ring.at(-1) ?? [0, 0];
    for (const [x, y] of ring) {
      if (y > fromY) addEdge([fromX, fromY], [x, y], 1);
      else if (y < fromY) addEdge([x, y], [fromX, fromY], -1);
      [fromX, fromY] = [x, y];
    }
  }

  /** Notes an edge from its upper to its lower end. */
  function addEdge([topX, topY]: Pixel, [bottomX, bottomY]: Pixel, direction: 1 | -1): void {
    const slope = (bottomX - topX) / (bottomY - topY);
    const last = Math.min(height, Math.ceil(bottomY));
    rows.first = Math.min(rows.first, Math.floor(topY));
    rows.last = Math.max(rows.last, last - 1);
    columns.first = Math.min(columns.first, Math.floor(Math.min(topX, bottomX)));
    columns.last = Math.max(columns.last, Math.ceil(Math.max(topX, bottomX)) + 1);
    let x = topX;
    for (let row = Math.floor(topY); row < last; row += 1) {
      const part = Math.min(row + 1, bottomY) - Math.max(row, topY);
      const next = x + slope * part;
      noteRow(row * stride, Math.min(x, next), Math.max(x, next), part * direction);
      x = next;
    }
  }

  /** Spreads what an edge changes within a row over the pixels that it runs through. */
  function noteRow(row: number, left: number, right: number, change: number): void {
    const first = Math.floor(left);
    const end = Math.ceil(right);
    if (end <= first + 1) {
      const covered = 1 - ((left + right) / 2 - first);
      note(row + first, change * covered);
      note(row + first + 1, change * (1 - covered));
      return;
    }
    const perPixel = change / (right - left);
    let before = 0;
    for (let column = first; column < end; column += 1) {
      const [from, to] = [Math.max(left, column), Math.min(right, column + 1)];
      // Within the pixel the edge covers a trapezium, and everything to the right of it.
      const crossed = (to - from) * perPixel;
      const covered = crossed * (column + 1 - (from + to) / 2);
      note(row + column, before + covered);
      before = crossed - covered;
    }
    note(row + end, before);
  }

  const note = (index: number, change: number) => {
    changes[index] = (changes[index] ?? 0) + change;
  };

  function take(each: (index: number, share: number) => void): void {
    const [left, right] = [Math.max(0, columns.first), Math.min(stride - 1, columns.last)];
    for (let row = Math.max(0, rows.first); row <= rows.last; row += 1) {
      let sum = 0;
      for (let column = left; column <= right; column += 1) {
        const index = row * stride + column;
        sum += changes[index] ?? 0;
        changes[index] = 0;
        const share = Math.min(1, Math.abs(sum));
        // What is left of a sum of shares that make nothing together.
        if (share > 1e-4 && column < width) each(row * width + column, share);
      }
    }
    [rows.first, rows.last, columns.first, columns.last] = [height, -1, stride, -1];
  }

  return { addRing, take };
}
