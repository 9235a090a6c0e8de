import { type BorderCells, createCellWalker } from '../../../../geo/child/areas/cells.ts';
import type { Places } from '../../../../geo/child/areas/outline.ts';
import type { Tile } from '../../../model/tiles.ts';

/** Shares that differ by less are equal. */
export const roundingOfCover = 1e-9;

/** The shares of the pixels of a strip that polygons cover. Most pixels are covered by one polygon completely: the others have a list. */
interface Covered {
  /** Index of the first number that covers a pixel completely, plus one; 0 for none. */
  readonly whole: Uint32Array;
  /** First entry of the list of a pixel, plus one; 0 for none. */
  readonly heads: Int32Array;
  readonly list: List;
}

interface List {
  count: number;
  indexes: Uint32Array;
  shares: Float64Array;
  /** Next entry of the same pixel, plus one; 0 for none. */
  next: Int32Array;
}

/** Creates a collector of the exact shares of polygons in a strip of at most `mostPixels`. */
export function createCover(mostPixels: number) {
  const walk = createCellWalker();
  const [whole, heads] = [new Uint32Array(mostPixels), new Int32Array(mostPixels)];
  const list: List = {
    count: 0,
    indexes: new Uint32Array(4096),
    shares: new Float64Array(4096),
    next: new Int32Array(4096),
  };

  function push(pixel: number, index: number, share: number): void {
    if (list.count === list.indexes.length) growList(list);
    const at = list.count;
    list.indexes[at] = index;
    list.shares[at] = share;
    list.next[at] = heads[pixel] ?? 0;
    list.count = at + 1;
    heads[pixel] = at + 1;
  }

  function add(from: number, to: number, share: number, index: number): void {
    if (share < 1 - roundingOfCover) for (let i = from; i < to; i += 1) push(i, index, share);
    else
      for (let i = from; i < to; i += 1) {
        if (whole[i] === 0) whole[i] = index + 1;
        else push(i, index, 1);
      }
  }

  /** Adds the runs of a row; `start` is the offset of its first pixel. */
  function addRow(cells: BorderCells, row: number, { start, strip, index }: RowPlace): void {
    const { starts, columns, shares, steps } = cells;
    const end = strip.x + strip.width;
    let [covered, next] = [0, strip.x];
    const last = starts[row + 1] ?? 0;
    for (let i = starts[row] ?? 0; i < last; i += 1) {
      const at = columns[i] ?? 0;
      if (at > next && covered > roundingOfCover) add(start + next, start + at, covered, index);
      const share = covered + (shares[i] ?? 0);
      if (at >= strip.x && share > roundingOfCover)
        add(start + at, start + at + 1, Math.min(1, share), index);
      covered += steps[i] ?? 0;
      if (at >= next) next = at + 1;
    }
    if (next < end && covered > roundingOfCover) add(start + next, start + end, covered, index);
  }

  return {
    covered: { whole, heads, list },
    /** Begins another strip. */
    clear(pixels: number): void {
      whole.fill(0, 0, pixels);
      heads.fill(0, 0, pixels);
      list.count = 0;
    },
    /** Adds a polygon. @param index of its number */
    add({ rings, sign, firstRow, endRow }: Places, strip: Tile, index: number): void {
      const top = Math.max(strip.y, firstRow);
      const bottom = Math.min(strip.y + strip.height, endRow);
      if (top >= bottom) return;
      const cells = walk({ rings, sign }, { top, bottom, width: strip.x + strip.width });
      for (let row = top; row < bottom; row += 1) {
        const start = (row - strip.y) * strip.width - strip.x;
        addRow(cells, row - top, { start, strip, index });
      }
    },
  };
}

interface RowPlace {
  readonly start: number;
  readonly strip: Tile;
  readonly index: number;
}

function growList(list: List): void {
  const { indexes, shares, next } = list;
  list.indexes = new Uint32Array(2 * indexes.length);
  list.shares = new Float64Array(2 * shares.length);
  list.next = new Int32Array(2 * next.length);
  list.indexes.set(indexes);
  list.shares.set(shares);
  list.next.set(next);
}

/** Creates a function that collects the shares of a pixel by number. */
export function createTally({ whole, heads, list }: Covered, numbers: number) {
  const shares = new Float64Array(numbers);
  let [touched, count] = [new Uint32Array(16), 0];
  return {
    shares,
    /** @returns the indexes of the numbers with a share, ascending; valid until the next call */
    of(pixel: number): Uint32Array {
      for (let i = 0; i < count; i += 1) shares[touched[i] ?? 0] = 0;
      count = 0;
      const index = whole[pixel] ?? 0;
      if (index > 0) put(index - 1, 1);
      for (let at = heads[pixel] ?? 0; at > 0; at = list.next[at - 1] ?? 0)
        put(list.indexes[at - 1] ?? 0, list.shares[at - 1] ?? 0);
      return touched.subarray(0, count);
    },
  };

  function put(index: number, share: number): void {
    if (shares[index] === 0) {
      if (count === touched.length) {
        const before = touched;
        touched = new Uint32Array(2 * count);
        touched.set(before);
      }
      let at = count;
      while (at > 0 && (touched[at - 1] ?? 0) > index) {
        touched[at] = touched[at - 1] ?? 0;
        at -= 1;
      }
      touched[at] = index;
      count += 1;
    }
    shares[index] = (shares[index] ?? 0) + share;
  }
}
