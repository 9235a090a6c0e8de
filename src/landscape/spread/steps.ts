import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '../../lib/concurrency/promises.ts';
import { inTrace } from '../../tracing/tracing.ts';
import type { BandFile, BatchResult } from '../compute/landscape-engine.ts';
import { OutsideWindows, SourceUnreadable } from '../compute/source-errors.ts';
import { computeBatch, refuse, type RunDependencies, unreadable } from '../execution/compute-pass.ts';
import { RunFailed } from '../runs/run-failed.ts';
import { pixelFaults, sumCounts } from '../execution/source-faults.ts';
import { PassGone } from './failures.ts';
import { waitOut } from './outages.ts';
import { hasPart, keepPart, readCounts } from './parts.ts';
import { isGoingOn, readSpec } from './passes.ts';
import { blocksOf, type PassSpec, sourcesOf, windowsOfBlock } from './pass-spec.ts';
import { publishGroup } from './publish-group.ts';
import { createPassSources, type PassSources } from './sources/pass-sources.ts';
import type { StepScratch } from './step-scratch.ts';
import type { WorkerSteps } from './workflow-engine.ts';
import { stepSeconds, steps as counter } from '../../metrics/instruments.ts';
import type { StepCall } from './pass-workflow.ts';

export interface StepDependencies extends Pick<RunDependencies, 'db' | 'objectStore' | 'engines'> {
  /** The stamp of this worker: its steps ignore passes with another stamp. */
  readonly stamp: string;
  readonly scratch: StepScratch;
}

/** Interval between two checks of the state of the pass: a cancellation reaches a step even when the engine is unavailable. */
const checkEveryMs = 10_000;

/** The context of a step. */
interface Step {
  readonly runId: string;
  readonly spec: PassSpec;
  /** An empty folder for this step only. */
  readonly folder: string;
  /** Aborts also when the pass has ended. */
  readonly signal: AbortSignal;
}

/** Creates the steps of passes for a worker. Each may be interrupted anywhere and repeated, also by two workers at once. */
export function createSteps(dependencies: StepDependencies): WorkerSteps {
  const { db, stamp, scratch } = dependencies;
  const passSources = createPassSources(dependencies);
  const inStep = async (
    name: string,
    { runId, signal }: Pick<Step, 'runId' | 'signal'>,
    work: (step: Step) => Promise<void>,
  ): Promise<void> => {
    const spec = await waitOut(signal, async () => await readSpec(db, runId, stamp));
    const attributes = { 'steppe.ref.id': runId };
    await inTrace(
      { name: `step ${name}`, kind: 'consumer', attributes },
      spec.trace ?? undefined,
      async () => {
        await using folder = await scratch.makeFolder();
        using watched = watch(signal, async () => await isGoingOn(db, runId, stamp));
        await work({ runId, spec, folder: folder.path, signal: watched.signal });
      },
    );
  };
  return {
    computeBlock: async ({ runId, place }, { signal }) =>
      await inStep('compute-block', { runId, signal }, async (step) => {
        await computeBlock({ ...dependencies, passSources }, step, place);
      }),
    judgePixels: async ({ runId }, { signal }) =>
      await inStep('judge-pixels', { runId, signal }, async ({ spec }) => {
        const counts = await waitOut(signal, async () => await readCounts(db, runId));
        refuse(pixelFaults(sourcesOf(spec.sources), sumCounts(counts)));
      }),
    publishOutputs: async ({ runId, codes }, { signal }) =>
      await inStep('publish-outputs', { runId, signal }, async (step) => {
        await publishGroup(dependencies, { ...step, codes });
      }),
  };
}

/** Aborts its signal when the pass has ended; outages are ignored. */
function watch(outer: AbortSignal, isGoing: () => Promise<boolean>) {
  const gone = new AbortController();
  const ended = new AbortController();
  const checkPass = async (): Promise<void> => {
    for (;;) {
      await pause(checkEveryMs, ended.signal);
      if (ended.signal.aborted) return;
      if (await isGoing().catch(() => true)) continue;
      gone.abort(new PassGone());
      return;
    }
  };
  void checkPass();
  return {
    signal: AbortSignal.any([outer, gone.signal]),
    [Symbol.dispose]: () => ended.abort(),
  };
}

interface BlockDependencies extends StepDependencies {
  readonly passSources: PassSources;
}

