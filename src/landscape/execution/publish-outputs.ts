import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../../database/unavailable.ts';
import type { Insertable } from 'kysely';
import type { Tables, Transaction } from '../../database/tables/tables.ts';
import { extentColumns } from '../../datasets/extent/extents.ts';
import type { Extent } from '../../datasets/extent/geojson-extent.ts';
import { reportOf, writeReport } from '../../datasets/report.ts';
import { addCounts } from '../../datasets/statistics.ts';
import { addFiles, firstView } from '../../datasets/files.ts';
import { enqueueJob } from '../../jobs/enqueue.ts';
import type { ConvertedRaster, TiledRaster } from '../../geo/engine.ts';
import type { Attempt, StoredBody } from '../../jobs/handler.ts';
import { graphVersion } from '../graph/graph.ts';
import type { SourceCounts } from '../grid/sample.ts';
import { storageOf } from '../model/bands.ts';
import { ensureLandscapeCategory } from '../groups/group-rows.ts';
import type { ComputedPass, RunDependencies } from './compute-pass.ts';
import { inParallel } from '../../lib/concurrency/limiter.ts';
import { ownVersion } from '../../lib/own-version.ts';
import type { Pass, PassNode, PassSource } from './pass.ts';
import { StoreUnavailable } from '../../object-store/object-store.ts';
import { notStored, RunFailed } from '../runs/run-failed.ts';
import { recordNodeSuccess, type StoredRun } from '../runs/run-rows.ts';

/** One child process assembles several rasters, up to this number of pixels, so that results are not delayed too long. */
export const groupedPixels = 512e6;
/** COGs of one group that are stored at the same time. */
const storedAtOnce = 2;
/** Pauses between attempts to store an output that the store refuses. */
const refusedPausesMs = [1000, 4000];
/** Pauses while the store is away: it may be away for some three minutes, with the deadlines of the attempts. */
const awayPausesMs = [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000];

interface Published {
  readonly run: StoredRun;
  readonly pass: Pass;
  readonly computed: ComputedPass;
  readonly folder: string;
}

/** Publishes the COGs of the computed nodes, in few transactions. @throws {RunFailed} @throws {LeaseLost} */
export async function publishOutputs(
  dependencies: RunDependencies,
  attempt: Attempt,
  published: Published,
): Promise<void> {
  const { pass, computed, folder } = published;
  const { width, height } = computed.grid;
  const most = Math.ceil(pass.nodes.length / dependencies.computeWorkers);
  const size = Math.min(most, Math.max(1, Math.floor(groupedPixels / (width * height))));
  const groups = dealOut(pass.nodes, { size, hands: dependencies.computeWorkers });
  await inParallel(
    [...groups.entries()],
    { limit: dependencies.computeWorkers, signal: attempt.signal },
    async ([index, nodes], signal) => {
      const scratch = join(folder, `assemble-${index}`);
      await mkdir(scratch);
      const rasters = nodes.map((node) => tiledRaster(node, computed));
      const cogs = await dependencies.engines.geo.assembleRasters({ rasters, scratch, signal });
      const outputs = cogs.map((cog, place) => {
        const passNode = nodes[place];
        if (passNode === undefined) throw new Error('more rasters came back than were sent');
        return { passNode, cog };
      });
      await publishGroup(dependencies, attempt, published, outputs);
      await rm(scratch, { recursive: true });
      const parts = rasters.flatMap((raster) => raster.parts);
      for (const path of parts.flatMap(({ paths }) => paths)) await rm(path);
    },
  );
}

interface AssembledOutput {
  readonly passNode: PassNode;
  readonly cog: ConvertedRaster;
}

/**
 * Stores the COGs of a group, a few at a time, and publishes those that are stored: one transaction at a time, each with all that were
 * stored during the one before. What is published when a COG cannot be stored, or the process dies, stays.
 */
