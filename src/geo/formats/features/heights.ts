/** Coordinates of each position. */
type Positions = readonly number[];

/**
 * Heights (Z) of a geometry in the unit of its file, by list of positions: one per position, NaN for none. The key is
 * the identity of the list, not its contents.
 */
export type Heights = ReadonlyMap<Positions, readonly number[]>;

/** Collects the heights of a geometry while its positions are read. */
export function createHeightNotes() {
  const noted = new Map<Positions, number[]>();
  let [isHigh, isLost] = [false, false];

  function see(height: number): number {
    if (!Number.isFinite(height)) return Number.NaN;
    isHigh ||= height !== 0;
    return height;
  }

  return {
    /** Records the height of the last position of a list; NaN for none. */
    add(list: Positions, height: number): void {
      const own = noted.get(list);
      if (own !== undefined) own.push(see(height));
      else if (Number.isFinite(height)) noted.set(list, [...unknown(list.length / 2 - 1), see(height)]);
    },
    /** Records the heights of a whole list. */
    set(list: Positions, heights: readonly number[]): void {
      noted.set(list, heights.map(see));
    },
    /** Drops the heights, because positions were added to a list. */
    lose(): void {
      isLost ||= noted.size > 0;
    },
    /** Returns the heights of all lists of a geometry, whose rings may have been closed since; undefined for none. */
    finish(lists: readonly Positions[]): Heights | undefined {
      if (noted.size === 0 || isLost) return undefined;
      return new Map(
        lists.map((list) => {
          const heights = noted.get(list) ?? unknown(list.length / 2);
          const [first] = heights;
          return [
            list,
            first !== undefined && heights.length < list.length / 2 ? [...heights, first] : heights,
          ];
        }),
      );
    },
    /** Returns whether a height other than 0 occurred. */
    isHigh: () => isHigh,
  };
}

export type HeightNotes = ReturnType<typeof createHeightNotes>;

const unknown = (count: number): number[] => Array.from({ length: count }, () => Number.NaN);
