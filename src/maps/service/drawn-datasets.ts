import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Listener } from '../../database/listener.ts';
import { createRecentRows } from '../../database/recent-rows.ts';
import { createRowLoader } from '../../database/row-loader.ts';
import { subscribeToStatusNews } from '../../database/status-news.ts';
import { subscribeToStyleNews } from '../../database/style-news.ts';
import type { Database } from '../../database/tables.ts';
import { drawingProblems } from '../../messages/drawing.ts';
import { found } from '../../datasets/queries.ts';
import type { DatasetRow } from '../../datasets/schema.ts';

const drawnColumns = [
  'id',
  'name',
  'unit',
  'file_type',
  'status',
  'kato_column',
  'year_columns',
  'cog_storage_key',
  'geojson_storage_key',
  'view_mesh_storage_key',
  'view_cog_storage_key',
  'view_state',
  'bbox',
] as const;

/** What a map of a dataset needs to know of it. */
export interface DrawnDataset extends Pick<DatasetRow, (typeof drawnColumns)[number]> {
  /** The key of its own style, else of its group's. */
  readonly sld_key: string | null;
  readonly dg_id: string | null;
}

/** The objects that a raster is drawn from. */
export interface RasterView {
  /** The COG itself, or a copy that can be drawn from. */
  readonly cogKey: string;
  readonly meshKey: string;
}

/** What a request does while it waits for a view that is being made. */
export interface ViewWait {
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Is called when the wait begins. @throws when it must not. */
  begin?(): void;
}

/** The longest time that a tile waits for a view that is being made. */
const viewWaitMs = 5000;
const viewPollMs = 500;

/**
 * Creates a reader of what maps are drawn from, for one process. A ready dataset is kept for up to a second, because a map asks for
 * dozens of tiles at once; a deletion or another style ends that at once, in whatever process it happens.
 */
export function createDrawnDatasets({
  db,
  listener,
}: {
  readonly db: Database;
  readonly listener: Listener;
}) {
  const rows = createRecentRows<DrawnDataset>({
    load: createRowLoader(async (ids) => await readDrawn(db, ids)),
    isLasting: ({ status, view_state: state }) => status === 'ready' && state !== 'pending',
  });
  const subscriptions = [
    subscribeToStatusNews(listener, rows.forget, rows.forgetAll),
    subscribeToStyleNews(listener, rows.forgetAll, rows.forgetAll),
  ];
  const read = async (id: string): Promise<DrawnDataset> => found(await rows.get(id));

  return {
    /** Returns what a map of a dataset needs. @throws {Problem} `not_found` */
    read,
    /** The same of a raster that can be drawn, for which it may wait while that is being prepared. @throws {Problem} */
    async readRaster(id: string, { signal, begin }: ViewWait): Promise<DrawnDataset & RasterView> {
      for (let end: number | undefined; ;) {
        const dataset = await read(id);
        const isLate = end !== undefined && performance.now() >= end;
        if (!isUnderWay(dataset) || isLate) return { ...dataset, ...viewOf(dataset) };
        if (end === undefined) begin?.();
        end ??= performance.now() + viewWaitMs;
        await sleep(viewPollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    },
    /** Has the next request ask the database; needed before a change by this process is answered. */
    forget: rows.forget,
    forgetAll: rows.forgetAll,
    async close(): Promise<void> {
      await Promise.all(subscriptions.map(async (each) => await each.close()));
    },
  };
}

async function readDrawn(db: Database, ids: readonly string[]): Promise<DrawnDataset[]> {
  return await db
    .selectFrom('datasets')
    .leftJoin('dataset_groups', 'dataset_groups.id', 'datasets.dg_id')
    .select(drawnColumns.map((column) => `datasets.${column}` as const))
    .select('datasets.dg_id')
    .select(
      sql<string | null>`coalesce(datasets.sld_storage_key, dataset_groups.sld_storage_key)`.as('sld_key'),
    )
    .where('datasets.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/**
 * Returns what a raster is drawn from. @param options.mayLieNowhere whether a raster without a place is drawn as well, as it is.
 * @throws {Problem} when it cannot be drawn, or not yet.
 */
export function viewOf(
  dataset: DrawnDataset,
  { mayLieNowhere }: { readonly mayLieNowhere: true },
): { readonly cogKey: string; readonly meshKey: string | null };
export function viewOf(dataset: DrawnDataset): RasterView;
export function viewOf(dataset: DrawnDataset, { mayLieNowhere = false } = {}) {
  const { file_type: type, status, cog_storage_key: cog, view_state: state } = dataset;
  if (type !== 'raster') throw drawingProblems.notARaster();
  if (status !== 'ready' || cog === null) throw drawingProblems.notReady(status);
  if (isUnderWay(dataset)) throw drawingProblems.viewUnderWay();
  if (state === 'failed') throw drawingProblems.notDrawable();
  const { view_mesh_storage_key: meshKey, view_cog_storage_key: viewKey } = dataset;
  if (meshKey === null && !mayLieNowhere) throw drawingProblems.noPlace();
  return { cogKey: viewKey ?? cog, meshKey };
}

function isUnderWay({ status, view_state: state }: DrawnDataset): boolean {
  return status === 'ready' && (state === 'pending' || state === null);
}
