import type { Database } from '../database/tables/tables.ts';
import type { AreaCounts, TupleArea } from '../geo/engine.ts';
import { toHectares } from '../../common/formats/hectares.ts';
import { classifier } from '../units/classifier/classifier.ts';
import { republicCode, type UnitLevel, unitLevels } from '../../common/maps/units/levels.ts';
import { listUnits } from '../units/names/current-units.ts';
import { zoningWords } from '../messages/zoning/english.ts';
import type { AreaLevels, Unit } from './areas-schema.ts';

/** The counting method of all hectares by unit, in answers. */
export const method = { area: 'geodesic, WGS 84', border: 'coverage fraction', overviews: false } as const;

/** Square metres by the places of tuples of values. */
export type Areas = readonly TupleArea[];
type CountedUnit = AreaCounts['units'][number];

/** Land, in the members that a kind of answer has for it. */
export type WholeLand<Land> = Land & { readonly area_ha: number };
export type UnitLand<Land> = WholeLand<Land> & { readonly outside_raster_ha: number };

export interface LandByUnit<Land> {
  /** By code. */
  readonly units: readonly (UnitLand<Land> & { readonly unit: Unit })[];
  /** The level whose units and `outside`, less `overlap`, are the raster. */
  readonly level: Unit['level'];
  readonly raster: WholeLand<Land>;
  /** In no unit of the level. */
  readonly outside: WholeLand<Land>;
  /** In several units of the level, once for each unit too many. */
  readonly overlap: WholeLand<Land>;
}

interface UnitsWanted {
  readonly by: AreaLevels;
  /** Names of all units, by code. */
  readonly names: ReadonlyMap<string, Unit>;
}

/**
 * Puts land into the units of a level, or of all that have borders. Levels cover the same land: of all, the upper one that there is
 * stands for all units; of regions and districts alone, the districts where there are no regions.
 * @param landOf makes members of an answer of areas
 */
export function landByUnit<Land extends object>(
  { units, raster, sets }: AreaCounts,
  { by, names }: UnitsWanted,
  landOf: (areas: Areas) => Land,
): LandByUnit<Land> {
  const wanted = unitsOf(units, by);
  const present = new Set(wanted.map(({ set }) => set));
  const level = by === 'all' ? (unitLevels.find((each) => present.has(each)) ?? 'district') : by;
  const found = sets.find(({ set }) => set === level);
  return {
    units: wanted.map((each) => ({ ...unitLand(each, landOf), unit: unitOf(names, each.id, each.set) })),
    level,
    raster: wholeLand(raster, landOf),
    outside: wholeLand(found?.outside ?? raster, landOf),
    overlap: wholeLand(found?.overlap ?? [], landOf),
  };
}

export function wholeLand<Land extends object>(
  areas: Areas,
  landOf: (areas: Areas) => Land,
): WholeLand<Land> {
  return { area_ha: toHectares(areas.reduce((sum, [, area]) => sum + area, 0)), ...landOf(areas) };
}

export function unitLand<Land extends object>(
  { areas, area_m2: area, outside_m2: outside }: Pick<CountedUnit, 'areas' | 'area_m2' | 'outside_m2'>,
  landOf: (areas: Areas) => Land,
): UnitLand<Land> {
  return { area_ha: toHectares(area), outside_raster_ha: toHectares(outside), ...landOf(areas) };
}

/** Land of a raster of classes. */
export interface ClassLand {
  /** Hectares by value; a class that does not occur is left out. */
  readonly classes: Record<string, number>;
  readonly no_data_ha: number;
}

/** Returns a function that converts areas to hectares by class. @param only the requested class values; undefined for all */
export function classLandOf({ tuples }: Pick<AreaCounts, 'tuples'>, only?: ReadonlySet<number>) {
  return (areas: Areas): ClassLand => {
    let noData = 0;
    const classes: Record<string, number> = {};
    for (const [tuple, area] of areas) {
      const value = tuples[tuple]?.[0] ?? null;
      if (value === null) noData += area;
      else if (only?.has(value) ?? true) classes[value] = toHectares(area);
    }
    return { classes, no_data_ha: toHectares(noData) };
  };
}

/** Returns the units of a level, or of all, by code. */
export function unitsOf<Counted extends Pick<CountedUnit, 'id' | 'set'>>(
  units: readonly Counted[],
  by: AreaLevels,
): readonly Counted[] {
  return units
    .filter(({ set }) => by === 'all' || set === by)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Reads the names of all units, by code. */
export async function readUnits(db: Database): Promise<ReadonlyMap<string, Unit>> {
  return new Map((await listUnits(db)).map((unit) => [unit.kato, unit]));
}

/** Returns the unit with a code; one that was deleted since it was counted is named by its code. @param set its level */
export function unitOf(names: ReadonlyMap<string, Unit>, kato: string, set: string): Unit {
  return names.get(kato) ?? { kato, name: kato, name_kk: null, name_en: null, level: levelOf(set) };
}

/** Returns the level that a set of counted units stands for. */
export function levelOf(set: string): UnitLevel {
  return unitLevels.find((level) => level === set) ?? 'district';
}

const regionCode = /^\d{2}0{7}$/;

/** Returns whether a unit is the given unit or lies in it, in a region by its digits and elsewhere by the classifier. */
export function isOfUnit(own: Pick<Unit, 'kato' | 'level'>, kato: string): boolean {
  if (own.kato === kato || kato === republicCode) return true;
  if (regionCode.test(kato)) return own.kato.startsWith(kato.slice(0, 2));
  return (own.level === 'okrug' || own.level === 'settlement') && classifier().isWithin(own.kato, kato);
}

/** Leaves the unit with a code, and what lies in it. @throws {Problem} `not_found` when nothing is left. */
export function onlyUnits<Row extends { readonly unit: Unit }>(
  rows: readonly Row[],
  kato: string | undefined,
): readonly Row[] {
  if (kato === undefined) return rows;
  const left = rows.filter(({ unit }) => isOfUnit(unit, kato));
  if (left.length === 0) throw zoningWords.noSuchUnit(kato);
  return left;
}
