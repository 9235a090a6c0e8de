import type { Tile } from '../../../model/tiles.ts';
import { type Place, type Segments, type SegmentTree, squaredDistance } from './segments.ts';
import { alongSphere, type Space } from './space.ts';

/** Pixels between exact places; the others are interpolated. */
const step = 8;
const nodesPerSide = 64 / step + 1;
/** The side of the squares in which candidates are shared. */
export const squareSide = 64;
const smallest = 4;
/** Maximum error in pixels of comparing candidates at the corners of a block alone. */
const cornerError = 0.1;
/** Numbers of a block on the stack: column, row, size, and the range of its candidates. */
const blockNumbers = 5;
/** Three of the four quarters of each of the five levels wait while the fourth is divided. */
const mostWaiting = 32;

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
  const places = createPlaces(space);
  const { xs, ys, zs } = places;
  /** Squared distance of each pixel of the square. */
  const squares = new Float64Array(squareSide * squareSide);
  let [candidates, distances] = [new Int32Array(4096), new Float64Array(4096)];
  const stack = new Int32Array(blockNumbers * mostWaiting);
  let waiting = 0;
  const corners = new Int32Array(4);
  const winners = new Int32Array(4);

  function reserve(size: number): void {
    if (size <= candidates.length) return;
    const before = { candidates, distances };
    candidates = new Int32Array(2 * size);
    distances = new Float64Array(2 * size);
    candidates.set(before.candidates);
    distances.set(before.distances);
  }

  function between(one: number, other: number): number {
    const dx = (xs[one] ?? 0) - (xs[other] ?? 0);
    const dy = (ys[one] ?? 0) - (ys[other] ?? 0);
    const dz = (zs[one] ?? 0) - (zs[other] ?? 0);
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  function push(
    place: { readonly column: number; readonly row: number },
    size: number,
    from: number,
    to: number,
  ): void {
    const at = blockNumbers * waiting;
    stack[at] = place.column;
    stack[at + 1] = place.row;
    stack[at + 2] = size;
    stack[at + 3] = from;
    stack[at + 4] = to;
    waiting += 1;
  }

  /** Measures the last waiting block, or divides it. */
  function takeBlock({ width, height, pixel }: Square): void {
    waiting -= 1;
    const at = blockNumbers * waiting;
    const [column, row, size] = [stack[at] ?? 0, stack[at + 1] ?? 0, stack[at + 2] ?? 0];
    const [from, to] = [stack[at + 3] ?? 0, stack[at + 4] ?? 0];
    if (column >= width || row >= height) return;
    const first = row * squareSide + column;
    const [middle, far] = [size >> 1, size - 1];
    const centre = first + middle * squareSide + middle;
    corners[0] = first;
    corners[1] = first + far;
    corners[2] = first + far * squareSide;
    corners[3] = first + far * squareSide + far;
    let radius = 0;
    for (let i = 0; i < 4; i += 1) radius = Math.max(radius, between(centre, corners[i] ?? 0));
    const place = places.at(centre);
    let least = Infinity;
    for (let i = from; i < to; i += 1) {
      const squared = squaredDistance(segments, candidates[i] ?? 0, place);
      distances[i] = squared;
      if (squared < least) least = squared;
    }
    const nearest = Math.sqrt(least);
    if (nearest - radius > limit) return; // the chord is shorter than the way along the surface
    const block = { first, width: Math.min(size, width - column), height: Math.min(size, height - row) };
    if (radius * radius <= 2 * cornerError * pixel * nearest) {
      for (let i = 0; i < 4; i += 1) {
        const winner = nearestOf(places.at(corners[i] ?? 0), from, to);
        winners[i] = winner;
        if (i === 0 || winners.indexOf(winner) === i) measure(winner, block);
      }
      return;
    }
    const most = (nearest + 2 * radius) ** 2;
    reserve(to + (to - from));
    let end = to;
    for (let i = from; i < to; i += 1)
      if ((distances[i] ?? 0) <= most) {
        candidates[end] = candidates[i] ?? 0;
        end += 1;
      }
    if (size <= smallest || end - to <= 2) {
      for (let i = to; i < end; i += 1) measure(candidates[i] ?? 0, block);
      return;
    }
    push({ column, row }, middle, to, end);
    push({ column: column + middle, row }, middle, to, end);
    push({ column, row: row + middle }, middle, to, end);
    push({ column: column + middle, row: row + middle }, middle, to, end);
  }

  function nearestOf(place: Place, from: number, to: number): number {
    let [least, winner] = [Infinity, candidates[from] ?? 0];
    for (let i = from; i < to; i += 1) {
      const squared = squaredDistance(segments, candidates[i] ?? 0, place);
      if (squared < least) [least, winner] = [squared, candidates[i] ?? 0];
    }
    return winner;
  }

  /** Measures the pixels of a block to one stretch. */
  function measure(segment: number, { first, width, height }: Block): void {
    const { starts, steps, inverses } = segments;
    const at = 3 * segment;
    const [x0, y0, z0] = [starts[at] ?? 0, starts[at + 1] ?? 0, starts[at + 2] ?? 0];
    const [sx, sy, sz] = [steps[at] ?? 0, steps[at + 1] ?? 0, steps[at + 2] ?? 0];
    const inverse = inverses[segment] ?? 0;
    for (let row = 0; row < height; row += 1) {
      const start = first + row * squareSide;
      for (let i = start; i < start + width; i += 1) {
        const dx = (xs[i] ?? 0) - x0;
        const dy = (ys[i] ?? 0) - y0;
        const dz = (zs[i] ?? 0) - z0;
        let share = (dx * sx + dy * sy + dz * sz) * inverse;
        if (share < 0) share = 0;
        else if (share > 1) share = 1;
        const ex = dx - share * sx;
        const ey = dy - share * sy;
        const ez = dz - share * sz;
        const squared = ex * ex + ey * ey + ez * ez;
        if (squared < (squares[i] ?? 0)) squares[i] = squared;
      }
    }
  }

  function measureSquare(size: Pick<Tile, 'width' | 'height'>): void {
    const centre = (squareSide / 2) * squareSide + squareSide / 2;
    const last = squareSide * squareSide - 1;
    const radius = Math.max(
      ...[0, squareSide - 1, last - squareSide + 1, last].map((corner) => between(centre, corner)),
    );
    const place = places.at(centre);
    const nearest = tree.nearest(place, limit + radius);
    if (nearest === Infinity) return;
    const found = tree.within(place, (nearest + 2 * radius) * (1 + 1e-12));
    reserve(found.length);
    candidates.set(found);
    const square = { ...size, pixel: between(centre, centre + 1) };
    push({ column: 0, row: 0 }, squareSide, 0, found.length);
    while (waiting > 0) takeBlock(square);
  }

  /** Measures pixel by pixel where a part of the square is not on the earth. */
  function measureSingly({ width, height }: Pick<Tile, 'width' | 'height'>): void {
    for (let v = 0; v < height; v += 1)
      for (let i = v * squareSide; i < v * squareSide + width; i += 1)
        squares[i] = Number.isNaN(xs[i] ?? NaN) ? NaN : tree.nearest(places.at(i), limit) ** 2;
  }

  return {
    /** Fills the metres of a square of at most 64 pixels per side; infinite beyond the limit, NaN beyond the earth. @param strip of the values */
    fill(values: Float32Array, square: Tile, strip: Tile): void {
      squares.fill(Infinity);
      if (places.fill(square)) measureSquare(square);
      else measureSingly(square);
      for (let v = 0; v < square.height; v += 1) {
        const start = (square.y - strip.y + v) * strip.width + square.x - strip.x;
        const from = v * squareSide;
        const radius = space.radiusAt(places.at(from + (square.width >> 1)));
        if (radius === Infinity) {
          for (let u = 0; u < square.width; u += 1) values[start + u] = Math.sqrt(squares[from + u] ?? NaN);
          continue;
        }
        for (let u = 0; u < square.width; u += 1) {
          const straight = Math.sqrt(squares[from + u] ?? NaN);
          // The middle of the row may lie beyond the earth.
          const own = Number.isNaN(radius) ? space.radiusAt(places.at(from + u)) : radius;
          values[start + u] = straight === Infinity ? Infinity : alongSphere(straight, own);
        }
      }
    },
  };
}

