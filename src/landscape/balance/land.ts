import { type AreaFigures, areasOf } from '../../areas/area-counts.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { TupleArea } from '../../geo/engine.ts';
import { zoningWords } from '../../messages/landscape/zoning.ts';
import { type Cell, cells, lastCell, notAllocableCell } from '../../../common/landscape/cells.ts';
import type { MadeLayer } from '../layers/layers.ts';
import type { By } from './balance-schema.ts';
import { squareMetresPerHectare } from '../../../common/formats/hectares.ts';

/** Mapped areas, hectares. */
export interface Land {
  readonly areaHa: number;
  readonly notAllocableHa: number;
  readonly noDataHa: number;
  /** By the cells of the table. */
  readonly ha: readonly number[];
}

/** An administrative unit, as rows of answers name it. */
export interface Unit {
  readonly kato: string;
  readonly name: string;
  readonly name_kk: string | null;
  readonly name_en: string | null;
  readonly level: 'region' | 'district';
}

export interface UnitLand extends Land {
  readonly unit: Unit;
  readonly outsideHa: number;
}

/** The land of a run by cell and unit: all thresholds and orders follow from it. */
export interface CellTable {
  readonly by: By;
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
  by: By,
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
      const hectares = squareMetres / squareMetresPerHectare;
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
    areaHa: areas.reduce((sum, [, squareMetres]) => sum + squareMetres, 0) / squareMetresPerHectare,
  });
  const level = by === 'district' ? 'district' : 'region';
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
        unit: names.get(id) ?? unnamed(id, set),
        areaHa: area / squareMetresPerHectare,
        outsideHa: beyond / squareMetresPerHectare,
      }))
      .toSorted((one, other) => (one.unit.kato < other.unit.kato ? -1 : 1)),
  };
}

/** A unit that was deleted since it was counted. */
export function unnamed(kato: string, set: string): Unit {
  return {
    kato,
    name: kato,
    name_kk: null,
    name_en: null,
    level: set === 'region' ? 'region' : 'district',
  };
}

/** Reads the names of all units, by code. */
export async function readUnits(db: Database): Promise<ReadonlyMap<string, Unit>> {
  const rows = await db
    .selectFrom('districts')
    .select(['kato_code as kato', 'name', 'name_kk', 'name_en', 'level'])
    .execute();
  return new Map(rows.map((row) => [row.kato, row]));
}

const regionCode = /^\d{2}0{7}$/;

/** True for a unit itself, and for what lies in a region. @param own the code that is looked at */
export function isOfUnit(own: string, kato: string): boolean {
  return own === kato || (regionCode.test(kato) && own.startsWith(kato.slice(0, 2)));
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