async function publishGroup(
  dependencies: RunDependencies,
  attempt: Attempt,
  published: Published,
  outputs: readonly AssembledOutput[],
): Promise<void> {
  const stored: StoredOutput[] = [];
  let recording: Promise<void> = Promise.resolve();
  const recordStored = async (): Promise<void> => {
    const some = stored.splice(0);
    if (some.length > 0) await recordOutputs(dependencies, attempt, published, some);
  };
  await inParallel(outputs, { limit: storedAtOnce, signal: attempt.signal }, async ({ passNode, cog }) => {
    const { size: sizeBytes } = await stat(cog.cogPath);
    const body = { path: cog.cogPath };
    stored.push(await storeOutput(attempt, { passNode, cog, body, sizeBytes }));
    recording = recording.then(recordStored);
    await recording;
  });
}

/**
 * Divides items into groups of at most `size` for concurrent workers. Outputs are finished nearly in the order of their codes, so that a
 * failed run leaves few outputs whose own inputs are missing and which no later run could reuse.
 */
function dealOut<T>(items: readonly T[], { size, hands }: { size: number; hands: number }): T[][] {
  const rounds = Array.from({ length: Math.ceil(items.length / (size * hands)) }, (_, round) =>
    items.slice(round * size * hands, (round + 1) * size * hands),
  );
  return rounds.flatMap((round) =>
    Array.from({ length: Math.min(hands, round.length) }, (_, hand) =>
      round.filter((_item, place) => place % hands === hand),
    ),
  );
}

/** Returns the raster of a node from the tiles that a pass has computed. */
export function tiledRaster(
  { node }: Pick<PassNode, 'node'>,
  { grid, parts }: Pick<ComputedPass, 'grid' | 'parts'>,
): TiledRaster {
  return { ...grid, ...storageOf(node.output), parts: parts.get(node.code) ?? [] };
}

/** Publishes an output: an attempt at the job of the run, or a step of a distributed run. */
export type Publisher = Pick<Attempt, 'store' | 'fenced' | 'signal'>;

interface OutputToStore {
  readonly passNode: PassNode;
  readonly cog: Omit<ConvertedRaster, 'cogPath'>;
  /** The content of the COG. */
  readonly body: StoredBody;
  readonly sizeBytes: number;
}

/** An output whose files are in the object store, but not published. */
interface StoredOutput extends Omit<OutputToStore, 'body'> {
  readonly key: string;
  readonly meshKey: string | undefined;
}

type OutputsOfRun = Pick<Published, 'run' | 'pass'> & { readonly computed: Pick<ComputedPass, 'counts'> };

/** Stores the COG of a node and publishes it, in one transaction. @throws {RunFailed} when it cannot be stored. */
export async function publishOne(
  dependencies: Pick<RunDependencies, 'engines'>,
  attempt: Publisher,
  work: OutputsOfRun & OutputToStore,
): Promise<void> {
  await recordOutputs(dependencies, attempt, work, [await storeOutput(attempt, work)]);
}

/** @throws {RunFailed} when a file cannot be stored. */
async function storeOutput(
  attempt: Publisher,
  { passNode, cog, body, sizeBytes }: OutputToStore,
): Promise<StoredOutput> {
  const key = await storeFile(attempt, passNode, { folder: 'cog', extension: '.tif', body });
  const meshKey =
    cog.meshPath &&
    (await storeFile(attempt, passNode, {
      folder: 'view',
      extension: '.mesh',
      body: { path: cog.meshPath },
    }));
  return { passNode, cog, sizeBytes, key, meshKey };
}

