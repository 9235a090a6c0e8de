import type { Tile } from '../../../model/tiles.ts';
import { type Segments, type SegmentTree, squaredDistance } from './segments.ts';
import type { Space } from './space.ts';

/** Pixels between exact places; the others are interpolated. */
const step = 8;
const side = 64;
const smallest = 4;
/** Maximum error in pixels of comparing candidates at the corners of a block alone. */
const cornerError = 0.1;

export interface NearestOptions {
  readonly segments: Segments;
  readonly tree: SegmentTree;
  readonly space: Space;
  /** Metres along the surface. */
  readonly limit: number;
}

/**
 * Measures the distance from each pixel of a square to the nearest stretch. All candidates of the square come from the tree; halves and
 * quarters of it keep those that can still be the nearest, down to blocks of 4 by 4 pixels. Far from all candidates, the nearest ones of
 * the four corners of a block are those of its pixels, within a tenth of a pixel.
 */
export function createNearest({ segments, tree, space, limit }: NearestOptions) {
  const places = new Float64Array(3 * side * side);
  let [candidates, distances] = [new Int32Array(4096), new Float64Array(4096)];

  function reserve(size: number): void {
    if (size <= candidates.length) return;
    const before = { candidates, distances };
    candidates = new Int32Array(2 * size);
    distances = new Float64Array(2 * size);
    candidates.set(before.candidates);
    distances.set(before.distances);
  }

  /** Offset in `places` of a pixel of the square. */
  const placeOf = (column: number, row: number): number => 3 * (row * side + column);

  function between(one: number, other: number): number {
    return Math.hypot(
      (places[one] ?? NaN) - (places[other] ?? NaN),
      (places[one + 1] ?? NaN) - (places[other + 1] ?? NaN),
      (places[one + 2] ?? NaN) - (places[other + 2] ?? NaN),
    );
  }

  /** A block of the square, the memory of its candidates, and the values to fill. */
  interface Block {
    readonly column: number;
    readonly row: number;
    readonly size: number;
    readonly from: number;
    readonly to: number;
    readonly out: Output;
  }

  interface Output {
    readonly values: Float32Array;
    readonly start: number;
    readonly width: number;
    readonly height: number;
    readonly rowLength: number;
    readonly pixel: number;
  }

  function fillBlock({ column, row, size, from, to, out }: Block): void {
    if (column >= out.width || row >= out.height) return;
    const middle = size >> 1;
    const centre = placeOf(column + middle, row + middle);
    const far = size - 1;
    const corners = [
      placeOf(column, row),
      placeOf(column + far, row),
      placeOf(column, row + far),
      placeOf(column + far, row + far),
    ];
    const radius = Math.max(...corners.map((corner) => between(centre, corner)));
    let least = Infinity;
    for (let i = from; i < to; i += 1) {
      const squared = squaredDistance(segments, candidates[i] ?? 0, places, centre);
      distances[i] = squared;
      if (squared < least) least = squared;
    }
    const nearest = Math.sqrt(least);
    if (nearest - radius > limit) return; // the chord is shorter than the way along the surface
    if (radius * radius <= 2 * cornerError * out.pixel * nearest) {
      const winners = new Set(corners.map((corner) => nearestOf(corner, from, to)));
      return evaluate([...winners], { column, row, size, out });
    }
    const most = (nearest + 2 * radius) ** 2;
    reserve(to + (to - from));
    let end = to;
    for (let i = from; i < to; i += 1)
      if ((distances[i] ?? 0) <= most) {
        candidates[end] = candidates[i] ?? 0;
        end += 1;
      }
    if (size <= smallest || end - to <= 2)
      return evaluate(candidates.subarray(to, end), { column, row, size, out });
    for (const [dx, dy] of [
      [0, 0],
      [middle, 0],
      [0, middle],
      [middle, middle],
    ] as const)
      fillBlock({ column: column + dx, row: row + dy, size: middle, from: to, to: end, out });
  }

  function nearestOf(place: number, from: number, to: number): number {
    let [least, winner] = [Infinity, candidates[from] ?? 0];
    for (let i = from; i < to; i += 1) {
      const squared = squaredDistance(segments, candidates[i] ?? 0, places, place);
      if (squared < least) [least, winner] = [squared, candidates[i] ?? 0];
    }
    return winner;
  }

  function evaluate(chosen: ArrayLike<number>, { column, row, size, out }: Omit<Block, 'from' | 'to'>): void {
    const right = Math.min(column + size, out.width);
    const bottom = Math.min(row + size, out.height);
    for (let v = row; v < bottom; v += 1) {
      for (let u = column; u < right; u += 1) {
        const place = placeOf(u, v);
        let least = Infinity;
        for (let i = 0; i < chosen.length; i += 1) {
          const squared = squaredDistance(segments, chosen[i] ?? 0, places, place);
          if (squared < least) least = squared;
        }
        out.values[out.start + v * out.rowLength + u] = Math.sqrt(least);
      }
    }
  }

  return {
    /** Fills the metres of a square of at most 64 pixels per side; infinite beyond the limit, NaN beyond the earth. @param rowLength that of `values` */
    fill(values: Float32Array, { x, y, width, height }: Tile, rowLength: number): void {
      const isWhole = placePixels(x, y);
      const size = { values, start: x, width, height, rowLength };
      const centre = placeOf(side / 2, side / 2);
      const radius = Math.max(
        ...[placeOf(0, 0), placeOf(side - 1, 0), placeOf(0, side - 1), placeOf(side - 1, side - 1)].map(
          (corner) => between(centre, corner),
        ),
      );
      const pixel = between(centre, placeOf(side / 2 + 1, side / 2));
      if (isWhole) {
        const nearest = tree.nearest(places, centre, limit + radius);
        if (nearest === Infinity) return;
        const found = tree.within(places, centre, (nearest + 2 * radius) * (1 + 1e-12));
        reserve(found.length);
        candidates.set(found);
        fillBlock({
          column: 0,
          row: 0,
          size: side,
          from: 0,
          to: found.length,
          out: { ...size, pixel },
        });
      } else fillSingly(size);
      for (let v = 0; v < height; v += 1) {
        for (let u = 0; u < width; u += 1) {
          const at = v * rowLength + x + u;
          const straight = values[at] ?? NaN;
          if (straight !== Infinity) values[at] = space.alongSurface(straight, places, placeOf(u, v));
        }
      }
    },
  };

  /** Measures pixel by pixel where a part of the square is not on the earth. */
  function fillSingly({ values, start, width, height, rowLength }: Omit<Output, 'pixel'>): void {
    for (let v = 0; v < height; v += 1) {
      for (let u = 0; u < width; u += 1) {
        const place = placeOf(u, v);
        values[v * rowLength + start + u] = Number.isNaN(places[place] ?? NaN)
          ? NaN
          : tree.nearest(places, place, limit);
      }
    }
  }

  /** Places the centres of the pixels of a square, by interpolation if that is possible. @returns false if one of them has no place */
  function placePixels(x: number, y: number): boolean {
    const count = side / step + 1;
    const [columns, rows] = [new Float64Array(count * count), new Float64Array(count * count)];
    for (let i = 0; i < columns.length; i += 1) {
      columns[i] = x + 0.5 + step * (i % count);
      rows[i] = y + 0.5 + step * Math.floor(i / count);
    }
    const nodes = space.ofGrid(columns, rows);
    if (nodes.some(Number.isNaN)) {
      const all = { columns: new Float64Array(side * side), rows: new Float64Array(side * side) };
      for (let i = 0; i < side * side; i += 1) {
        all.columns[i] = x + 0.5 + (i % side);
        all.rows[i] = y + 0.5 + Math.floor(i / side);
      }
      places.set(space.ofGrid(all.columns, all.rows));
      return !places.some(Number.isNaN);
    }
    for (let v = 0; v < side; v += 1) {
      const [j, t] = [Math.floor(v / step), (v % step) / step];
      for (let u = 0; u < side; u += 1) {
        const [i, s] = [Math.floor(u / step), (u % step) / step];
        const at = 3 * (j * count + i);
        const to = 3 * (v * side + u);
        for (let axis = 0; axis < 3; axis += 1) {
          const upper = (nodes[at + axis] ?? 0) * (1 - s) + (nodes[at + 3 + axis] ?? 0) * s;
          const below = at + 3 * count + axis;
          const lower = (nodes[below] ?? 0) * (1 - s) + (nodes[below + 3] ?? 0) * s;
          places[to + axis] = upper * (1 - t) + lower * t;
        }
      }
    }
    return true;
  }
}
