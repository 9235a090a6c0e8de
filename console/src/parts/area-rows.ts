import type { BandStatistics, LegendLabel } from '../service/statistics.ts';

interface AreaRow {
  readonly value: number;
  readonly label: string | undefined;
  readonly color: string | undefined;
  /** Hectares, or pixels where there are none. */
  readonly area: number;
}

/** The classes of the legend, also those that no pixel has, then all others that pixels have. */
export function rowsOf(
  { classes }: Pick<BandStatistics, 'classes'>,
  labels: readonly LegendLabel[],
): readonly AreaRow[] {
  const areas = new Map((classes ?? []).map(({ value, hectares, pixels }) => [value, hectares ?? pixels]));
  const known = new Set(labels.map(({ value }) => value));
  return [
    ...labels.map(({ value, label, color }) => ({ value, label, color, area: areas.get(value) ?? 0 })),
    ...[...areas]
      .filter(([value]) => !known.has(value))
      .map(([value, area]) => ({ value, label: undefined, color: undefined, area })),
  ];
}
