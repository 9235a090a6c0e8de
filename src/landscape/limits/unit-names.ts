import type { Database, Tables } from '../../database/tables.ts';

/** An administrative unit as answers about hectares name it. */
export interface UnitName {
  readonly kato: string;
  readonly name: string;
  readonly name_kk: string | null;
  readonly name_en: string | null;
  readonly level: Tables['districts']['level'];
}

/** Reads the names of all administrative units, by KATO code. */
export async function unitNames(db: Database): Promise<ReadonlyMap<string, UnitName>> {
  const rows = await db
    .selectFrom('districts')
    .select(['kato_code', 'name', 'name_kk', 'name_en', 'level'])
    .execute();
  return new Map(rows.map(({ kato_code: kato, ...names }) => [kato, { kato, ...names }]));
}
