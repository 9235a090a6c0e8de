import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { inTransaction } from '../../database/transaction.ts';
import type { Transaction } from '../../database/tables/tables.ts';
import type { ComposedRaster, TiledRaster } from '../../geo/engine.ts';
import { inParallel } from '../../lib/concurrency/limiter.ts';
import { writeDraft } from '../../object-store/ledger.ts';
import { lengthOf } from '../../object-store/object-store.ts';
import { tilesOf } from '../model/tiles.ts';
import type { RunDependencies } from '../execution/compute-pass.ts';
import { type Publisher, publishOne, tiledRaster } from '../execution/publish-outputs.ts';
import { despiteDeaths } from '../execution/child-deaths.ts';
import { readRun, type StoredRun } from '../runs/run-rows.ts';
import { sumCounts } from '../execution/source-faults.ts';
import { storedComposition, type StoredFile } from './composed-cog.ts';
import { PassGone } from './failures.ts';
import { waitOut } from './outages.ts';
import { bringRange, rangesOf, readCounts } from './parts.ts';
import { fenceOutput, isGoingOn, lockNode } from './passes.ts';
import { blocksOf, nodeOf, type PassSpec, sourcesOf, windowsOfBlock } from './pass-spec.ts';

type Dependencies = Pick<RunDependencies, 'db' | 'objectStore' | 'engines'> & { readonly stamp: string };

export interface Group {
  readonly runId: string;
  readonly spec: PassSpec;
  /** Codes of nodes. */
  readonly codes: readonly string[];
  /** An empty folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** The number of parts whose beginnings are downloaded at once. */
const readsAtOnce = 8;

/** The output is published, or no longer needed. */
class NodeEnded extends Error {
  override readonly name = 'NodeEnded';
}

/**
 * Composes the outputs of nodes from the parts of all blocks and publishes them, one transaction each. Published outputs stay unchanged.
 * @throws {PassGone}
 * @throws {RunFailed} when the child process that lays them out always dies.
 */
export async function publishGroup(dependencies: Dependencies, group: Group): Promise<void> {
  const { db } = dependencies;
  const { runId, spec, signal } = group;
  const run = await waitOut(signal, async () => await readRun(db, runId));
  if (run === undefined) throw new PassGone();
  const isLeft = (code: string) => run.nodes.some((node) => node.code === code && node.status === 'running');
  const codes = group.codes.filter(isLeft);
  if (codes.length === 0) return;
  const counts = sumCounts(await waitOut(signal, async () => await readCounts(db, runId)));
  const { cogs, stored: files } = await layOut(dependencies, { ...group, codes });
  for (const [index, code] of codes.entries()) {
    const cog = cogs[index];
    const stored = run.nodes.find((node) => node.code === code);
    if (cog === undefined || stored === undefined) throw new Error(`output ${code} was not laid out`);
    const passNode = { node: nodeOf(code), stored };
    const pass = { nodes: [passNode], sources: sourcesOf(spec.sources) };
    const body = storedComposition(cog.composition, files);
    const sizeBytes = body.pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
    await publishOnce(dependencies, { run, code, signal }, async (publisher) => {
      const output = { passNode, cog, body, sizeBytes };
      await publishOne(dependencies, publisher, { run, pass, computed: { counts }, ...output });
    });
  }
}

interface LaidOut {
  readonly cogs: readonly ComposedRaster[];
  /** The place of the bytes of tile files, by path. */
  readonly stored: ReadonlyMap<string, StoredFile>;
}

/** Downloads headers and coarsest tiles of nodes, and determines the composition of each COG. */
async function layOut(
  dependencies: Dependencies,
  { runId, spec, codes, folder, signal }: Group,
): Promise<LaidOut> {
  const blocks = blocksOf(spec);
  const stored = new Map<string, StoredFile>();
  const rasters: TiledRaster[] = [];
  for (const code of codes) {
    const own = join(folder, `parts-${code}`);
    await mkdir(own);
    const ranges = await waitOut(signal, async () => await rangesOf(dependencies.db, runId, code));
    if (ranges.length !== blocks.length) {
      // Parts are deleted when the run ends.
      const isLeft = await isGoingOn(dependencies.db, runId, dependencies.stamp);
      throw isLeft ? new Error(`output ${code} lacks parts`) : new PassGone();
    }
    const limits = { limit: readsAtOnce, signal };
    const parts = await inParallel(
      ranges,
      limits,
      async (range, each): Promise<TiledRaster['parts'][number]> => {
        const block = blocks[range.place];
        if (block === undefined) throw new Error(`there is no block ${range.place}`);
        const options = { folder: own, name: String(range.place), signal: each };
        const files = await waitOut(
          each,
          async () => await bringRange(dependencies.objectStore, range, options),
        );
        for (const [path, file] of files) stored.set(path, file);
        return { paths: [...files.keys()], tiles: [...tilesOf(windowsOfBlock(spec, block))] };
      },
    );
    rasters.push(tiledRaster({ node: nodeOf(code) }, { grid: spec.grid, parts: new Map([[code, parts]]) }));
  }
  const { geo } = dependencies.engines;
  const cogs = await despiteDeaths(
    { folder, codes },
    async (scratch) => await geo.composeRasters({ rasters, scratch, signal }),
  );
  return { cogs, stored };
}

/** Publishes an output unless it is published: a transaction without an answer may have been committed. */
async function publishOnce(
  { db, objectStore, stamp }: Dependencies,
  { run, code, signal }: { readonly run: StoredRun; readonly code: string; readonly signal: AbortSignal },
  work: (publisher: Publisher) => Promise<void>,
): Promise<void> {
  await using drafts = new AsyncDisposableStack();
  const fenced = async <T>(change: (trx: Transaction) => Promise<T>): Promise<T> =>
    await waitOut(
      signal,
      async () =>
        await inTransaction(db, async (trx) => {
          if (!(await lockNode(trx, run.id, code))) throw new NodeEnded();
          const result = await change(trx);
          await fenceOutput(trx, run.id, stamp);
          return result;
        }),
    );
  const store: Publisher['store'] = async (prefix, extension, body) =>
    await waitOut(signal, async () => {
      const key = `${prefix}/${run.id}/${randomUUID()}${extension}`;
      const content = body instanceof Readable ? addAbortSignal(signal, body) : { ...body, signal };
      drafts.use(await writeDraft(db, objectStore, key, content));
      return key;
    });
  await work({ signal, fenced, store }).catch(async (error: unknown) => {
    if (!(error instanceof NodeEnded)) throw error;
    if (!(await waitOut(signal, async () => await isGoingOn(db, run.id, stamp)))) throw new PassGone();
  });
}
