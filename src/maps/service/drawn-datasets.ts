import { findFile } from '../../datasets/files.ts';
import type { RecentDataset, RecentDatasets } from '../../datasets/recent-datasets.ts';
import { drawingProblems } from '../../messages/drawing/english.ts';
import { createCache } from '../../../common/cache.ts';
import { Problem } from '../../lib/errors.ts';
import type { Listener } from '../../database/listener.ts';
import { subscribeToStatusNews } from '../../database/news.ts';
import type { Database } from '../../database/tables/tables.ts';
import { freshestFirst } from '../../catalogue/freshness.ts';
import { datasetProblems } from '../../messages/datasets/english.ts';
import { sql } from 'kysely';

/** Objects from which a raster is drawn. */
export interface RasterView {
  /** The COG itself, or a copy suitable for drawing. */
  readonly cogKey: string;
  readonly meshKey: string;
}

/** Behaviour of a request while it waits for a view. */
export interface ViewWait {
  /** Aborts the wait. */
  readonly signal: AbortSignal;
  /** Called when the wait begins. @throws to refuse it. */
  begin?(): void;
}

/** Longest wait of a tile for a view. */
const viewWaitMs = 5000;

/** Reads a dataset, and waits for a job about it. */
export type WaitingDatasets = Pick<RecentDatasets, 'read' | 'waitForJob'>;

/** Reads a drawable raster, optionally waiting while its view is prepared. @throws {Problem} */
export async function readRaster(
  datasets: WaitingDatasets,
  id: string,
  { signal, begin }: ViewWait,
): Promise<RecentDataset & RasterView> {
  for (let end: number | undefined; ;) {
    const dataset = await datasets.read(id);
    const isLate = end !== undefined && performance.now() >= end;
    if (!isUnderWay(dataset) || isLate) return { ...dataset, ...viewOf(dataset) };
    if (end === undefined) begin?.();
    end ??= performance.now() + viewWaitMs;
    signal.throwIfAborted();
    const { news, end: leave } = datasets.waitForJob(dataset.id, end - performance.now());
    signal.addEventListener('abort', leave, { once: true });
    await news;
    signal.removeEventListener('abort', leave);
    signal.throwIfAborted();
  }
}

/**
 * Returns the objects from which a raster is drawn.
 * @param options.mayLieNowhere true to draw a raster without a georeference as it is.
 * @throws {Problem} if it cannot be drawn, or not yet.
 */
export function viewOf(
  dataset: RecentDataset,
  { mayLieNowhere }: { readonly mayLieNowhere: true },
): { readonly cogKey: string; readonly meshKey: string | null };
export function viewOf(dataset: RecentDataset): RasterView;
export function viewOf(dataset: RecentDataset, { mayLieNowhere = false } = {}) {
  const { file_type: type, status, files, view_state: state } = dataset;
  const cog = findFile(files, 'cog');
  if (type !== 'raster') throw drawingProblems.notARaster();
  if (status !== 'ready' || cog === null) throw drawingProblems.notReady(status);
  if (isUnderWay(dataset)) throw drawingProblems.viewUnderWay();
  if (state === 'failed') throw drawingProblems.notPrepared();
  const meshKey = findFile(files, 'view_mesh');
  if (meshKey === null && !mayLieNowhere) throw drawingProblems.noPlace();
  return { cogKey: findFile(files, 'view_cog') ?? cog, meshKey };
}

function isUnderWay({ file_type: type, status, view_state: state }: RecentDataset): boolean {
  return type === 'raster' && status === 'ready' && (state === 'pending' || state === null);
}

/**
 * Creates a cache of the raster that a map of a group shows, for one process: the freshest ready one, or the freshest
 * of a day. An entry lasts up to a second, and is dropped when a status changes in any process.
 */
export function createDrawnGroups({ db, listener }: { readonly db: Database; readonly listener: Listener }) {
  const members = createCache<string | undefined>({
    max: maxKept,
    ttlMs: keepMs,
    isLasting: (id) => id !== undefined,
  });
  const forgetAll = () => members.forgetAll();
  const subscription = subscribeToStatusNews(listener, forgetAll, forgetAll);
  async function memberOf(groupId: string, date: string | undefined): Promise<string> {
    const member = await members.get(
      `${groupId} ${date ?? ''}`,
      async () => await readMember(db, groupId, date),
    );
    if (member === undefined) throw datasetProblems.noneFreshest();
    return member;
  }
  return {
    /**
     * Reads the dataset that a map of a group shows. If it is deleted or replaced meanwhile, its successor is read.
     * @throws {Problem} `not_found`
     */
    async ofMember<T>(
      groupId: string,
      date: string | undefined,
      read: (id: string) => Promise<T>,
    ): Promise<T> {
      let id = await memberOf(groupId, date);
      for (let tries = 1; ; tries += 1) {
        try {
          return await read(id);
        } catch (error) {
          if (!hasGone(error) || tries === maxTries) throw error;
          forgetAll();
          const next = await memberOf(groupId, date);
          if (next === id) throw error;
          id = next;
        }
      }
    },
    /** Lists the newest days for which a group has a raster, at most `maxDates`, in ascending order. */
    datesOf: async (groupId: string) => await readDates(db, groupId),
    forgetAll,
    close: subscription.close,
  };
}

const dateOf = sql<string | null>`coalesce(end_date, start_date)`;
const maxDates = 1000;
const keepMs = 1000;
const maxKept = 1000;
/** Members of a group may be deleted one after the other during the look-up of its map. */
const maxTries = 4;

function hasGone(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'not_found' || error.code === 'conflict');
}

async function readMember(db: Database, groupId: string, date: string | undefined) {
  const ready = db
    .selectFrom('datasets')
    .select('id')
    .where('dg_id', '=', groupId)
    .where('file_type', '=', 'raster')
    .where('status', '=', 'ready');
  const matching = date === undefined ? ready : ready.where(dateOf, '=', date);
  return (await matching.orderBy(freshestFirst).limit(1).executeTakeFirst())?.id;
}

async function readDates(db: Database, groupId: string): Promise<readonly string[]> {
  const found = await db
    .selectFrom('datasets')
    .select(dateOf.as('date'))
    .distinct()
    .where('dg_id', '=', groupId)
    .where('file_type', '=', 'raster')
    .where('status', '=', 'ready')
    .where(dateOf, 'is not', null)
    .orderBy('date', 'desc')
    .limit(maxDates)
    .execute();
  return found.flatMap(({ date }) => date ?? []).toReversed();
}
