import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../../database/unavailable.ts';
import { type Attempt, LeaseLost } from '../../jobs/handler.ts';
import { ignore, pause } from '../../lib/concurrency/promises.ts';
import { endsWithin } from '../../lib/concurrency/with-timeout.ts';
import { currentTraceparent } from '../../tracing/tracing.ts';
import { sumGaps } from '../compute/count-gaps.ts';
import type { TileGaps } from '../compute/landscape-engine.ts';
import { seedOutputGroups } from '../groups/seed.ts';
import { tilesOf } from '../model/tiles.ts';
import type { BegunRun, ComputeCluster } from '../execution/compute-cluster.ts';
import { type RunDependencies, inspect } from '../execution/compute-pass.ts';
import { storeGaps } from '../gaps/gaps.ts';
import { RunFailed } from '../runs/run-failed.ts';
import { readRun, recordProgress } from '../runs/run-rows.ts';
import { endPass } from '../runs/spread-rows.ts';
import { PassGone, fromStepFailure } from './failures.ts';
import { waitOut } from './outages.ts';
import { countParts, readGaps } from './parts.ts';
import { insertPass, isGoingOn, readPass, recordEngine, recordQueue } from './passes.ts';
import {
  blocksOf,
  outputGroups,
  type PassSpec,
  squareBlocks,
  wideBlocks,
  windowsOfBlock,
  writtenSources,
} from './pass-spec.ts';
import { workflowId } from './stamp.ts';
import { EngineAway, type WorkflowEngine } from './workflow-engine.ts';
import { extraSources } from '../execution/compute-and-count.ts';
import { createPassSources } from './sources/pass-sources.ts';

export interface SpreadDependencies extends RunDependencies {
  readonly engine: WorkflowEngine;
  /** Executes passes that are too small to be distributed. */
  readonly local: ComputeCluster;
  readonly stamp: string;
  readonly queue: string;
  readonly installation: string;
  /** Grids with fewer pixels are computed on this machine. */
  readonly spreadPixels: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Side of square blocks, for tests. */
  readonly blockSide?: number;
  readonly pollEveryMs?: number;
}

const usualLookEveryMs = 1000;
/** Time for notifying the engine of a cancellation; without it, steps detect the cancellation themselves. */
const endWithinMs = 2500;

/** Creates the executor that distributes passes over large grids to all workers of the engine. */
export function createSpreadCluster(dependencies: SpreadDependencies): ComputeCluster {
  return {
    async execute(attempt, begun) {
      const spec = await joinOrBegin(dependencies, attempt, begun);
      if (spec === undefined) {
        await dependencies.local.execute(attempt, begun);
        return;
      }
      await seedOutputGroups(dependencies); // a run that was deleted meanwhile
      await follow(dependencies, attempt, spec).catch(async (error: unknown) => {
        await letGo(dependencies, attempt, error);
        throw error;
      });
      await keepGaps(dependencies, attempt, begun, spec);
    },
  };
}

/** Continues the pass of an earlier attempt, or begins one; undefined for a grid that is too small. */
async function joinOrBegin(
  dependencies: SpreadDependencies,
  attempt: Attempt,
  { run, pass, gaps }: BegunRun,
): Promise<PassSpec | undefined> {
  const { db, engine, stamp, queue, installation, log } = dependencies;
  const stored = await readPass(db, run.id);
  if (stored !== undefined && (stored.stamp !== stamp || stored.queue !== queue)) {
    log.info({ runId: run.id, from: stored.stamp, to: stamp }, 'a run goes on with workers of another kind');
    await attempt.fenced(async (trx) => {
      if (stored.stamp === stamp) await recordQueue(trx, run.id, queue);
      else await endPass(trx, run.id);
    });
    const old = workflowId(installation, run.id, stored.queue);
    await engine.end(old, 'terminate').catch(ignore); // otherwise the sweep of a worker ends it
  }
  if (stored?.stamp === stamp) return stored.readSpec().spec;
  const folder = join(attempt.scratch, 'headers');
  await mkdir(folder);
  const planned = await specOfPass(dependencies, { run, pass, gaps }, { folder, signal: attempt.signal });
  await rm(folder, { recursive: true });
  if (planned.grid.width * planned.grid.height < dependencies.spreadPixels) return undefined;
  const { blockSide } = dependencies;
  const blocks = blockSide === undefined ? wideBlocks(planned.grid) : squareBlocks(planned.grid, blockSide);
  const spec: PassSpec = { ...planned, blocks, trace: currentTraceparent() ?? null };
  await attempt.fenced(async (trx) => await insertPass(trx, run.id, { stamp, queue, spec }));
  return spec;
}

