import { squareMetresPerHectare } from '../../../common/formats/hectares.ts';
/** A class of a run; null where it has none. */
export type Side = number | null;

/** Land of one part of the raster by what both runs have there, square metres. */
export interface CountedPart {
  /** By the places of pairs. */
  readonly areas: readonly { readonly pair: number; readonly area: number }[];
}

/** Land by pairs of classes. */
export interface CountedPairs {
  readonly pairs: readonly { readonly a: Side; readonly b: Side }[];
  /** All of the raster. */
  readonly whole: CountedPart;
  readonly units: readonly CountedUnit[];
  /** Land of the raster that is in no unit. */
  readonly rest: CountedPart;
}

export interface CountedUnit extends CountedPart {
  /** KATO code. */
  readonly id: string;
  /** Square metres. */
  readonly area: number;
  readonly outside: number;
}

/** What has become of land, hectares. */
export interface Change {
  readonly changed_ha: number;
  readonly unchanged_ha: number;
  readonly only_a_ha: number;
  readonly only_b_ha: number;
  readonly no_data_ha: number;
}

/** Sums the land of a part by what has become of it. */
export function changeOf({ pairs }: Pick<CountedPairs, 'pairs'>, { areas }: CountedPart): Change {
  const sums = { changed_ha: 0, unchanged_ha: 0, only_a_ha: 0, only_b_ha: 0, no_data_ha: 0 };
  for (const { pair, area } of areas) {
    const { a = null, b = null } = pairs[pair] ?? {};
    sums[kindOf(a, b)] += hectares(area);
  }
  return sums;
}

function kindOf(a: Side, b: Side): keyof Change {
  if (a === null) return b === null ? 'no_data_ha' : 'only_b_ha';
  if (b === null) return 'only_a_ha';
  return a === b ? 'unchanged_ha' : 'changed_ha';
}

export interface Matrix {
  /** The classes that either run has, in the order given, then null. */
  readonly sides: readonly Side[];
  /** Hectares by the class of run a, then of run b. */
  readonly ha: readonly (readonly number[])[];
}

/**
 * Makes the matrix of changes over the union of the classes of both runs, so that a class that one run lacks has its row and its column.
 * @param order of classes; others follow by their numbers.
 */
export function matrixOf({ pairs, whole }: CountedPairs, order: readonly number[]): Matrix {
  const found = new Set<Side>();
  for (const { pair, area } of whole.areas) {
    const { a = null, b = null } = pairs[pair] ?? {};
    if (area > 0) found.add(a).add(b);
  }
  const others = [...found]
    .filter((side) => side !== null && !order.includes(side))
    .toSorted((one, two) => Number(one) - Number(two));
  const sides: readonly Side[] = [...order.filter((value) => found.has(value)), ...others, null];
  const places = new Map(sides.map((side, place) => [side, place]));
  const ha = sides.map(() => sides.map(() => 0));
  for (const { pair, area } of whole.areas) {
    const { a = null, b = null } = pairs[pair] ?? {};
    const row = ha[places.get(a) ?? -1];
    const column = places.get(b) ?? -1;
    if (row?.[column] !== undefined) row[column] += hectares(area);
  }
  return { sides, ha };
}

export const hectares = (squareMetres: number): number => squareMetres / squareMetresPerHectare;
