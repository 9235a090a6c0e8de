import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { GeoEngine, TiledRaster } from '../../geo/engine.ts';
import { runFaults } from '../../messages/runs/english.ts';
import { nodeSeconds } from '../../metrics/instruments.ts';
import type {
  BandFile,
  Batch,
  BatchFiles,
  BatchResult,
  LandscapeEngine,
  TileGaps,
} from '../compute/landscape-engine.ts';
import { SourceUnreadable } from '../compute/source-errors.ts';
import type { SourceCounts } from '../grid/sample.ts';
import type { ReferenceGrid } from '../grid/reference-grid.ts';
import { batchesOf, type Tile, tilesOf, windowsOf } from '../model/tiles.ts';
import type { LandscapeParams } from '../model/params.ts';
import type { Database } from '../../database/tables/tables.ts';
import type { ObjectStore } from '../../object-store/object-store.ts';
import { inParallel } from '../../lib/concurrency/limiter.ts';
import { despiteDeaths } from './child-deaths.ts';
import { lowestFault, RunFailed } from '../runs/run-failed.ts';
import { headerFaults, pixelFaults, sizeFaults, sumCounts } from './source-faults.ts';
import type { Pass } from './pass.ts';
import { sumGaps } from '../compute/count-gaps.ts';

/** Dependencies of the computation, without a database. */
export interface ComputeDependencies {
  readonly engines: { readonly geo: GeoEngine; readonly landscape: LandscapeEngine };
  /** The number of processes that compute at the same time. */
  readonly computeWorkers: number;
  /** The maximum number of pixels of the reference grid. */
  readonly maxPixels: number;
}

export interface RunDependencies extends ComputeDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
}

export interface ComputedPass {
  readonly grid: ReferenceGrid;
  /** The encoded tiles, by code of the node or name of the layer. */
  readonly parts: ReadonlyMap<string, TiledRaster['parts']>;
  readonly counts: ReadonlyMap<string, SourceCounts>;
  /** The gaps of the inputs; undefined if they were not requested, or could not be counted. */
  readonly gaps: TileGaps | undefined;
}

export interface PassFiles {
  readonly files: readonly BandFile[];
  /** The keys of the inputs whose gaps are counted. */
  readonly gaps: readonly string[] | undefined;
  readonly params: LandscapeParams;
  /** An existing folder for parts and child processes. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called after each batch with the share of the computed pixels. */
  onProgress(share: number): Promise<void>;
}

/**
 * Computes all nodes of a pass in child processes.
 * @throws {RunFailed} for an unfit source, or a batch whose child processes always die.
 */
export async function computePass(
  dependencies: ComputeDependencies,
  pass: Pass,
  work: PassFiles,
): Promise<ComputedPass> {
  const nodes = pass.nodes.map(({ node }) => node.code);
  const layers = pass.layers?.map(({ name }) => name) ?? [];
  // The first batch has a child process that starts while another one inspects the sources.
  await using first = await startFirst(dependencies, nodes, work);
  const { grid, faults } = await inspect(dependencies, pass, work);
  const isFit = Object.keys(faults).length === 0;
  const gaps = isFit && work.gaps ? { gaps: [...work.gaps] } : {};
  const batches = batchesOf([...windowsOf(grid, work.params.window_size)], dependencies.computeWorkers);
  const sources = work.files.filter(({ key }) => isFit || pass.sources.has(key));
  const asked = layers.length === 0 ? gaps : { ...gaps, layers };
  const pixels = grid.width * grid.height;
  let done = 0;
  const computed = await inParallel(
    [...batches.entries()],
    { limit: dependencies.computeWorkers, signal: work.signal },
    async ([index, windows], signal) => {
      const folder = index === 0 ? first.folder : await makeBatchFolder(work, index);
      const batch = { grid, params: work.params, nodes, sources, windows: [...windows], folder, ...asked };
      const result =
        index === 0 ? await first.compute(batch, signal) : await computeBatch(dependencies, batch, signal);
      const tiles = [...tilesOf(windows)];
      done += tiles.reduce((sum, { width, height }) => sum + width * height, 0);
      await work.onProgress(done / pixels);
      return { result, tiles };
    },
  ).catch((error: unknown) => {
    throw error instanceof SourceUnreadable ? unreadable(pass, error) : error;
  });
  const counts = sumCounts(computed.map(({ result }) => result.sources));
  refuse(pixelFaults(pass.sources, counts));
  const partsOf = (code: string) =>
    computed.flatMap(({ result, tiles }) =>
      result.parts.filter((part) => part.code === code).map(({ paths }) => ({ paths, tiles })),
    );
  return {
    grid,
    counts,
    parts: new Map([...nodes, ...layers].map((code) => [code, partsOf(code)])),
    gaps: gapsOf(computed),
  };
}

