import { type AreaFigures, areasOf } from '../../areas/area-counts.ts';
import type { TupleArea } from '../../geo/engine.ts';
import { zoningWords } from '../../messages/landscape/zoning.ts';
import { type Cell, cells, lastCell, notAllocableCell } from '../../../common/landscape/cells.ts';
import type { MadeLayer } from '../layers/layers.ts';
import type { AreaLevels, Unit } from '../../areas/areas-schema.ts';
import { isOfUnit, unitOf, wholeLevel } from '../../areas/by-unit.ts';
import { toHectares } from '../../lib/units.ts';

/** Mapped areas, hectares. */
export interface Land {
  readonly areaHa: number;
  readonly notAllocableHa: number;
  readonly noDataHa: number;
  /** By the cells of the table. */
  readonly ha: readonly number[];
}

export interface UnitLand extends Land {
  readonly unit: Unit;
  readonly outsideHa: number;
}

/** The land of a run by cell and unit: all thresholds and orders follow from it. */
export interface CellTable {
  readonly by: AreaLevels;
  readonly districtsVersion: number;
  /** Those that occur, ascending. */
  readonly cells: readonly Cell[];
  readonly raster: Land;
  readonly outsideUnits: Land;
  /** Ordered by code. */
  readonly units: readonly UnitLand[];
}

/** All cells, land not allocable, and some to spare. */
const maxClasses = 1024;

/** Counts the land of a run by cell, by a job. @returns as `areasOf` does */
export async function countLand(
  dependencies: Parameters<typeof areasOf>[0],
  { cogKey }: Pick<MadeLayer, 'cogKey'>,
  by: AreaLevels,
) {
  return await areasOf(dependencies, { cogs: [cogKey], by, maxClasses });
}

/** Makes the table of a run from what was counted of its cells. */
export function cellTableOf(
  figures: AreaFigures,
  names: ReadonlyMap<string, Unit>,
  { by, districtsVersion }: Pick<CellTable, 'by' | 'districtsVersion'>,
): CellTable {
  const values = figures.tuples.map(([value]) => value ?? null);
  const occurring = values.filter((value) => value !== null && value >= 1 && value <= lastCell);
  const numbers = occurring.toSorted((one, other) => Number(one) - Number(other));
  const places = new Map(numbers.map((value, place) => [value, place]));
  const landOf = (areas: readonly TupleArea[]): Omit<Land, 'areaHa'> => {
    const ha = numbers.map(() => 0);
    let [notAllocableHa, noDataHa] = [0, 0];
    for (const [tuple, squareMetres] of areas) {
      const value = values[tuple] ?? null;
      const hectares = toHectares(squareMetres);
      const place = places.get(value);
      if (value === null) noDataHa += hectares;
      else if (value === notAllocableCell) notAllocableHa += hectares;
      else if (place !== undefined) ha[place] = hectares;
      else throw new Error(`${value} is the number of no cell`);
    }
    return { notAllocableHa, noDataHa, ha };
  };
  const whole = (areas: readonly TupleArea[]): Land => ({
    ...landOf(areas),
    areaHa: toHectares(areas.reduce((sum, [, squareMetres]) => sum + squareMetres, 0)),
  });
  const level = wholeLevel(figures.units, by);
  const raster = whole(figures.raster);
  const outside = figures.sets.find(({ set }) => set === level)?.outside;
  return {
    by,
    districtsVersion,
    cells: numbers.flatMap((number) => cells[Number(number) - 1] ?? []),
    raster,
    outsideUnits: outside === undefined ? raster : whole(outside),
    units: figures.units
      .map(({ id, set, area_m2: area, areas, outside_m2: beyond }) => ({
        ...landOf(areas),
        unit: unitOf(names, id, set),
        areaHa: toHectares(area),
        outsideHa: toHectares(beyond),
      }))
      .toSorted((one, other) => (one.unit.kato < other.unit.kato ? -1 : 1)),
  };
}

/** Leaves the unit with a code, and with the code of a region what lies in it. @throws {Problem} `not_found` when nothing is left. */
export function onlyUnits(table: CellTable, kato: string | undefined): CellTable {
  if (kato === undefined) return table;
  const units = table.units.filter(({ unit }) => isOfUnit(unit.kato, kato));
  if (units.length === 0) throw zoningWords.noSuchUnit(kato);
  return { ...table, units };
}

/** Sums the hectares of the cells that are wanted. */
export function sumOf({ ha }: Pick<Land, 'ha'>, isWanted: (place: number) => boolean): number {
  return ha.reduce((sum, hectares, place) => (isWanted(place) ? sum + hectares : sum), 0);
}

/** Returns a part of a whole; null where there is no whole. */
export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.min(1, part / whole) : null;
}
