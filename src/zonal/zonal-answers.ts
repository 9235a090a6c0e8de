import { levelOf, method, unitOf, unitsOf } from '../areas/by-unit.ts';
import type { UnitLevel } from '../../common/maps/units/levels.ts';
import type { AreaLevels, Unit } from '../areas/areas-schema.ts';
import type { ValuesResult } from '../geo/protocol.ts';
import { zonalProblems } from '../messages/areas/english.ts';
import {
  type DatasetZonal,
  quantileIndex,
  type ValuesAre,
  type ZonalRow,
  type ZonalStat,
} from './zonal-schema.ts';
import { toHectares } from '../../common/formats/hectares.ts';

/** The requested statistics and their options. */
export interface ZonalAsked {
  readonly by: AreaLevels;
  /** Without duplicates. */
  readonly stats: readonly ZonalStat[];
  readonly minValidShare: number;
  readonly valuesAre: ValuesAre;
}

/** Refuses statistics that have no meaning for the kind of values. @throws {Problem} for a sum of values that are not counts. */
export function refuseSenseless({ stats, valuesAre }: Pick<ZonalAsked, 'stats' | 'valuesAre'>): void {
  if (valuesAre !== 'count' && stats.includes('sum')) throw zonalProblems.sumOfDensity();
}

/** The statistics of a unit: areas in square metres, and a value for each requested statistic. */
export interface UnitStats {
  readonly kato: string;
  readonly level: UnitLevel;
  readonly area: number;
  readonly validArea: number;
  readonly validShare: number;
  readonly values: ReadonlyMap<ZonalStat, number | null>;
  readonly reason: ZonalRow['reason'];
}

/** Returns the statistics of every unit of one level or of all, ordered by code. */
export function statsByUnit({ tuples, units }: ValuesResult, asked: ZonalAsked): readonly UnitStats[] {
  return unitsOf(units, asked.by).map(({ id, set, area_m2: area, areas, values }) => {
    const validArea = areas.reduce((sum, [tuple, part]) => sum + (tuples[tuple]?.[0] === null ? 0 : part), 0);
    const validShare = area > 0 ? Math.min(1, validArea / area) : 0;
    const isBelow = validShare < asked.minValidShare;
    const shown = isBelow ? null : values;
    return {
      kato: id,
      level: levelOf(set),
      area,
      validArea,
      validShare,
      values: new Map(
        asked.stats.map((stat) => [
          stat,
          stat === 'valid_share' ? validShare : shown && valueOf(shown, stat),
        ]),
      ),
      reason: isBelow ? 'below_min_valid_share' : values === null ? 'no_values' : null,
    };
  });
}

type UnitValues = NonNullable<ValuesResult['units'][number]['values']>;

function valueOf(values: UnitValues, stat: Exclude<ZonalStat, 'valid_share'>): number | null {
  switch (stat) {
    case 'min':
    case 'max':
    case 'mean':
    case 'sd':
    case 'sum':
      return values[stat];
    default:
      return values.quantiles[quantileIndex(stat)] ?? null;
  }
}

/** Returns the answer with the statistics. */
export function toDatasetZonal(
  figures: ValuesResult,
  {
    asked,
    names,
    datasetId,
    digest,
    unit,
    districtsVersion,
  }: {
    readonly asked: ZonalAsked;
    /** Names of all units, by code. */
    readonly names: ReadonlyMap<string, Unit>;
    readonly datasetId: string;
    readonly digest: string | null;
    readonly unit: string | null;
    readonly districtsVersion: number;
  },
): DatasetZonal {
  return {
    dataset_id: datasetId,
    by: asked.by,
    digest,
    method: {
      ...method,
      quantiles: 'weighted by area, as exactextract interpolates them',
    },
    values_are: asked.valuesAre,
    value_unit: unit,
    min_valid_share: asked.minValidShare,
    stats: [...asked.stats],
    districts_version: districtsVersion,
    rows: statsByUnit(figures, asked).map(({ kato, level, area, validArea, values, reason }) => ({
      ...unitOf(names, kato, level),
      area_ha: toHectares(area),
      valid_ha: toHectares(validArea),
      values: Object.fromEntries(values),
      reason,
    })),
  };
}
