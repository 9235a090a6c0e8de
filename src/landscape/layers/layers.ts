import { hash } from 'node:crypto';
import { sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { digestOf } from '../../areas/area-counts.ts';
import { type PendingResult, type ResultKind, want } from '../../jobs/results.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { limitProblems, zoningWords } from '../../messages/zoning/english.ts';
import { landscapeProblems } from '../../messages/runs/english.ts';
import { layerByName } from '../graph/layers/layer-by-name.ts';
import { type WhereLayerName, wherePrefix } from '../graph/layers/where-layer.ts';
import type { Band } from '../model/bands.ts';
import type { Layer } from '../model/layer.ts';
import { elevation } from '../model/leaves.ts';
import { readRun, type StoredRun } from '../runs/run-rows.ts';

/** The layers that clients can read. */
export const layerNames = ['cells'] as const;
export type LayerName =
  | (typeof layerNames)[number]
  | `limits-${'21' | '22' | '23' | '24' | '25'}`
  | WhereLayerName;

export function isLayerName(name: string): name is (typeof layerNames)[number] {
  return layerNames.some((each) => each === name);
}

/** A stored layer. */
export interface MadeLayer {
  readonly isPending: false;
  readonly id: string;
  readonly cogKey: string;
  /** Null for a grid that cannot be drawn on a map. */
  readonly meshKey: string | null;
  /** SHA-256 of the COG, hexadecimal; null if unknown. */
  readonly sha256: string | null;
}

export const layers = {
  job: 'make-layer',
  table: 'landscape_layers',
  among: sql<SqlBool>`not starts_with(layer, ${wherePrefix})`,
  content: z.object({ cog_key: z.string(), mesh_key: z.string().nullable() }),
  kept: sql`interval '90 days'`,
  notNow: zoningWords.layerNotMade,
  refuse: zoningWords.layerFailed,
} as const satisfies ResultKind<z.ZodRawShape>;
/** Layers of conditions, of which there may be any number. */
export const whereLayers = {
  ...layers,
  among: sql<SqlBool>`starts_with(layer, ${wherePrefix})`,
  mostKept: 64,
  waiting: { most: 16, refuse: limitProblems.tooManyConditions },
} as const satisfies ResultKind<z.ZodRawShape>;

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
 * Returns a layer of a run, or enqueues the job that makes it. Idempotent, and shared by all runs with the same inputs. Any number of
 * processes may call this at once, and may be interrupted anywhere.
 * @throws {Problem} as `readZonedRun`; `not_found` when an input was deleted, `conflict` when it could not be made
 */
export async function layerOf(
  dependencies: LayerDependencies,
  runId: string,
  name: LayerName,
): Promise<MadeLayer | PendingResult> {
  return await layerOfRun(dependencies, await readZonedRun(dependencies.db, runId), name);
}

/** Returns the layer of a run that was already read. */
export async function layerOfRun(
  dependencies: LayerDependencies,
  run: StoredRun,
  name: LayerName,
): Promise<MadeLayer | PendingResult> {
  const { key, sources } = inputsOfLayer(run, knownLayer(name));
  const datasetIds = [...new Set(sources.map(({ datasetId }) => datasetId))];
  const found = await want(dependencies, name.startsWith(wherePrefix) ? whereLayers : layers, key, {
    columns: { layer: name, run_id: run.id },
    lock: async (trx) => await keepSources(trx, sources, datasetIds),
    link: async (trx, id) =>
      await trx
        .insertInto('landscape_layer_inputs')
        .values(datasetIds.map((dataset_id) => ({ layer_id: id, dataset_id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  });
  if (found.isPending) return found;
  const { cog_key: cogKey, mesh_key: meshKey } = found.content;
  return { isPending: false, id: found.id, cogKey, meshKey, sha256: await digestOf(dependencies.db, cogKey) };
}

/** Locks the rasters of a layer until the transaction ends. @throws {Problem} when one was deleted */
async function keepSources(
  trx: Transaction,
  sources: LayerInputs['sources'],
  datasetIds: readonly string[],
): Promise<void> {
  const there = await trx
    .selectFrom('datasets')
    .select('id')
    .where('id', 'in', datasetIds)
    .where('status', '=', 'ready')
    .orderBy('id')
    .forKeyShare()
    .execute();
  const gone = sources.find(({ datasetId }) => !there.some(({ id }) => id === datasetId));
  if (gone !== undefined) throw zoningWords.inputGone(gone.band.group);
}

/** The inputs of a layer. */
interface LayerInputs {
  /** The elevation, which defines the grid, followed by the inputs of the layer. */
  readonly sources: readonly { readonly band: Band; readonly datasetId: string }[];
  /** Equal for layers with equal pixels. */
  readonly key: string;
}

/** Returns the inputs of a layer of a run: rasters as its nodes have read them. */
export function inputsOfLayer({ nodes, graphVersion }: StoredRun, layer: Layer): LayerInputs {
  const datasets = new Map(nodes.flatMap(({ inputs }) => [...inputs]));
  const outputs = new Map(nodes.map(({ code, outputId }) => [code, outputId]));
  const sources = [...new Set([elevation, ...layer.inputs])].map((band) => {
    // No node reads the output of the last node.
    const datasetId = datasets.get(band.group) ?? outputs.get(band.key) ?? undefined;
    if (datasetId === undefined) throw new Error(`the run was planned without ${band.group}`);
    return { band, datasetId };
  });
  const named = sources.map(({ band, datasetId }) => [band.key, datasetId]);
  const text = JSON.stringify({ graph: graphVersion ?? 1, layer: layer.name, inputs: named });
  return { sources, key: hash('sha256', text, 'hex') };
}

/** Returns a layer by name. @throws {Error} when this release does not know it. */
export function knownLayer(name: string): Layer {
  const layer = layerByName(name);
  if (layer === undefined) throw new Error(`the graph has no layer ${name}`);
  return layer;
}
