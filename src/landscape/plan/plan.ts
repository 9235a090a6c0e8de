import type { Message } from '../../lib/message.ts';
import { runFaults } from '../../messages/runs/english.ts';
import { nodes, graphVersion } from '../graph/graph.ts';
import { elevation, leaves } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import type { LandscapeParams } from '../model/params.ts';
import type { RunInput } from '../runs/input.ts';
import type { UnfitInput } from './judge-inputs.ts';
import { lowestFault, type RunFault } from '../runs/run-failed.ts';
import {
  type EarlierComputation,
  type FinishedComputation,
  type NodeReason,
  reasonOfKnown,
  reasonOfNew,
} from './reason.ts';
import type { LandscapeDatasetRef } from '../runs/schema.ts';
import { hash } from 'node:crypto';

/** The nodes of a run in the order of their codes, and those that cannot be computed; or the reason why there is no plan. */
export type RunPlan =
  | { readonly nodes: readonly NodePlan[]; readonly unfit?: RunFault }
  | { readonly fault: RunFault };

/** Returns the reason why a run cannot begin; undefined if it can. */
export const faultOf = (plan: RunPlan): RunFault | undefined => ('fault' in plan ? plan.fault : plan.unfit);

export interface NodePlan {
  readonly code: string;
  readonly fingerprint: string;
  /** Its inputs and the elevation, sorted by group. */
  readonly inputs: readonly LandscapeDatasetRef[];
  /** The dataset that it reuses or will make. */
  readonly outputId: string;
  readonly reuses: boolean;
  readonly reason: NodeReason;
  /** Period of its output: the earliest and the latest date of all inputs. */
  readonly startDate: string | null;
  readonly endDate: string | null;
}

/** A raster that represents, or will represent, a group of the graph. */
export interface DatedRaster {
  readonly id: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
}

/** The newest computation with a fingerprint, in this or an earlier run. */
export interface EarlierOutput {
  readonly runId: string;
  /** Undefined if it was deleted. */
  readonly output: DatedRaster | undefined;
}

export interface PlanDependencies {
  /** The existing rasters of leaf groups and pinned groups, by group code. */
  readonly inputs: ReadonlyMap<string, DatedRaster>;
  /** Inputs with which no run can begin; none by default. */
  readonly unfit?: readonly UnfitInput[];
  /** The last finished computation of each node, by code, if there is one. */
  readonly last: ReadonlyMap<string, FinishedComputation>;
  /** Finds the newest finished computation with each fingerprint, if there is one. */
  findEarlier(fingerprints: readonly string[]): Promise<ReadonlyMap<string, EarlierOutput>>;
  /** Creates a new dataset id. */
  newId(): string;
  /** Version of the graph. */
  readonly version?: number;
}

/**
 * Plans a run. Nodes are planned in the order of their codes, because the output of a node is part of the fingerprints of the nodes that
 * read it. Readers of a pinned group read the pin; its own node is computed nevertheless.
 */
export async function planRun(wanted: RunInput, dependencies: PlanDependencies): Promise<RunPlan> {
  const { params, overrides, fromStage } = wanted;
  const { version = graphVersion } = dependencies;
  const fault = findFault(wanted, dependencies.inputs);
  if (fault !== undefined) return { fault };
  const rasters = new Map(dependencies.inputs);
  const made = new Set<string>();
  const plans: NodePlan[] = [];
  for (const wave of waves) {
    const computations = wave.map((node) => {
      const inputs = groupsReadBy(node).map((group) => ({ group, raster: rasterOf(rasters, group) }));
      const refs = inputs.map(({ group, raster }) => ({ group, dataset_id: raster.id }));
      const facts = { code: node.code, inputs: idsOf(refs), params: paramsOf(node, params) };
      return { node, inputs, refs, fingerprint: fingerprintOf(facts, version) };
    });
    // No earlier fingerprint contains the id of a new output.
    const known = computations.filter(({ inputs }) => !inputs.some(({ group }) => made.has(group)));
    const earlier = await dependencies.findEarlier(known.map(({ fingerprint }) => fingerprint));
    for (const { node, inputs, refs, fingerprint } of computations) {
      const found = earlier.get(fingerprint);
      const reason =
        found === undefined
          ? reasonOfNew({ node, version, inputs: refs, params, made }, dependencies.last.get(node.code))
          : reasonOfKnown(toKnown(found), fromStage === null || node.stage < fromStage);
      const reused = reason.action === 'reuse' ? found?.output : undefined;
      const output = reused ?? { id: dependencies.newId(), ...periodOf(inputs.map(({ raster }) => raster)) };
      if (!Object.hasOwn(overrides, node.output.group)) {
        rasters.set(node.output.group, output);
        if (reused === undefined) made.add(node.output.group);
      }
      plans.push({
        code: node.code,
        fingerprint,
        inputs: refs,
        outputId: output.id,
        reuses: reused !== undefined,
        reason,
        startDate: output.startDate,
        endDate: output.endDate,
      });
    }
  }
  const unfit = findUnfit(plans, dependencies.unfit ?? []);
  return { nodes: plans, ...(unfit && { unfit }) };
}

