import { type LandByUnit, landByUnit } from '../../areas/by-unit.ts';
import type { AreaCounts } from '../../geo/engine.ts';
import { toHectares } from '../../../common/formats/hectares.ts';

/** A class of a run; null without a class. */
export type Side = number | null;

/** Land of one part of the raster by what both runs have there. */
export interface CountedPart {
  /** Hectares by the places of pairs. */
  readonly areas: readonly (readonly [pair: number, ha: number])[];
}

/** Land by pairs of classes. */
export interface CountedPairs extends Pick<LandByUnit<CountedPart>, 'units'> {
  readonly pairs: readonly { readonly a: Side; readonly b: Side }[];
  readonly raster: CountedPart;
  readonly outside: CountedPart;
}

/** Takes the land of units from counts of the pairs of classes of two rasters. */
export function pairsOf(counts: AreaCounts, wanted: Parameters<typeof landByUnit>[1]): CountedPairs {
  return {
    pairs: counts.tuples.map(([a = null, b = null]) => ({ a, b })),
    ...landByUnit(counts, wanted, (areas) => ({
      areas: areas.map(([pair, area]) => [pair, toHectares(area)] as const),
    })),
  };
}

/** Land by kind of change, hectares. */
export interface Change {
  readonly changed_ha: number;
  readonly unchanged_ha: number;
  readonly only_a_ha: number;
  readonly only_b_ha: number;
  readonly no_data_ha: number;
}

/** Sums the land of a part by kind of change. */
export function changeOf({ pairs }: Pick<CountedPairs, 'pairs'>, { areas }: CountedPart): Change {
  const sums = { changed_ha: 0, unchanged_ha: 0, only_a_ha: 0, only_b_ha: 0, no_data_ha: 0 };
  for (const [pair, ha] of areas) {
    const { a = null, b = null } = pairs[pair] ?? {};
    sums[kindOf(a, b)] += ha;
  }
  return sums;
}

function kindOf(a: Side, b: Side): keyof Change {
  if (a === null) return b === null ? 'no_data_ha' : 'only_b_ha';
  if (b === null) return 'only_a_ha';
  return a === b ? 'unchanged_ha' : 'changed_ha';
}

export interface Matrix {
  /** The classes of either run in the given order, then null. */
  readonly sides: readonly Side[];
  /** Hectares by the class of run a (rows) and of run b (columns). */
  readonly ha: readonly (readonly number[])[];
}

/**
 * Builds the matrix of changes over the union of the classes of both runs, so that a class that occurs in one run only also has a row and
 * a column.
 * @param order the order of classes; other classes follow by number.
 */
export function matrixOf({ pairs, raster }: CountedPairs, order: readonly number[]): Matrix {
  const found = new Set<Side>();
  for (const [pair, area] of raster.areas) {
    const { a = null, b = null } = pairs[pair] ?? {};
    if (area > 0) found.add(a).add(b);
  }
  const others = [...found]
    .filter((side) => side !== null && !order.includes(side))
    .toSorted((one, two) => Number(one) - Number(two));
  const sides: readonly Side[] = [...order.filter((value) => found.has(value)), ...others, null];
  const places = new Map(sides.map((side, place) => [side, place]));
  const ha = sides.map(() => sides.map(() => 0));
  for (const [pair, area] of raster.areas) {
    const { a = null, b = null } = pairs[pair] ?? {};
    const row = ha[places.get(a) ?? -1];
    const column = places.get(b) ?? -1;
    if (row?.[column] !== undefined) row[column] += area;
  }
  return { sides, ha };
}
