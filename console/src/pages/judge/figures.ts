import type { Conflicts, Sensitivity } from '../../service/types.ts';
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
  /** Share of the land that can be allotted; null if there is none. */
  readonly share: number | null;
  /** The sets that occur, in the order of the legend. */
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

/** The effect of one change by one step on the land of a unit, or on all land. */
export interface Effect {
  readonly change:
    | { readonly kind: 'threshold'; readonly param: string; readonly from: number; readonly to: number }
    | {
        readonly kind: 'order';
        /** The preferred one first, before the change. */ readonly sectors: readonly number[];
      };
  /** Land whose zone or leading sector changes. */
  readonly hectares: number;
  /** Share of the land with a zone; null if there is none. */
  readonly share: number | null;
  /** Hectares that a zone gains minus those that it loses. */
  readonly zones: readonly { readonly zone: number; readonly difference: number }[];
  /** The parameters of the case. */
  readonly params: Readonly<Record<string, number | readonly number[]>>;
}

/** The changes that can be tried, the one with the largest effect first. @param unit KATO code; the whole grid without one. */
export function effectsOf(
  { cases, units, zoned_ha: zonedInAll }: Pick<Sensitivity, 'cases' | 'units' | 'zoned_ha'>,
  unit: string | undefined,
): readonly Effect[] {
  const row = unit === undefined ? undefined : units.find(({ kato }) => kato === unit);
  const zoned = row?.zoned_ha ?? zonedInAll;
  const effects = cases.flatMap((one, index): Effect[] => {
    const { kind, param, from, to, sectors, params, raster } = one;
    const moved = row === undefined ? raster : row.changes[index];
    if (params === null || moved === null || moved === undefined) return [];
    return [
      {
        change:
          kind === 'order' ? { kind, sectors: sectors ?? [] } : { kind, param, from: from ?? 0, to: to ?? 0 },
        hectares: moved.changed_ha,
        share: zoned === 0 ? null : moved.changed_ha / zoned,
        zones: moved.zones.map(({ zone, gained_ha: gained, lost_ha: lost }) => ({
          zone,
          difference: gained - lost,
        })),
        params,
      },
    ];
  });
  return effects.toSorted((one, other) => other.hectares - one.hectares);
}
