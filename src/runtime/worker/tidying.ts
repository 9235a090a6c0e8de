import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { classCounts, ownCounts, valueCounts } from '../../areas/area-counts.ts';
import { startLeading, takeLease } from '../../database/lease.ts';
import { forgetEvents, orderEvents } from '../../events/event-log.ts';
import { foldDatasetCounts, recountDatasets } from '../../datasets/list/counts.ts';
import { sweepUploads, type UploadLimits } from '../../datasets/resumable/uploads.ts';
import { forgetKeys } from '../../http/idempotency/keys.ts';
import type { ResultMaker } from '../../jobs/result-kinds.ts';
import { pruneResults } from '../../jobs/results.ts';
import { inputMoves } from '../../landscape/input-moves/input-moves.ts';
import { layers, whereLayers } from '../../landscape/layers/layers.ts';
import { polygons } from '../../landscape/polygons/polygons.ts';
import { sweepAll } from '../../object-store/sweeper.ts';
import { sweepSourceFiles } from '../../source-files/source-files.ts';
import type { Components } from '../components.ts';

const recountEveryMs = 24 * 60 * 60 * 1000;
const forgetKeysEveryMs = 60_000;
const pruneResultsEveryMs = 60 * 60 * 1000;
/** Kinds of results with a table of their own. */
export const kindsWithTables = [
  classCounts,
  valueCounts,
  ownCounts,
  inputMoves,
  layers,
  whereLayers,
  polygons,
] as const;

interface Dependencies extends Pick<Components, 'db' | 'objectStore'> {
  readonly uploadLimits: Pick<UploadLimits, 'expirySeconds'>;
  readonly resultMakers: readonly Pick<ResultMaker, 'kind'>[];
}

/**
 * Runs periodic clean-up until it is closed: ends expired uploads, sweeps the object store, folds counts of datasets, orders and deletes
 * events, deletes old keys of requests every minute, removes unused results every hour and verifies counts of datasets every day. One of
 * all workers does so at a time.
 */
export function startTidying(
  { db, objectStore, uploadLimits, resultMakers }: Dependencies,
  log: Pick<Logger, 'info' | 'warn'>,
  everyMs?: number,
) {
  /** Returns whether a task is due, and if so sets its next time, for all processes. */
  async function isDue(name: string, ms: number): Promise<boolean> {
    return (await takeLease(db, { name, holder: randomUUID(), ms })) === 0;
  }

  async function endUploads(): Promise<void> {
    const uploads = await sweepUploads(db, uploadLimits);
    if (uploads > 0) log.info({ uploads }, 'unfinished uploads have expired');
    const files = await sweepSourceFiles(db);
    if (files > 0) log.info({ files }, 'unused source files are deleted');
  }

  async function keepCounts(): Promise<void> {
    await foldDatasetCounts(db);
    if (!(await isDue('recount', recountEveryMs))) return;
    const mended = await recountDatasets(db);
    if (mended > 0) log.warn({ mended }, 'counts of datasets were wrong, and are mended');
  }

  async function keepEvents(): Promise<void> {
    await orderEvents(db);
    const events = await forgetEvents(db);
    if (events > 0) log.info({ events }, 'old events forgotten');
  }

  async function forgetAnswers(): Promise<void> {
    if (!(await isDue('forget-keys', forgetKeysEveryMs))) return;
    const keys = await forgetKeys(db);
    if (keys > 0) log.info({ keys }, 'old keys of requests forgotten');
  }

  async function pruneUnused(): Promise<void> {
    if (!(await isDue('prune-results', pruneResultsEveryMs))) return;
    for (const kind of [...kindsWithTables, ...resultMakers.map((maker) => maker.kind)])
      await pruneResults(db, kind);
  }

  return startLeading(db, log, {
    name: 'tidying',
    work: async () => {
      const failed = (message: string) => (err: unknown) => log.warn({ err }, message);
      await endUploads().catch(failed('expired uploads could not be ended, to be tried again'));
      await sweepAll({ db, objectStore }, log);
      await keepCounts().catch(failed('the counts of datasets could not be kept, to be tried again'));
      await keepEvents().catch(failed('events could not be kept, to be tried again'));
      await forgetAnswers().catch(failed('old keys of requests could not be forgotten, to be tried again'));
      await pruneUnused().catch(failed('unused results could not be removed, to be tried again'));
    },
    timing: everyMs === undefined ? {} : { everyMs },
  });
}
