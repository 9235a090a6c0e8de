import { inputProblems } from '../../../../messages/inputs/english.ts';

/** Maximum number of stretches: 48 bytes each, and the tree. */
const mostStretches = 6e6;
/** Stretches of a leaf of the tree, and nodes of a node. */
const fanOut = 16;

/** Straight stretches in space; a point is a stretch without length. */
export interface Segments {
  readonly count: number;
  /** Start, and the step to the end, of each: x, y, z. */
  readonly starts: Float64Array;
  readonly steps: Float64Array;
  /** One divided by the squared length; 0 without length. */
  readonly inverses: Float64Array;
}

/** Collects stretches. @throws {Problem} for too many */
export function createSegmentList() {
  let room = 1024;
  let [starts, steps, inverses] = [
    new Float64Array(3 * room),
    new Float64Array(3 * room),
    new Float64Array(room),
  ];
  let count = 0;

  function grow(): void {
    room *= 2;
    const before = { starts, steps, inverses };
    starts = new Float64Array(3 * room);
    steps = new Float64Array(3 * room);
    inverses = new Float64Array(room);
    starts.set(before.starts);
    steps.set(before.steps);
    inverses.set(before.inverses);
  }

  return {
    /** Adds the stretch between two positions of a list of x, y, z. */
    add(positions: Float64Array, from: number, to: number): void {
      if (count === mostStretches) throw inputProblems.tooManyPositions(mostStretches);
      if (count === room) grow();
      let squared = 0;
      for (let axis = 0; axis < 3; axis += 1) {
        const start = positions[3 * from + axis] ?? NaN;
        const step = (positions[3 * to + axis] ?? NaN) - start;
        starts[3 * count + axis] = start;
        steps[3 * count + axis] = step;
        squared += step * step;
      }
      if (Number.isNaN(squared)) return; // not in the reference system of the grid
      inverses[count] = squared > 0 ? 1 / squared : 0;
      count += 1;
    },
    finish: (): Segments => ({ count, starts, steps, inverses }),
  };
}

/** A place in space. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Returns the squared distance from a place to a stretch. */
export function squaredDistance(
  { starts, steps, inverses }: Segments,
  segment: number,
  { x, y, z }: Place,
): number {
  const at = 3 * segment;
  const dx = x - (starts[at] ?? 0);
  const dy = y - (starts[at + 1] ?? 0);
  const dz = z - (starts[at + 2] ?? 0);
  const sx = steps[at] ?? 0;
  const sy = steps[at + 1] ?? 0;
  const sz = steps[at + 2] ?? 0;
  let share = (dx * sx + dy * sy + dz * sz) * (inverses[segment] ?? 0);
  if (share < 0) share = 0;
  else if (share > 1) share = 1;
  const ex = dx - share * sx;
  const ey = dy - share * sy;
  const ez = dz - share * sz;
  return ex * ex + ey * ey + ez * ez;
}

/** A level of boxes: least and greatest x, y, z of `fanOut` boxes, or stretches, of the level below. */
interface Level {
  readonly count: number;
  readonly boxes: Float64Array;
}

/** Finds stretches near a place, by boxes around neighbours in the list: files list features along a Hilbert curve. */
export function createSegmentTree(segments: Segments) {
  const { count, starts, steps } = segments;
  const levels: Level[] = [];
  let below = count;
  while (below > 1 || levels.length === 0) {
    const size = Math.max(1, Math.ceil(below / fanOut));
    const boxes = new Float64Array(6 * size);
    for (let i = 0; i < size; i += 1) {
      for (let axis = 0; axis < 3; axis += 1) {
        let [least, greatest] = [Infinity, -Infinity];
        for (let k = i * fanOut; k < Math.min(below, (i + 1) * fanOut); k += 1) {
          const lower = levels.at(-1);
          const a = lower === undefined ? (starts[3 * k + axis] ?? NaN) : (lower.boxes[6 * k + axis] ?? NaN);
          const b =
            lower === undefined ? a + (steps[3 * k + axis] ?? NaN) : (lower.boxes[6 * k + 3 + axis] ?? NaN);
          least = Math.min(least, a, b);
          greatest = Math.max(greatest, a, b);
        }
        boxes[6 * i + axis] = least;
        boxes[6 * i + 3 + axis] = greatest;
      }
    }
    levels.push({ count: size, boxes });
    below = size;
    if (size === 1) break;
  }
  const top = levels.length - 1;

  /** The place of the current question. */
  let place: Place = { x: 0, y: 0, z: 0 };

  /** Squared distance from the place to a box. */
  function toBox(level: number, node: number): number {
    const boxes = levels[level]?.boxes ?? starts;
    const at = 6 * node;
    const dx = beside(place.x, boxes[at] ?? 0, boxes[at + 3] ?? 0);
    const dy = beside(place.y, boxes[at + 1] ?? 0, boxes[at + 4] ?? 0);
    const dz = beside(place.z, boxes[at + 2] ?? 0, boxes[at + 5] ?? 0);
    return dx * dx + dy * dy + dz * dz;
  }

  const childrenOf = (level: number, node: number) => {
    const below = level === 0 ? count : (levels[level - 1]?.count ?? 0);
    return { from: node * fanOut, to: Math.min(below, (node + 1) * fanOut) };
  };

  const orders = levels.map(() => new Int32Array(fanOut));
  const keys = new Float64Array(fanOut);

  /** Returns the squared distance to the nearest stretch of a node if that is less than `best`. */
  function nearestIn(level: number, node: number, best: number): number {
    const { from, to } = childrenOf(level, node);
    let least = best;
    if (level === 0) {
      for (let i = from; i < to; i += 1) least = Math.min(least, squaredDistance(segments, i, place));
      return least;
    }
    // The nearest boxes first, so that the others are skipped.
    const order = orders[level] ?? new Int32Array(fanOut);
    for (let i = 0; i < to - from; i += 1) {
      const key = toBox(level - 1, from + i);
      let at = i;
      while (at > 0 && (keys[at - 1] ?? 0) > key) {
        keys[at] = keys[at - 1] ?? 0;
        order[at] = order[at - 1] ?? 0;
        at -= 1;
      }
      keys[at] = key;
      order[at] = i;
    }
    for (let i = 0; i < to - from; i += 1) {
      const child = from + (order[i] ?? 0);
      if (toBox(level - 1, child) < least) least = nearestIn(level - 1, child, least);
    }
    return least;
  }

  return {
    /** Returns the distance from a place to the nearest stretch; infinite if it is not less than `limit`. */
    nearest(from: Place, limit: number): number {
      place = from;
      const squared = nearestIn(top, 0, limit * limit);
      return squared < limit * limit ? Math.sqrt(squared) : Infinity;
    },
    /** Returns the stretches within a distance. */
    within(from: Place, distance: number): number[] {
      place = from;
      const most = distance * distance;
      const found: number[] = [];
      const collect = (level: number, node: number): void => {
        const { from: first, to } = childrenOf(level, node);
        for (let i = first; i < to; i += 1) {
          if (level === 0) {
            if (squaredDistance(segments, i, place) <= most) found.push(i);
          } else if (toBox(level - 1, i) <= most) collect(level - 1, i);
        }
      };
      collect(top, 0);
      return found;
    },
  };
}

/** Returns the distance from a number to a range. */
function beside(value: number, least: number, greatest: number): number {
  if (value < least) return least - value;
  return value > greatest ? value - greatest : 0;
}

export type SegmentTree = ReturnType<typeof createSegmentTree>;
