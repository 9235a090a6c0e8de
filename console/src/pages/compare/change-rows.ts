import type { RunComparison } from '../../service/types.ts';
import type { Change } from './compare-address.ts';

export interface ChangeRow extends Change {
  readonly hectares: number;
  /** Share of the land that has a class in either run. */
  readonly share: number;
}

type Matrix = Pick<RunComparison, 'matrix'>;

/** The land that has a class in either run, in hectares. */
export function zonedLand({ matrix: { from, to, ha } }: Matrix): number {
  return ha.reduce(
    (sum, row, i) =>
      sum + row.reduce((inRow, area, j) => inRow + (from[i] === null && to[j] === null ? 0 : area), 0),
    0,
  );
}

/** The changes between classes, including those from and to no class, the largest first. */
export function changeRows(comparison: Matrix): readonly ChangeRow[] {
  const { from, to, ha } = comparison.matrix;
  const land = zonedLand(comparison);
  const rows = from.flatMap((one, i) =>
    to.flatMap((other, j) => {
      const hectares = ha[i]?.[j] ?? 0;
      if (one === other || hectares === 0) return [];
      return [{ from: one, to: other, hectares, share: land === 0 ? 0 : hectares / land }];
    }),
  );
  return rows.toSorted((one, other) => other.hectares - one.hectares);
}

export const isSameChange = (one: Change | undefined, other: Change): boolean =>
  one !== undefined && one.from === other.from && one.to === other.to;
