import type { Sensitivity } from '../../service/types.ts';

/** What one change by one step does to the land of a unit, or to all of it. */
export interface Effect {
  readonly change:
    | { readonly kind: 'threshold'; readonly param: string; readonly from: number; readonly to: number }
    | {
        readonly kind: 'order';
        /** The preferred one first, before the change. */ readonly sectors: readonly number[];
      };
  /** Whose zone or leading sector is another one. */
  readonly hectares: number;
  /** Of the land with a zone; null where there is none. */
  readonly share: number | null;
  /** Hectares that a zone gains, less those that it loses. */
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
