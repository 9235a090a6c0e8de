import type { Transaction } from '../../database/tables/tables.ts';
import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import { readSuccession } from './store.ts';
import type { FormerUnit } from './succession.ts';

/** A unit on a day, with a reference to its borders. */
export interface DatedUnit extends Omit<FormerUnit, 'valid_to'> {
  readonly valid_to: string | null;
  /** Code of the current unit with the same land, or the day on which a former unit with borders ended. */
  readonly borders: { readonly ofToday: string } | { readonly until: string } | undefined;
}

/** Reads the units of a day, or the current ones by default, optionally of one level, by code and without borders. */
export async function readUnitsAt(
  trx: Transaction,
  { at, level }: { readonly at: string | undefined; readonly level: UnitLevel | undefined },
): Promise<readonly DatedUnit[]> {
  const columns = ['kato_code', 'level', 'name', 'name_kk', 'name_en', 'valid_from', 'valid_to'] as const;
  const ofLevel = (unit: { readonly level: UnitLevel }) => level === undefined || unit.level === level;
  const all = await trx.selectFrom('districts').select(columns).orderBy('kato_code').execute();
  const today = all.map(({ kato_code: kato, ...unit }) => ({ kato, ...unit, borders: { ofToday: kato } }));
  if (at === undefined) return today.filter(ofLevel);
  const isValid = (unit: { readonly valid_from: string | null; readonly valid_to: string | null }) =>
    (unit.valid_from ?? '') <= at && (unit.valid_to === null || at < unit.valid_to);
  const units = new Map<string, DatedUnit>(today.filter(isValid).map((unit) => [unit.kato, unit]));
  const codes = new Set(today.map(({ kato }) => kato));
  const succession = await readSuccession(trx);
  const former = await trx
    .selectFrom('former_districts')
    .select([...columns, (eb) => eb('geometry', 'is not', null).as('has_borders')])
    .where('valid_to', '>', at)
    .orderBy('valid_to')
    .execute();
  for (const { kato_code: kato, has_borders: hasBorders, ...unit } of former) {
    if (!isValid(unit) || units.has(kato)) continue;
    const [successor, ...others] = succession.successorsOf(kato, at);
    const isSame = others.length === 0 && successor?.isSame === true && successor.kato !== null;
    const code = isSame && codes.has(successor.kato) ? successor.kato : undefined;
    const ofToday = code === undefined ? undefined : { ofToday: code };
    units.set(kato, { kato, ...unit, borders: hasBorders ? { until: unit.valid_to } : ofToday });
  }
  return [...units.values()].filter(ofLevel).toSorted((one, other) => (one.kato < other.kato ? -1 : 1));
}

/** Reads the borders of a few units, each a GeoJSON geometry as text; null without borders. */
export async function readBorders(
  trx: Transaction,
  units: readonly DatedUnit[],
): Promise<readonly (string | null)[]> {
  return await Promise.all(
    units.map(async ({ kato, borders }) => {
      if (borders === undefined) return null;
      const query =
        'ofToday' in borders
          ? trx.selectFrom('districts').select('geometry').where('kato_code', '=', borders.ofToday)
          : trx
              .selectFrom('former_districts')
              .select('geometry')
              .where('kato_code', '=', kato)
              .where('valid_to', '=', borders.until);
      return (await query.executeTakeFirst())?.geometry ?? null;
    }),
  );
}
