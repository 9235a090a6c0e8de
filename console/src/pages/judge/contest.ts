import type { Conflicts } from '../../service/types.ts';
import { keyOfSet } from './model.ts';

/** Sectors that compete for land; null for all sets that are not among the largest. */
export interface Contest {
  readonly key: string;
  readonly sectors: readonly number[] | null;
  readonly color: string;
  readonly hectares: number;
}

interface Contested {
  readonly hectares: number;
  /** Of the land that can be allotted; null where there is none. */
  readonly share: number | null;
  /** Those that occur, in the order of the legend. */
  readonly contests: readonly Contest[];
  /** By suitability, largest area first. */
  readonly rows: readonly (Conflicts['rows'][number] & { readonly ha: number })[];
}

/** The contested land of a unit, or of the whole grid without one. @param unit KATO code */
export function contestedIn(conflicts: Conflicts, unit: string | undefined): Contested {
  const own = unit === undefined ? undefined : conflicts.units.find(({ kato }) => kato === unit);
  const rows = conflicts.rows
    .map((row, index) => ({ ...row, ha: own === undefined ? row.ha : (own.ha[index] ?? 0) }))
    .filter(({ ha }) => ha > 0)
    .toSorted((one, other) => other.ha - one.ha);
  const named = new Set(conflicts.sets.map(({ sectors }) => keyOfSet(sectors)));
  const sums = new Map<string, number>();
  for (const { sectors, ha } of rows) {
    const key = keyOfSet(sectors);
    const shown = named.has(key) ? key : keyOfSet(null);
    sums.set(shown, (sums.get(shown) ?? 0) + ha);
  }
  const { contested_ha: hectares, contested_share: share } = own ?? conflicts;
  const contests = conflicts.sets.flatMap(({ sectors, color }): Contest[] => {
    const key = keyOfSet(sectors);
    const sum = sums.get(key) ?? 0;
    return sum > 0 ? [{ key, sectors, color, hectares: sum }] : [];
  });
  return { hectares, share, contests, rows };
}
