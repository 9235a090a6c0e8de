import { randomUUID } from 'node:crypto';
import { sql, type Insertable } from 'kysely';
import type { Database, Tables } from '../../src/database/tables.ts';
import { insertCategory } from './datasets.ts';

/** The rows of a dataset, by default a ready raster, which is its own COG; the store has nothing of it. Another type or status has none. */
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

/** Carries out what a run has planned, as far as its rows go: every output that it makes is there, and the run is over. */
export async function pretendToCompute(db: Database, runId: string): Promise<void> {
  const pending = await db
    .selectFrom('landscape_run_nodes')
    .selectAll()
    .where('run_id', '=', runId)
    .where('status', '=', 'pending')
    .execute();
  for (const { output_id, start_date, end_date } of pending) {
    if (output_id !== null) await insertRaster(db, { id: output_id, start_date, end_date });
  }
  await db
    .updateTable('landscape_run_nodes')
    .set({ status: 'succeeded', started_at: sql`now()`, finished_at: sql`now()` })
    .where('run_id', '=', runId)
    .where('status', '=', 'pending')
    .execute();
  await db
    .updateTable('landscape_runs')
    .set({ status: 'succeeded', finished_at: sql`now()` })
    .where('id', '=', runId)
    .execute();
}
