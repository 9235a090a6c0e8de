import { setTimeout as sleep } from 'node:timers/promises';
import { findFile } from '../../datasets/files.ts';
import type { RecentDataset, RecentDatasets } from '../../datasets/recent-datasets.ts';
import { drawingProblems } from '../../messages/drawing.ts';

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

/** Reads a raster that can be drawn, for which it may wait while that is being prepared. @throws {Problem} */
export async function readRaster(
  datasets: Pick<RecentDatasets, 'read'>,
  id: string,
  { signal, begin }: ViewWait,
): Promise<RecentDataset & RasterView> {
  for (let end: number | undefined; ;) {
    const dataset = await datasets.read(id);
    const isLate = end !== undefined && performance.now() >= end;
    if (!isUnderWay(dataset) || isLate) return { ...dataset, ...viewOf(dataset) };
    if (end === undefined) begin?.();
    end ??= performance.now() + viewWaitMs;
    await sleep(viewPollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/**
 * Returns what a raster is drawn from. @param options.mayLieNowhere whether a raster without a place is drawn as well, as it is.
 * @throws {Problem} when it cannot be drawn, or not yet.
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
  if (state === 'failed') throw drawingProblems.notDrawable();
  const meshKey = findFile(files, 'view_mesh');
  if (meshKey === null && !mayLieNowhere) throw drawingProblems.noPlace();
  return { cogKey: findFile(files, 'view_cog') ?? cog, meshKey };
}

function isUnderWay({ status, view_state: state }: RecentDataset): boolean {
  return status === 'ready' && (state === 'pending' || state === null);
}
