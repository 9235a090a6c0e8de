import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { type Extent, measured } from './geojson-extent.ts';

/** Returns the columns that store the extent of a dataset. */
export function extentColumns(extent: Extent | undefined) {
  return { extent: extent === undefined ? null : [...extent], extent_known: true };
}

const mostRasters = 5000;

interface Dependencies {
  readonly objectStore: Pick<ObjectStore, 'read'>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Measures the extents of ready datasets that lack one: older datasets, those from a process of the previous release,
 * or from a backup. Rasters have their bounding box in their rows; for other datasets, the GeoJSON of one is read at a
 * time. Any number of processes may do this at once, and each may die.
 * @returns the number of measured datasets, and true if there are more
 */
export async function measureMissing(db: Database, dependencies: Dependencies) {
  const rasters = await measureRasters(db);
  const vectors = await measureOne(db, dependencies);
  return { enqueued: rasters + vectors, areLeft: rasters + vectors > 0 };
}

async function measureRasters(db: Database): Promise<number> {
  const { rows } = await sql`
    update datasets d set extent_known = true,
      extent = case when coalesce((select r.raster ->> 'crs' from import_reports r where r.dataset_id = d.id),
        case when d.view_state = 'made' then 'known' end) is not null then bbox end
    where id in (select id from datasets where status = 'ready' and not extent_known and file_type = 'raster'
      order by created_at desc, id limit ${mostRasters} for update skip locked)
    returning 1`.execute(db);
  return rows.length;
}

/** An unreadable dataset gets no extent, so that it is not retried forever. */
async function measureOne(db: Database, { objectStore, log }: Dependencies): Promise<number> {
  const { rows } = await sql<{ readonly id: string; readonly key: string | null }>`
    select id, (select object_key from dataset_files where dataset_id = id and kind = 'geojson' and encoding = 'identity') as key
    from datasets where status = 'ready' and not extent_known and file_type <> 'raster'
    order by created_at desc, id limit 1`.execute(db);
  const [dataset] = rows;
  if (dataset === undefined) return 0;
  const extent = await extentOf(objectStore, dataset.key).catch((err: unknown) => {
    log.warn({ err, datasetId: dataset.id }, 'the extent of a dataset could not be measured');
    return undefined;
  });
  await db
    .updateTable('datasets')
    .set(extentColumns(extent))
    .where('id', '=', dataset.id)
    .where('extent_known', '=', false)
    .execute();
  return 1;
}

async function extentOf(
  objectStore: Dependencies['objectStore'],
  key: string | null,
): Promise<Extent | undefined> {
  if (key === null) return undefined;
  const { pieces, extent } = measured(await objectStore.read(key));
  for await (const _piece of pieces);
  return extent();
}
