import { createHash, randomUUID } from 'node:crypto';
import type { PendingResult } from '../../jobs/results.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { enqueueJob } from '../../jobs/enqueue.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { zoningWords } from '../../messages/landscape/zoning.ts';
import { landscapeProblems } from '../../messages/landscape/runs.ts';
import { layerByName } from '../graph/layers/layer-by-name.ts';
import type { WhereLayerName } from '../graph/layers/where-layer.ts';
import type { Band } from '../model/bands.ts';
import type { Layer } from '../model/layer.ts';
import { elevation } from '../model/leaves.ts';
import { readRun, type StoredRun } from '../runs/run-rows.ts';

/** Those that clients can read. */
export const layerNames = ['cells'] as const;
export type LayerName =
  | (typeof layerNames)[number]
  | `limits-${'21' | '22' | '23' | '24' | '25'}`
  | WhereLayerName;

export function isLayerName(name: string): name is (typeof layerNames)[number] {
  return layerNames.some((each) => each === name);
}

/** A layer that is stored. */
export interface MadeLayer {
  readonly isPending: false;
  readonly id: string;
  readonly cogKey: string;
  /** Null for a grid that cannot be drawn on a map. */
  readonly meshKey: string | null;
  /** Of the COG, in hexadecimal digits; null where it is not known. */
  readonly sha256: string | null;
}

interface LayerDependencies {
  readonly db: Database;
  readonly messageQueue: MessageQueue;
}

/** Reads a run that has a zoning. @throws {Problem} `not_found`, `conflict` before it has ended. */
export async function readZonedRun(db: Database, id: string): Promise<StoredRun> {
  const run = await readRun(db, id);
  if (run === undefined) throw landscapeProblems.noSuchRun();
  if (run.status === 'failed') throw zoningWords.ofFailedRun();
  if (run.status !== 'succeeded') throw zoningWords.notYet();
  return run;
}

/**
 * Returns a layer of a run, or enqueues its making: idempotent, and once for all runs that have the same inputs. Any number of processes
 * may do this at once, and any may die. @throws {Problem} as `readZonedRun`; `not_found` when an input was deleted, `conflict` when it
 * could not be made
 */
export async function layerOf(
  dependencies: LayerDependencies,
  runId: string,
  name: LayerName,
): Promise<MadeLayer | PendingResult> {
  return await layerOfRun(dependencies, await readZonedRun(dependencies.db, runId), name);
}

/** Does the same for a run that was read. */
export async function layerOfRun(
  { db, messageQueue }: LayerDependencies,
  run: StoredRun,
  name: LayerName,
): Promise<MadeLayer | PendingResult> {
  const inputs = inputsOfLayer(run, knownLayer(name));
  const found = await findLayer(db, inputs.key);
  if (found !== undefined) return found;
  const enqueued = await inTransaction(db, async (trx) => await enqueueLayer(trx, run, name, inputs));
  if (enqueued === undefined) return await layerOfRun({ db, messageQueue }, run, name); // another process was faster
  await messageQueue.notify(enqueued.jobId, 'datasets');
  return { isPending: true, ref: enqueued.id };
}

/** Finds a layer of a run that was read; undefined where nothing has asked for it. @throws {Problem} as `layerOf` */
export async function findLayerOfRun(
  db: Database,
  run: StoredRun,
  name: LayerName,
): Promise<MadeLayer | PendingResult | undefined> {
  return await findLayer(db, inputsOfLayer(run, knownLayer(name)).key);
}

async function findLayer(db: Database, key: string): Promise<MadeLayer | PendingResult | undefined> {
  const row = await db
    .selectFrom('landscape_layers')
    .leftJoin('objects', 'objects.key', 'landscape_layers.cog_key')
    .select(['id', 'landscape_layers.state', 'cog_key', 'mesh_key', 'sha256'])
    .where('landscape_layers.key', '=', key)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.state === 'failed') throw zoningWords.layerFailed();
  if (row.cog_key === null) return { isPending: true, ref: row.id };
  return {
    isPending: false,
    id: row.id,
    cogKey: row.cog_key,
    meshKey: row.mesh_key,
    sha256: row.sha256?.toString('hex') ?? null,
  };
}

/** Undefined when another process was faster. */
async function enqueueLayer(
  trx: Transaction,
  run: StoredRun,
  layer: LayerName,
  { key, sources }: LayerInputs,
): Promise<{ readonly id: string; readonly jobId: string } | undefined> {
  const ids = [...new Set(sources.map(({ datasetId }) => datasetId))];
  const there = await trx
    .selectFrom('datasets')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '=', 'ready')
    .orderBy('id')
    .forKeyShare()
    .execute();
  const gone = sources.find(({ datasetId }) => !there.some(({ id }) => id === datasetId));
  if (gone !== undefined) throw zoningWords.inputGone(gone.band.group);
  const id = randomUUID();
  const inserted = await trx
    .insertInto('landscape_layers')
    .values({ id, key, layer, run_id: run.id, state: 'pending' })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted === undefined) return undefined;
  await trx
    .insertInto('landscape_layer_inputs')
    .values(ids.map((dataset_id) => ({ layer_id: id, dataset_id })))
    .execute();
  return { id, jobId: await enqueueJob(trx, 'make-layer', id) };
}

/** What a layer is made of. */
interface LayerInputs {
  /** The elevation, whose grid it has, and then its inputs. */
  readonly sources: readonly { readonly band: Band; readonly datasetId: string }[];
  /** Equal for layers with equal pixels. */
  readonly key: string;
}

/** Finds what a layer of a run is made of: rasters as its nodes have read them. */
export function inputsOfLayer({ nodes, graphVersion }: StoredRun, layer: Layer): LayerInputs {
  const datasets = new Map(nodes.flatMap(({ inputs }) => [...inputs]));
  const outputs = new Map(nodes.map(({ code, outputId }) => [code, outputId]));
  const sources = [...new Set([elevation, ...layer.inputs])].map((band) => {
    // No node reads the last one.
    const datasetId = datasets.get(band.group) ?? outputs.get(band.key) ?? undefined;
    if (datasetId === undefined) throw new Error(`the run was planned without ${band.group}`);
    return { band, datasetId };
  });
  const named = sources.map(({ band, datasetId }) => [band.key, datasetId]);
  const text = JSON.stringify({ graph: graphVersion ?? 1, layer: layer.name, inputs: named });
  return { sources, key: createHash('sha256').update(text).digest('hex') };
}

/** @throws {Error} when this release makes no such layer. */
export function knownLayer(name: string): Layer {
  const layer = layerByName(name);
  if (layer === undefined) throw new Error(`the graph has no layer ${name}`);
  return layer;
}
