import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database, Tables } from '../../src/database/tables.ts';
import { insertCategory } from './datasets.ts';

/** The row of a dataset, by default a ready raster with a COG, of which the store has nothing. */
export async function insertRaster(
  db: Database,
  columns: Partial<Insertable<Tables['datasets']>> = {},
): Promise<string> {
  const id = columns.id ?? randomUUID();
  const key = `test/${id}`;
  await db.insertInto('objects').values({ key, state: 'live', lease_until: null }).execute();
  await db
    .insertInto('datasets')
    .values({
      id,
      category_id: columns.category_id ?? (await insertCategory(db)),
      name: 'raster',
      filename: 'raster.tif',
      storage_key: key,
      cog_storage_key: key,
      file_type: 'raster',
      size_bytes: 1,
      content_type: 'image/tiff',
      status: 'ready',
      ...columns,
    })
    .execute();
  return id;
}

/** The id of a dataset group by its code. */
export async function groupId(db: Database, code: string): Promise<string> {
  const row = await db
    .selectFrom('dataset_groups')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Puts a ready raster into each of these groups; their ids by group code. */
export async function fillGroups(db: Database, codes: readonly string[]): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const code of codes) ids[code] = await insertRaster(db, { dg_id: await groupId(db, code) });
  return ids;
}