/** Finds the lowest node that would have to read an unfit input; a node that reuses an output reads nothing. */
function findUnfit(plans: readonly NodePlan[], unfit: readonly UnfitInput[]): RunFault | undefined {
  const read = plans.filter(({ reuses }) => !reuses);
  const faults = read.flatMap(({ code, inputs }) =>
    unfit
      .filter(({ group }) => inputs.some((input) => input.group === group))
      .map(({ error }) => ({ nodeCode: code, error })),
  );
  return lowestFault(faults);
}

const toKnown = ({ runId, output }: EarlierOutput): EarlierComputation => ({
  runId,
  hasOutput: output !== undefined,
});

const idsOf = (refs: readonly LandscapeDatasetRef[]): ReadonlyMap<string, string> =>
  new Map(refs.map(({ group, dataset_id: id }) => [group, id]));

/**
 * Nodes in the order of their codes, divided into waves: a node that reads an output of the current wave begins the next one. Each wave
 * needs one query of earlier runs.
 */
const waves: readonly (readonly GraphNode[])[] = cutIntoWaves();

function cutIntoWaves(): GraphNode[][] {
  const cut: GraphNode[][] = [];
  for (const node of nodes) {
    const wave = cut.at(-1);
    const read = new Set(node.inputs.map(({ key }) => key));
    if (wave === undefined || wave.some(({ code }) => read.has(code))) cut.push([node]);
    else wave.push(node);
  }
  return cut;
}

/** Lists the groups of the inputs of a node and of the elevation, which defines the grid of every node, sorted. */
function groupsReadBy(node: GraphNode): string[] {
  return [...new Set([elevation, ...node.inputs].map(({ group }) => group))].toSorted();
}

function rasterOf(rasters: ReadonlyMap<string, DatedRaster>, group: string): DatedRaster {
  const raster = rasters.get(group);
  if (raster === undefined) throw new Error(`no raster for group ${group}, which a node reads`);
  return raster;
}

/** The parameters that a node depends on. */
export function paramsOf(node: GraphNode, params: LandscapeParams): Partial<LandscapeParams> {
  return Object.fromEntries(node.params.map((name) => [name, params[name]]));
}

/** Finds the first and the last date; dates are texts that sort in order of time. */
function periodOf(rasters: readonly DatedRaster[]): Pick<DatedRaster, 'startDate' | 'endDate'> {
  const dates = rasters
    .flatMap(({ startDate, endDate }) => [startDate, endDate])
    .filter((date) => date !== null)
    .toSorted();
  return { startDate: dates.at(0) ?? null, endDate: dates.at(-1) ?? null };
}

/** Finds the fault that prevents a plan: all empty leaves together, then deleted pins. */
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

/** Assigns the fault to the node with the lowest code that reads one of the groups. */
function faultOfReaders(groups: readonly string[], error: Message): RunFault {
  const reader = nodes.find((node) => groupsReadBy(node).some((group) => groups.includes(group)));
  if (reader === undefined) throw new Error(`no node reads ${groups.join(', ')}`);
  return { nodeCode: reader.code, error };
}

/** All inputs that determine the output of a node. */
interface Computation {
  readonly code: string;
  /** Dataset id by group code, always including the elevation, which defines the grid. */
  readonly inputs: ReadonlyMap<string, string>;
  /** The parameters that the node names. */
  readonly params: Partial<LandscapeParams>;
}

/** Returns the SHA-256 of a computation in lower-case hexadecimal: equal fingerprints mean equal outputs. */
export function fingerprintOf(computation: Computation, version: number = graphVersion): string {
  return hash('sha256', canonicalJson(computation, version), 'hex');
}

/** Returns canonical JSON: keys and groups are sorted, without spaces. Nodes of another graph version are different nodes. */
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