/** Returns the gaps of batches; undefined when a batch has none. @throws {Error} when a child has counted other tiles than those of its batch. */
function gapsOf(
  computed: readonly { readonly result: BatchResult; readonly tiles: readonly Tile[] }[],
): TileGaps | undefined {
  if (computed.some(({ result }) => result.gaps === undefined)) return undefined;
  return sumGaps(
    computed.flatMap(({ result: { gaps = [] }, tiles }) => {
      if (gaps.length !== tiles.length) throw new Error('a batch has counted the gaps of other tiles');
      return tiles.flatMap((tile, index) => {
        const counted = gaps[index];
        return counted === undefined ? [] : [{ tile, gaps: counted }];
      });
    }),
  );
}

/**
 * Checks the headers of sources, and determines the grid.
 * @param work.folder in which a folder is created.
 * @returns also the remaining faults: those of sources that only the gaps need.
 * @throws {RunFailed}
 */
export async function inspect(
  dependencies: ComputeDependencies,
  pass: Pick<Pass, 'sources'>,
  work: Pick<PassFiles, 'files' | 'folder' | 'signal'>,
) {
  const scratch = join(work.folder, 'inspect');
  await mkdir(scratch);
  const result = await dependencies.engines.landscape.inspect({
    work: { sources: [...work.files] },
    scratch,
    signal: work.signal,
  });
  refuse(headerFaults(pass.sources, result));
  if (result.grid === undefined) throw new Error('a reference raster without fault has no grid');
  refuse(sizeFaults(pass.sources, result.grid, dependencies.maxPixels));
  return { grid: result.grid, faults: result.faults };
}

/** Creates the folder of a batch. */
async function makeBatchFolder({ folder }: Pick<PassFiles, 'folder'>, index: number): Promise<string> {
  const path = join(folder, `batch-${index}`);
  await mkdir(path);
  return path;
}

/** Starts the child process of the first batch, which is ended unless it is given the batch. */
async function startFirst(
  dependencies: Pick<ComputeDependencies, 'engines'>,
  nodes: readonly string[],
  work: Pick<PassFiles, 'files' | 'folder' | 'signal'>,
) {
  const folder = await makeBatchFolder(work, 0);
  const { promise, resolve } = Promise.withResolvers<Batch>();
  const ended = new AbortController();
  const signal = AbortSignal.any([work.signal, ended.signal]);
  const files = { sources: work.files, folder, nodes };
  const computing = computeBatch(dependencies, { ...files, batch: promise }, signal);
  computing.catch(() => undefined); // thrown by `compute`
  return {
    folder,
    async compute(batch: Batch, stopped: AbortSignal): Promise<BatchResult> {
      stopped.addEventListener('abort', () => ended.abort(stopped.reason), { once: true });
      stopped.throwIfAborted();
      resolve(batch);
      return await computing;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      ended.abort(new Error('the first batch is not wanted'));
      await computing.catch(() => undefined);
    },
  };
}

/** A batch, or its files and nodes while the rest of it is awaited. */
type GivenBatch = Batch | (BatchFiles & Pick<Batch, 'nodes'> & { readonly batch: Promise<Batch> });

/**
 * Computes a batch in a child process; repeats it after a death, overwriting partial results.
 * @throws {RunFailed} when it dies repeatedly.
 * @throws {SourceUnreadable}
 */
export async function computeBatch(
  { engines }: Pick<ComputeDependencies, 'engines'>,
  given: GivenBatch,
  signal: AbortSignal,
): Promise<BatchResult> {
  const batch = 'batch' in given ? given.batch : Promise.resolve(given);
  const files = { sources: given.sources, folder: given.folder };
  return await despiteDeaths({ folder: files.folder, codes: given.nodes }, async (scratch) => {
    const startedAt = performance.now();
    const result = await engines.landscape.compute({ files, batch, scratch, signal });
    const elapsed = (performance.now() - startedAt) / 1000; // limits the time that a child process reports to the elapsed time
    for (const node of given.nodes)
      nodeSeconds.observe({ node }, Math.min(result.seconds[node] ?? 0, elapsed));
    return result;
  });
}

/** Fails the run if there are faults. @throws {RunFailed} with the fault of the lowest node. */
export function refuse(faults: Parameters<typeof lowestFault>[0]): void {
  const fault = lowestFault(faults);
  if (fault !== undefined) throw new RunFailed(fault);
}

/** Returns the fault of an unreadable source of a pass. @throws {SourceUnreadable} the cause, when the pass does not read it. */
export function unreadable({ sources }: Pick<Pass, 'sources'>, cause: SourceUnreadable): RunFailed {
  const source = sources.get(cause.key);
  if (source === undefined) throw cause;
  const error = runFaults.unreadable(source.band.group);
  return new RunFailed({ nodeCode: source.firstReader, error }, { cause });
}