/** Keeps the workflow of a pass running until all outputs are published, and records progress. @throws {RunFailed} */
async function follow(
  { db, engine, stamp, queue, installation, pollEveryMs = usualLookEveryMs, log }: SpreadDependencies,
  attempt: Attempt,
  spec: PassSpec,
): Promise<void> {
  const { refId: runId, signal } = attempt;
  const id = workflowId(installation, runId, queue);
  const blocks = blocksOf(spec).length;
  const input = { runId, blocks, outputs: outputGroups(spec), next: 0 };
  const record = createRecorder(attempt, blocks);
  for (let isDone = false; !isDone;) {
    signal.throwIfAborted();
    let isAway = false;
    try {
      const found = await engine.stateOf(id);
      if (found.state === 'failed') {
        const error = fromStepFailure(found.failure);
        if (!(error instanceof PassGone)) throw error;
      }
      isDone = found.state === 'done' && (await isPublished(db, runId, spec));
      if (!isDone && found.state !== 'open' && (await isGoingOn(db, runId, stamp))) {
        if (found.state !== 'absent') log.info({ runId, ...found }, 'the workflow of a run is started again');
        await engine.start({ id, queue, input });
      }
    } catch (error) {
      if (!(error instanceof EngineAway)) throw error;
      isAway = true;
    }
    await record(async () => await countParts(db, runId), isAway);
    if (!isDone) await pause(pollEveryMs, signal);
  }
}

/** Returns whether all nodes are published. If not, a workflow that completed belongs to an earlier pass. */
async function isPublished(
  db: SpreadDependencies['db'],
  runId: string,
  { nodes }: PassSpec,
): Promise<boolean> {
  const run = await readRun(db, runId);
  return (
    run !== undefined && !run.nodes.some(({ code, status }) => nodes.includes(code) && status === 'running')
  );
}

/** Creates a recorder of changed progress. The pass continues while the database is unavailable. */
function createRecorder(attempt: Attempt, blocks: number) {
  let last: { readonly done: number; readonly isAway: boolean | undefined } = { done: 0, isAway: undefined };
  return async (count: () => Promise<number>, isAway: boolean): Promise<void> => {
    try {
      const done = await count();
      if (done === last.done && isAway === last.isAway) return;
      await attempt.fenced(
        async (trx) => {
          await recordProgress(trx, attempt.refId, done / blocks);
          await recordEngine(trx, attempt.refId, isAway);
        },
        { madeProgress: done > last.done },
      );
      last = { done, isAway };
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
  };
}

/**
 * Ends the workflow of a cancelled or failed run, if the engine answers. A workflow continues if the job was handed back, or if another
 * attempt holds it.
 */
async function letGo(
  { db, engine, queue, installation }: SpreadDependencies,
  { refId, signal }: Attempt,
  error: unknown,
): Promise<void> {
  const isOver = async (): Promise<boolean> => {
    if (!signal.aborted && !(error instanceof LeaseLost)) return error instanceof RunFailed;
    if (signal.aborted && !(signal.reason instanceof LeaseLost)) return false;
    const run = await readRun(db, refId);
    return run?.status !== 'running' && run?.status !== 'queued';
  };
  const ending = isOver().then(async (over) => {
    if (over) await engine.end(workflowId(installation, refId, queue), 'cancel');
  });
  await endsWithin(endWithinMs, ending.catch(ignore));
}

/** Stores the gaps that the blocks have counted. */
async function keepGaps(
  { db }: SpreadDependencies,
  attempt: Attempt,
  { gaps }: BegunRun,
  spec: PassSpec,
): Promise<void> {
  if (gaps === undefined || spec.gaps === null) return;
  const counted = await waitOut(attempt.signal, async () => await readGaps(db, attempt.refId));
  if (counted === undefined) return;
  const tiles = blocksOf(spec).flatMap((block, place) =>
    gapsOfBlock(windowsOfBlock(spec, block), counted[place] ?? []),
  );
  await attempt.fenced(async (trx) => await storeGaps(trx, gaps, sumGaps(tiles)));
}

function gapsOfBlock(windows: ReturnType<typeof windowsOfBlock>, gaps: readonly TileGaps[]) {
  const tiles = [...tilesOf(windows)];
  if (tiles.length !== gaps.length) throw new Error('a block has counted the gaps of other tiles');
  return tiles.flatMap((tile, index) => {
    const counted = gaps[index];
    return counted === undefined ? [] : [{ tile, gaps: counted }];
  });
}

/**
 * Checks the headers of all sources of a pass, and returns its spec. If a source that only the gaps need is unfit, gaps are not counted.
 * @throws {RunFailed}
 */
async function specOfPass(
  dependencies: RunDependencies,
  { run, pass, gaps }: BegunRun,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<Omit<PassSpec, 'blocks' | 'trace'>> {
  const { bringHeads } = createPassSources(dependencies);
  const files = await bringHeads(pass.sources, { folder: join(folder, 'sources'), signal });
  const wanted = gaps && extraSources(run, pass, gaps);
  const extra =
    wanted &&
    (await bringHeads(wanted, { folder: join(folder, 'extra'), signal }).catch((error: unknown) => {
      if (error instanceof RunFailed) return undefined; // a source was deleted
      throw error;
    }));
  const all = [...files, ...(extra ?? [])];
  const { grid, faults } = await inspect(dependencies, pass, { files: all, folder, signal });
  const isCounted = extra !== undefined && Object.keys(faults).length === 0;
  return {
    grid,
    params: run.params,
    nodes: pass.nodes.map(({ node }) => node.code),
    sources: writtenSources(pass.sources),
    gaps:
      isCounted && gaps !== undefined && wanted !== undefined
        ? { keys: gaps.inputs.map(({ band }) => band.key), sources: writtenSources(wanted) }
        : null,
  };
}
