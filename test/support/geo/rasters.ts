import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database, Tables } from '../../../src/database/tables/tables.ts';
import { insertCategory } from '../datasets.ts';
import type { Client, Pool } from 'pg';

/**
 * Inserts the rows of a dataset: by default a ready raster that is its own COG, without bytes in the store.
 * Another type or status has no COG.
 */
export async function insertRaster(
  db: Database,
  columns: Partial<Insertable<Tables['datasets']>> = {},
  stored?: string,
): Promise<string> {
  const id = columns.id ?? randomUUID();
  const key = stored ?? `test/${id}`;
  if (stored === undefined)
    await db.insertInto('objects').values({ key, state: 'live', lease_until: null }).execute();
  await db
    .insertInto('datasets')
    .values({
      id,
      category_id: columns.category_id ?? (await insertCategory(db)),
      name: 'raster',
      filename: 'raster.tif',
      file_type: 'raster',
      size_bytes: 1,
      content_type: 'image/tiff',
      status: 'ready',
      ...columns,
    })
    .execute();
  const { file_type: type = 'raster', status = 'ready' } = columns;
  const kinds =
    type === 'raster' && status === 'ready' ? (['original', 'cog'] as const) : (['original'] as const);
  await db
    .insertInto('dataset_files')
    .values(kinds.map((kind) => ({ dataset_id: id, kind, encoding: 'identity', object_key: key })))
    .execute();
  return id;
}

/** Id of a dataset group by code. */
export async function groupId(db: Database, code: string): Promise<string> {
  const row = await db
    .selectFrom('dataset_groups')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Puts a ready raster into each of these groups; returns their ids by group code. */
export async function fillGroups(db: Database, codes: readonly string[]): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const code of codes) ids[code] = await insertRaster(db, { dg_id: await groupId(db, code) });
  return ids;
}

/** Inserts rasters that wait for a worker, without jobs; returns their ids. */
export async function insertPendingDatasets(database: Client | Pool, count: number): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `with category as (
       insert into categories (id, code, name, description)
       values (gen_random_uuid(), 'c-' || gen_random_uuid(), 'Pending', '') returning id
     ), fresh as materialized (
       select gen_random_uuid() as id from generate_series(1, $1)
     ), object as (
       insert into objects (key, state) select 'test/' || id, 'live' from fresh
     ), dataset as (
       insert into datasets (id, category_id, name, filename, file_type, size_bytes, content_type, status)
       select fresh.id, category.id, 'raster', 'raster.tif', 'raster', 1, 'image/tiff', 'pending' from fresh, category
     )
     insert into dataset_files (dataset_id, kind, object_key)
     select id, 'original', 'test/' || id from fresh returning dataset_id as id`,
    [count],
  );
  return rows.map(({ id }) => id);
}