/** Publishes stored outputs in one transaction: their datasets, files, reports and the success of their nodes. @throws {LeaseLost} */
async function recordOutputs(
  { engines: { geo } }: Pick<RunDependencies, 'engines'>,
  attempt: Pick<Attempt, 'fenced'>,
  { run, pass, computed }: OutputsOfRun,
  outputs: readonly StoredOutput[],
): Promise<void> {
  const madeWith = { steppe: ownVersion, gdal: geo.version, proj: geo.proj };
  await attempt.fenced(
    async (trx) => {
      const category_id = await ensureLandscapeCategory(trx);
      for (const { passNode, cog, sizeBytes, key, meshKey } of outputs) {
        const { node } = passNode;
        const invalid = invalidPixelsOf(passNode, pass.sources, computed.counts);
        const view = firstView({ meshKey, needsView: cog.needsView });
        const row = outputRow(run, passNode, { sizeBytes, bbox: cog.bbox }, invalid);
        const dg_id = await groupIdOf(trx, node.output.group);
        await trx
          .insertInto('datasets')
          .values({ ...row, view_state: view.state, category_id, dg_id })
          .execute();
        // Its COG is also its original.
        await addFiles(trx, row.id, [{ kind: 'original', key }, { kind: 'cog', key }, ...view.files]);
        if (view.state === 'pending') await enqueueJob(trx, 'make-view', row.id);
        const { findings, counts } = cog;
        if (counts !== undefined) await addCounts(trx, row.id, counts);
        await writeReport(trx, reportOf(row.id, { engine: geo.version, findings, rows: null }));
        await recordNodeSuccess(trx, run.id, node.code, madeWith);
      }
    },
    { madeProgress: true },
  );
}

/** Returns the id of a group, and locks it against deletion until the transaction ends; null when it was deleted. */
async function groupIdOf(trx: Transaction, code: string): Promise<string | null> {
  const group = await trx
    .selectFrom('dataset_groups')
    .select('id')
    .where('code', '=', code)
    .forKeyShare()
    .executeTakeFirst();
  return group?.id ?? null;
}

/**
 * Retries the upload, so that hours of work are not lost: for minutes while the store is away. Failures of the database are handled by
 * the job.
 */
async function storeFile(
  attempt: Publisher,
  { node, stored }: PassNode,
  {
    folder,
    extension,
    body,
  }: Readonly<Record<'folder' | 'extension', string>> & { readonly body: StoredBody },
): Promise<string> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt.store(`${folder}/${stored.outputId ?? ''}`, extension, body);
    } catch (cause) {
      attempt.signal.throwIfAborted();
      if (isDatabaseUnavailable(cause)) throw cause;
      const pause = (cause instanceof StoreUnavailable ? awayPausesMs : refusedPausesMs)[failures];
      if (pause === undefined) throw new RunFailed(notStored(node.code), { cause });
      await sleep(pause, undefined, { signal: attempt.signal });
    }
  }
}

/** The size and the place of the output of a node. */
interface OutputFacts {
  readonly sizeBytes: number;
  readonly bbox: Extent;
}

/** Returns the columns of the dataset of an output, except for its place in the catalogue. */
function outputRow(
  run: StoredRun,
  { node, stored }: PassNode,
  output: OutputFacts,
  invalidPixels: Readonly<Record<string, number>>,
): Omit<Insertable<Tables['datasets']>, 'category_id'> {
  if (stored.outputId === null) throw new Error(`node ${node.code} was not planned`);
  const meta = {
    run_id: run.id,
    node: node.code,
    fingerprint: stored.fingerprint,
    graph_version: graphVersion,
    invalid_pixels: invalidPixels,
    ...(Object.keys(run.overrides).length === 0 ? {} : { overrides: run.overrides }),
  };
  return {
    id: stored.outputId,
    name: node.output.title,
    unit: node.output.unit,
    filename: `${node.output.group}.tif`,
    start_date: stored.startDate,
    end_date: stored.endDate,
    file_type: 'raster',
    size_bytes: output.sizeBytes,
    content_type: 'image/tiff',
    meta: JSON.stringify(meta),
    automated: true,
    status: 'ready',
    bbox: [...output.bbox],
    ...extentColumns(output.bbox),
  };
}

/** Returns the number of invalid pixels of the leaves and pinned rasters that a node reads, by group. */
function invalidPixelsOf(
  { node }: PassNode,
  sources: ReadonlyMap<string, PassSource>,
  counts: ReadonlyMap<string, SourceCounts>,
): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { key, group } of node.inputs) {
    const source = sources.get(key);
    if (source !== undefined && !source.isOutput) found[group] = counts.get(key)?.invalid ?? 0;
  }
  return found;
}
