import type { Client, Pool } from 'pg';

/** Rows of rasters that wait for a worker, and no job that would have one come; their ids. */
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
