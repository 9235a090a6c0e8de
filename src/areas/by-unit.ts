import type { Database } from '../database/tables/tables.ts';
import type { AreaLevels, Unit } from './areas-schema.ts';

/** Reads the names of all units, by code. */
export async function readUnits(db: Database): Promise<ReadonlyMap<string, Unit>> {
  const rows = await db
    .selectFrom('districts')
    .select(['kato_code as kato', 'name', 'name_kk', 'name_en', 'level'])
    .execute();
  return new Map(rows.map((row) => [row.kato, row]));
}

/** Returns the unit with a code; one that was deleted since it was counted is named by its code. @param set its level */
export function unitOf(names: ReadonlyMap<string, Unit>, kato: string, set: string): Unit {
  const level = set === 'region' ? 'region' : 'district';
  return names.get(kato) ?? { kato, name: kato, name_kk: null, name_en: null, level };
}

const regionCode = /^\d{2}0{7}$/;

/** True for a unit itself, and for what lies in a region. @param own the code that is looked at */
export function isOfUnit(own: string, kato: string): boolean {
  return own === kato || (regionCode.test(kato) && own.startsWith(kato.slice(0, 2)));
}

/**
 * Returns the level that stands for all units where sums, land outside of units or land in several are meant: levels cover the same land, so that of
 * both it is the upper one that there is.
 */
export function wholeLevel(
  units: readonly { readonly set: string }[],
  by: AreaLevels,
): 'region' | 'district' {
  if (by !== 'all') return by;
  return units.some(({ set }) => set === 'region') ? 'region' : 'district';
}
