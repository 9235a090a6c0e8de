import type { AreaFigures } from '../../areas/area-counts.ts';
import type { AreaLevels, Unit } from '../../areas/areas-schema.ts';
import { type Areas, type LandByUnit, landByUnit, type WholeLand } from '../../areas/by-unit.ts';
import { toHectares } from '../../../common/formats/hectares.ts';
import { type Cell, cells, lastCell, notAllocableCell } from '../../../common/landscape/cells.ts';

/** Mapped areas, hectares. */
interface CellLand {
  readonly not_allocable_ha: number;
  readonly no_data_ha: number;
  /** Area of each cell, in the order of the cells of the table. */
  readonly ha: readonly number[];
}
export type Land = WholeLand<CellLand>;

/** The land of a run by cell and unit; all thresholds and orders can be evaluated from it. */
export interface CellTable extends LandByUnit<CellLand> {
  readonly by: AreaLevels;
  readonly districtsVersion: number;
  /** The cells that occur, ascending. */
  readonly cells: readonly Cell[];
}

/** Builds the table of a run from the counted areas of its cells. */
export function cellTableOf(
  figures: AreaFigures,
  names: ReadonlyMap<string, Unit>,
  { by, districtsVersion }: Pick<CellTable, 'by' | 'districtsVersion'>,
): CellTable {
  const values = figures.tuples.map(([value]) => value ?? null);
  const occurring = values.filter((value) => value !== null && value >= 1 && value <= lastCell);
  const numbers = occurring.toSorted((one, other) => Number(one) - Number(other));
  const places = new Map(numbers.map((value, place) => [value, place]));
  const landOf = (areas: Areas): CellLand => {
    const ha = numbers.map(() => 0);
    let [notAllocable, noData] = [0, 0];
    for (const [tuple, squareMetres] of areas) {
      const value = values[tuple] ?? null;
      const hectares = toHectares(squareMetres);
      const place = places.get(value);
      if (value === null) noData += hectares;
      else if (value === notAllocableCell) notAllocable += hectares;
      else if (place !== undefined) ha[place] = hectares;
      else throw new Error(`${value} is the number of no cell`);
    }
    return { not_allocable_ha: notAllocable, no_data_ha: noData, ha };
  };
  return {
    by,
    districtsVersion,
    cells: numbers.flatMap((number) => cells[Number(number) - 1] ?? []),
    ...landByUnit(figures, { by, names }, landOf),
  };
}

/** Sums the hectares of the cells that match. */
export function sumOf({ ha }: Pick<Land, 'ha'>, isWanted: (place: number) => boolean): number {
  return ha.reduce((sum, hectares, place) => (isWanted(place) ? sum + hectares : sum), 0);
}

/** Returns a part as a share of the whole; null if the whole is 0. */
export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.min(1, part / whole) : null;
}
