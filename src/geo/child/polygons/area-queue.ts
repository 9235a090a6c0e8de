/** A priority queue of regions, smallest area first, then smallest number. */
export interface AreaQueue {
  push(region: number, area: number): void;
  /** Returns undefined if it is empty. */
  pop(): { readonly region: number; readonly area: number } | undefined;
}

/** @param capacity maximum size */
export function createAreaQueue(capacity: number): AreaQueue {
  const regions = new Int32Array(capacity);
  const areas = new Float64Array(capacity);
  let size = 0;

  const isBefore = (one: number, other: number): boolean => {
    const [a, b] = [areas[one] ?? 0, areas[other] ?? 0];
    return a === b ? (regions[one] ?? 0) < (regions[other] ?? 0) : a < b;
  };
  const swap = (one: number, other: number): void => {
    [regions[one], regions[other]] = [regions[other] ?? 0, regions[one] ?? 0];
    [areas[one], areas[other]] = [areas[other] ?? 0, areas[one] ?? 0];
  };

  return {
    push(region, area) {
      let at = size;
      size += 1;
      regions[at] = region;
      areas[at] = area;
      for (let parent = (at - 1) >> 1; at > 0 && isBefore(at, parent); parent = (at - 1) >> 1) {
        swap(at, parent);
        at = parent;
      }
    },
    pop() {
      if (size === 0) return undefined;
      const least = { region: regions[0] ?? 0, area: areas[0] ?? 0 };
      size -= 1;
      swap(0, size);
      for (let at = 0; ;) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        let smallest = at;
        if (left < size && isBefore(left, smallest)) smallest = left;
        if (right < size && isBefore(right, smallest)) smallest = right;
        if (smallest === at) return least;
        swap(at, smallest);
        at = smallest;
      }
    },
  };
}