interface Square {
  readonly width: number;
  readonly height: number;
  /** Size of a pixel, metres. */
  readonly pixel: number;
}

/** The part of a block that lies on the grid. @property first of its pixels */
interface Block {
  readonly first: number;
  readonly width: number;
  readonly height: number;
}

/** Creates the places of the centres of the pixels of a square. */
function createPlaces(space: Space) {
  const room = () => new Float64Array(squareSide * squareSide);
  const [xs, ys, zs] = [room(), room(), room()];
  const nodeColumns = new Float64Array(nodesPerSide * nodesPerSide);
  const nodeRows = new Float64Array(nodeColumns.length);

  /** Places each pixel exactly. @returns false if one has no place */
  function fillExactly(x: number, y: number): boolean {
    const columns = Float64Array.from(xs, (_, i) => x + 0.5 + (i % squareSide));
    const rows = Float64Array.from(xs, (_, i) => y + 0.5 + Math.floor(i / squareSide));
    const found = space.ofGrid(columns, rows);
    for (let i = 0; i < xs.length; i += 1) {
      xs[i] = found[3 * i] ?? NaN;
      ys[i] = found[3 * i + 1] ?? NaN;
      zs[i] = found[3 * i + 2] ?? NaN;
    }
    return !found.some(Number.isNaN);
  }

  /** Interpolates one axis of the places between their nodes. */
  function interpolate(out: Float64Array, nodes: Float64Array, axis: number): void {
    for (let v = 0; v < squareSide; v += 1) {
      const t = (v % step) / step;
      for (let i = 0; i + 1 < nodesPerSide; i += 1) {
        const upper = 3 * (Math.floor(v / step) * nodesPerSide + i) + axis;
        const lower = upper + 3 * nodesPerSide;
        const left = (nodes[upper] ?? 0) * (1 - t) + (nodes[lower] ?? 0) * t;
        const right = (nodes[upper + 3] ?? 0) * (1 - t) + (nodes[lower + 3] ?? 0) * t;
        const from = v * squareSide + i * step;
        for (let u = 0; u < step; u += 1) out[from + u] = left + ((right - left) * u) / step;
      }
    }
  }

  return {
    xs,
    ys,
    zs,
    at: (pixel: number): Place => ({ x: xs[pixel] ?? NaN, y: ys[pixel] ?? NaN, z: zs[pixel] ?? NaN }),
    /** Places all pixels, by interpolation if that is possible. @returns false if one of them has no place */
    fill({ x, y }: Pick<Tile, 'x' | 'y'>): boolean {
      for (let i = 0; i < nodeColumns.length; i += 1) {
        nodeColumns[i] = x + 0.5 + step * (i % nodesPerSide);
        nodeRows[i] = y + 0.5 + step * Math.floor(i / nodesPerSide);
      }
      const nodes = space.ofGrid(nodeColumns, nodeRows);
      if (nodes.some(Number.isNaN)) return fillExactly(x, y);
      interpolate(xs, nodes, 0);
      interpolate(ys, nodes, 1);
      interpolate(zs, nodes, 2);
      return true;
    },
  };
}
