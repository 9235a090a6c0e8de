import { runFaults } from '../../messages/datasets.ts';
import { nodes, graphVersion } from '../graph/graph.ts';
import { elevation, leaves } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import type { LandscapeParams } from '../model/params.ts';
import type { RunInput } from './input.ts';
import { lowestFault, type RunFault } from './run-failed.ts';
import type { LandscapeDatasetRef } from './schema.ts';
import { createHash } from 'node:crypto';

/** The nodes of a run in the order of their codes, or why it cannot begin. */
export type RunPlan = { readonly nodes: readonly NodePlan[] } | { readonly fault: RunFault };

export interface NodePlan {
  readonly code: string;
  readonly fingerprint: string;
  /** Its inputs and the elevation, sorted by group. */
  readonly inputs: readonly LandscapeDatasetRef[];
  /** The dataset that it reuses, or the one that it will make. */
  readonly outputId: string;
  readonly reuses: boolean;
  /** Dates of its output: when made, the earliest and the latest of all dates of its inputs. */
  readonly startDate: string | null;
  readonly endDate: string | null;
}

/** A raster that stands, or will stand, for a group of the graph. */
export interface DatedRaster {
  readonly id: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
}

export interface PlanDependencies {
  /** The raster of each leaf group and of each pinned group, by group code, as far as there is one. */
  readonly inputs: ReadonlyMap<string, DatedRaster>;
  /** The output that an earlier run has made by the same computation. */
  findReusable(fingerprint: string): Promise<DatedRaster | undefined>;
  newId(): string;
}

/**
 * Plans a run. Nodes are taken in the order of their codes, because the output of one, reused or new, is part of the
 * fingerprints of those that read it. Readers of a pinned group read the pin; its own node is computed all the same.
 */
export async function planRun(wanted: RunInput, dependencies: PlanDependencies): Promise<RunPlan> {
  const { params, overrides, fromStage } = wanted;
  const fault = findFault(wanted, dependencies.inputs);
  if (fault !== undefined) return { fault };
  const rasters = new Map(dependencies.inputs);
  const plans: NodePlan[] = [];
  for (const node of nodes) {
    const inputs = groupsReadBy(node).map((group) => [group, rasterOf(rasters, group)] as const);
    const fingerprint = fingerprintOf({
      code: node.code,
      inputs: new Map(inputs.map(([group, { id }]) => [group, id])),
      params: paramsOf(node, params),
    });
    const mayReuse = fromStage === null || node.stage < fromStage;
    const reused = mayReuse ? await dependencies.findReusable(fingerprint) : undefined;
    const output = reused ?? { id: dependencies.newId(), ...periodOf(inputs.map(([, raster]) => raster)) };
    if (!Object.hasOwn(overrides, node.output.group)) rasters.set(node.output.group, output);
    plans.push({
      code: node.code,
      fingerprint,
      inputs: inputs.map(([group, { id }]) => ({ group, dataset_id: id })),
      outputId: output.id,
      reuses: reused !== undefined,
      startDate: output.startDate,
      endDate: output.endDate,
    });
  }
  return { nodes: plans };
}

/** Lists the groups of a node's inputs and of the elevation, which fixes the grid of every node, sorted. */
function groupsReadBy(node: GraphNode): string[] {
  return [...new Set([elevation, ...node.inputs].map(({ group }) => group))].toSorted();
}

function rasterOf(rasters: ReadonlyMap<string, DatedRaster>, group: string): DatedRaster {
  const raster = rasters.get(group);
  if (raster === undefined) throw new Error(`no raster for group ${group}, which a node reads`);
  return raster;
}

function paramsOf(node: GraphNode, params: LandscapeParams): Partial<LandscapeParams> {
  return Object.fromEntries(node.params.map((name) => [name, params[name]]));
}

/** Finds the first and the last date; dates are text that orders by time. */
function periodOf(rasters: readonly DatedRaster[]): Pick<DatedRaster, 'startDate' | 'endDate'> {
  const dates = rasters
    .flatMap(({ startDate, endDate }) => [startDate, endDate])
    .filter((date) => date !== null)
    .toSorted();
  return { startDate: dates.at(0) ?? null, endDate: dates.at(-1) ?? null };
}

/** Finds what keeps a run from beginning: empty leaves, all at once, before pinned datasets that are gone. */
function findFault({ overrides }: RunInput, inputs: ReadonlyMap<string, DatedRaster>): RunFault | undefined {
  const isPinned = (group: string): boolean => Object.hasOwn(overrides, group);
  const empty = leaves.map(({ group }) => group).filter((group) => !inputs.has(group) && !isPinned(group));
  if (empty.length > 0) {
    return faultOfReaders(empty, runFaults.noReadyRaster(empty));
  }
  const lost = Object.entries(overrides).filter(([group]) => !inputs.has(group));
  return lowestFault(
    lost.map(([group, id]) => faultOfReaders([group], runFaults.datasetNotAvailable(id, group))),
  );
}

/** Blames the node with the lowest code that reads any of the groups. */
function faultOfReaders(groups: readonly string[], error: string): RunFault {
  const reader = nodes.find((node) => groupsReadBy(node).some((group) => groups.includes(group)));
  if (reader === undefined) throw new Error(`no node reads ${groups.join(', ')}`);
  return { nodeCode: reader.code, error };
}

/** Everything that the values of a node's output depend on. */
interface Computation {
  readonly code: string;
  /** Dataset id by group code; always with the elevation, which fixes the grid. */
  readonly inputs: ReadonlyMap<string, string>;
  /** Those that the node names. */
  readonly params: Partial<LandscapeParams>;
}

/** SHA-256, in lower-case hex, of a computation: equal fingerprints mean equal outputs. */
export function fingerprintOf(computation: Computation, version: number = graphVersion): string {
  return createHash('sha256').update(canonicalJson(computation, version)).digest('hex');
}

/** One text for one computation: keys and groups sorted, no blanks. Nodes of a changed graph are other nodes. */
function canonicalJson({ code, inputs, params }: Computation, version: number): string {
  return JSON.stringify({
    inputs: [...inputs].toSorted(byKey),
    node: version === 1 ? code : `${code}@${version}`,
    params: Object.fromEntries(Object.entries(params).toSorted(byKey)),
  });
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
