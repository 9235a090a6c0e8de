import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import type { Database } from '../../database/tables/tables.ts';

/** In the order of the members of answers. */
const names = ['kato_code as kato', 'name', 'name_kk', 'name_en', 'level'] as const;

/** Reads codes, names and levels of the current units, in the order of their codes. */
export async function listUnits(db: Database) {
  return await db.selectFrom('districts').select(names).orderBy('kato_code').execute();
}

/** Reads the current units of a level, or of all, with their stored borders, in the order of their codes. */
export async function listBorderedUnits(db: Database, level?: UnitLevel) {
  const all = db.selectFrom('districts').select([...names, 'geometry']);
  const wanted = level === undefined ? all : all.where('level', '=', level);
  return await wanted.orderBy('kato_code').execute();
}
