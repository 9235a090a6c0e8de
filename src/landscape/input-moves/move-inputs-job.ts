import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attempt, JobHandler } from '../../jobs/handler.ts';
import { publishResult, resultHandler } from '../../jobs/results.ts';
import { inParallel } from '../../lib/concurrency/limiter.ts';
import { limitProblems } from '../../messages/zoning/english.ts';
import type { BandFile, MovedBlock } from '../compute/landscape-engine.ts';
import { SourceUnreadable } from '../compute/source-errors.ts';
import { bandByKey } from '../graph/graph.ts';
import { zoningNodes } from '../graph/zoning-inputs.ts';
import type { ReferenceGrid } from '../grid/reference-grid.ts';
import { elevation } from '../model/leaves.ts';
import type { RunDependencies } from '../execution/compute-pass.ts';
import { fetchSources } from '../execution/fetch-sources.ts';
import type { GapInputs } from '../gaps/gaps.ts';
import { RunFailed } from '../runs/run-failed.ts';
import { readRun, type StoredRun } from '../runs/run-rows.ts';
import { inputMoves, movableInputs, type MoveFigures } from './input-moves.ts';
import { estimateShare, sampleBlocks, type Stratum } from './sample-blocks.ts';
import { zoningCode } from '../../../common/landscape/zoning.ts';

type Dependencies = Pick<RunDependencies, 'db' | 'objectStore' | 'engines' | 'computeWorkers'>;

/**
 * Creates the handler that varies the inputs of runs. May be interrupted anywhere and run again: results are visible only after
 * publication.
 */
export function createMoveInputsHandler(dependencies: Dependencies): JobHandler {
  return resultHandler(inputMoves, async (attempt) => {
    const { db } = dependencies;
    const row = await db
      .selectFrom('input_moves')
      .select(['run_id', 'delta_percent'])
      .where('id', '=', attempt.refId)
      .where('state', '=', 'pending')
      .executeTakeFirst();
    const run = row && (await readRun(db, row.run_id));
    if (row === undefined || run === undefined) return; // already computed, or the run was deleted
    const moved = await moveInputsOf(dependencies, attempt, { run, delta: row.delta_percent / 100 });
    const figures = JSON.stringify(moved);
    await attempt.publish(async (trx) => await publishResult(trx, 'input_moves', attempt.refId, { figures }));
  });
}

interface Moves {
  readonly run: StoredRun;
  readonly delta: number;
}

async function moveInputsOf(
  dependencies: Dependencies,
  { scratch, signal }: Pick<Attempt, 'scratch' | 'signal'>,
  { run, delta }: Moves,
): Promise<MoveFigures> {
  const inputs = movableInputs(run);
  const files = await fetchInputs(dependencies, inputs, { folder: join(scratch, 'sources'), signal });
  const grid = await inspectGrid(dependencies, files, { scratch: join(scratch, 'inspect'), signal });
  const strata = sampleBlocks(grid);
  const moved = inputs.inputs.flatMap(({ band }) => (band.type === 'float32' ? [band.key] : []));
  const isPinned = (group: string) => Object.hasOwn(run.overrides, group);
  const nodes = zoningNodes(isPinned).map(({ code }) => code);
  const work = { grid, params: run.params, nodes, sources: files, moved, delta };
  const counted = await inParallel(
    [...shares(strata, dependencies.computeWorkers).entries()],
    { limit: dependencies.computeWorkers, signal },
    async ([index, own], stop) => {
      const folder = join(scratch, `share-${index}`);
      await mkdir(folder);
      const blocks = own.flatMap((stratum) => [...stratum.blocks]);
      const all = await dependencies.engines.landscape.moveInputs({
        work: { ...work, blocks },
        scratch: folder,
        signal: stop,
      });
      let from = 0;
      return own.map(({ size, blocks: its }) => ({ size, blocks: all.slice(from, (from += its.length)) }));
    },
  ).catch((error: unknown) => {
    const band = error instanceof SourceUnreadable ? bandByKey(error.key) : undefined;
    throw band === undefined ? error : limitProblems.rasterUnreadable(band.group);
  });
  return figuresOf(counted.flat(), moved);
}

/** Divides strata among the workers, in order. */
function shares(strata: readonly Stratum[], workers: number): readonly (readonly Stratum[])[] {
  const count = Math.min(workers, strata.length);
  const edge = (share: number) => Math.floor((share * strata.length) / count);
  return Array.from({ length: count }, (_, share) => strata.slice(edge(share), edge(share + 1)));
}

async function fetchInputs(
  dependencies: Dependencies,
  { inputs, elevationId }: GapInputs,
  options: { readonly folder: string; readonly signal: AbortSignal },
): Promise<BandFile[]> {
  const all = [{ band: elevation, datasetId: elevationId }, ...inputs];
  const sources = new Map(
    all.map(({ band, datasetId }) => [
      band.key,
      { band, datasetId, firstReader: zoningCode, isOutput: false },
    ]),
  );
  return await fetchSources(dependencies, sources, options).catch((error: unknown) => {
    // The message of a run also names a node, which does not apply here.
    throw error instanceof RunFailed ? limitProblems.inputGone() : error;
  });
}

async function inspectGrid(
  { engines }: Dependencies,
  sources: BandFile[],
  { scratch, signal }: Pick<Attempt, 'scratch' | 'signal'>,
): Promise<ReferenceGrid> {
  await mkdir(scratch);
  const { faults, grid } = await engines.landscape.inspect({ work: { sources }, scratch, signal });
  const [faulty] = Object.keys(faults);
  if (faulty !== undefined) throw limitProblems.rasterUnreadable(bandByKey(faulty)?.group ?? faulty);
  if (grid === undefined) throw limitProblems.rasterUnreadable(elevation.group);
  return grid;
}

interface CountedStratum {
  readonly size: number;
  readonly blocks: readonly MovedBlock[];
}

function figuresOf(strata: readonly CountedStratum[], moved: readonly string[]): MoveFigures {
  const estimate = (of: (block: MovedBlock) => number | undefined) =>
    estimateShare(
      strata.map(({ size, blocks }) => ({
        size,
        blocks: blocks.map((block) => ({ whole: block.zoned, found: of(block) ?? 0 })),
      })),
    );
  return {
    blocks: strata.reduce((sum, { blocks }) => sum + blocks.length, 0),
    ofBlocks: strata.reduce((sum, { size }) => sum + size, 0),
    inputs: moved.map((key, index) => ({
      key,
      decreased: estimate(({ decreased }) => decreased[index]),
      increased: estimate(({ increased }) => increased[index]),
    })),
  };
}