async function computeBlock(dependencies: BlockDependencies, step: Step, place: number): Promise<void> {
  const { runId, signal } = step;
  if (await waitOut(signal, async () => await hasPart(dependencies.db, runId, place))) return;
  const result = await computeWith(dependencies, step, place);
  await waitOut(signal, async () => await keepPart(dependencies, { runId, place }, result, signal));
}

/** Computes a block and counts its gaps; without gaps if a source that only they need is unfit. */
async function computeWith(dependencies: BlockDependencies, step: Step, place: number): Promise<BatchResult> {
  const { spec } = step;
  const sources = sourcesOf(spec.sources);
  if (spec.gaps !== null) {
    const all = new Map([...sources, ...sourcesOf(spec.gaps.sources)]);
    const counting = { name: 'counted', sources: all, gaps: spec.gaps.keys };
    const counted = await computeFrom(dependencies, step, place, counting).catch((error: unknown) => {
      const key = error instanceof SourceUnreadable ? error.key : undefined;
      // A pass does not fail for sources that only the gaps need.
      if (error instanceof RunFailed || (key !== undefined && !sources.has(key))) return undefined;
      throw error;
    });
    if (counted !== undefined || spec.nodes.length === 0) return counted ?? nothing;
  }
  return await computeFrom(dependencies, step, place, { name: 'plain', sources }).catch((error: unknown) => {
    throw error instanceof SourceUnreadable ? unreadable({ sources }, error) : error;
  });
}

interface Reading {
  /** Name of the folders. */
  readonly name: string;
  readonly sources: ReturnType<typeof sourcesOf>;
  readonly gaps?: readonly string[];
}

/** Downloads the sources of a block and computes it; a source that is needed outside of its windows is downloaded completely. */
async function computeFrom(
  dependencies: BlockDependencies,
  { runId, spec, folder, signal }: Step,
  place: number,
  { name, sources, gaps }: Reading,
): Promise<BatchResult> {
  const { grid, params, nodes } = spec;
  const blocks = blocksOf(spec);
  const block = blocks[place];
  if (block === undefined) throw new Error(`there is no block ${place}`);
  const whole = new Set<string>();
  for (;;) {
    const own = join(folder, `${name}-${whole.size}`);
    const files = await waitOut(signal, async (): Promise<BandFile[]> => {
      await rm(own, { recursive: true, force: true }); // left by an attempt that an outage ended
      await mkdir(own);
      const wanted = { runId, sources, grid, params, nodes, blocks, place, whole };
      return await dependencies.passSources.bring(wanted, { folder: join(own, 'sources'), signal });
    });
    const asked = gaps === undefined ? {} : { gaps: [...gaps] };
    const windows = [...windowsOfBlock(spec, block)];
    const results = join(own, 'results');
    await mkdir(results);
    const batch = { grid, params, nodes, sources: files, windows, folder: results, arranged: true, ...asked };
    try {
      return await computeBatch(dependencies, batch, signal);
    } catch (error) {
      if (!(error instanceof OutsideWindows) || whole.has(error.key)) throw error;
      // One source with unexpected curvature is rarely alone: the third computation uses complete files of all.
      for (const key of whole.size === 0 ? [error.key] : sources.keys()) whole.add(key);
    }
  }
}

/** The result for a block without nodes whose gaps cannot be counted. */
const nothing: BatchResult = { sources: {}, parts: [], seconds: {} };

/** Counts the outcomes of steps, and measures the duration of successful ones. */
export function withMetrics(steps: WorkerSteps): WorkerSteps {
  const measured =
    <Input>(step: string, work: (input: Input, call: StepCall) => Promise<void>) =>
    async (input: Input, call: StepCall): Promise<void> => {
      const measure = stepSeconds.startTimer({ step });
      try {
        await work(input, call);
        measure();
        counter.inc({ step, ending: 'done' });
      } catch (error) {
        counter.inc({ step, ending: endingOf(error, call.signal) });
        throw error;
      }
    };
  return {
    computeBlock: measured('compute-block', steps.computeBlock),
    judgePixels: measured('judge-pixels', steps.judgePixels),
    publishOutputs: measured('publish-outputs', steps.publishOutputs),
  };
}

/** Returns the outcome: `failed` ends the run; `again` is retried; `dropped` is no longer needed, or left to another worker. */
function endingOf(error: unknown, signal: AbortSignal): 'failed' | 'again' | 'dropped' {
  if (signal.aborted || error instanceof PassGone) return 'dropped';
  return error instanceof RunFailed ? 'failed' : 'again';
}
