import type { GraphNode } from '../model/node.ts';
import type { LandscapeParams } from '../model/params.ts';
import type { PlannedNode } from '../runs/plan-schema.ts';
import type { LandscapeDatasetRef } from '../runs/schema.ts';

/** The stored part of a plan about a node, without its code and output. */
export type NodeReason = Omit<PlannedNode, 'node_code' | 'output'>;

/** A finished computation of a node, made or reused, and its run. */
export interface FinishedComputation {
  readonly runId: string;
  readonly version: number;
  readonly inputs: readonly LandscapeDatasetRef[];
  /** All parameters, including those of other nodes. */
  readonly params: LandscapeParams;
}

/** A planned computation of a node. */
export interface WantedComputation extends Omit<FinishedComputation, 'runId'> {
  readonly node: GraphNode;
  /** The groups whose rasters this run makes. */
  readonly made: ReadonlySet<string>;
}

/** The newest finished computation with a fingerprint. */
export interface EarlierComputation {
  readonly runId: string;
  /** False if its output was deleted. */
  readonly hasOutput: boolean;
}

const unchanged = { inputs: [], params: [] };

/** Returns the reason for a node whose fingerprint was computed before. */
export function reasonOfKnown({ runId, hasOutput }: EarlierComputation, mayReuse: boolean): NodeReason {
  const told = { ...unchanged, compared_with: runId };
  if (!hasOutput) return { action: 'compute', reason: 'output_gone', ...told };
  return mayReuse
    ? { action: 'reuse', reason: 'same', ...told }
    : { action: 'compute', reason: 'forced', ...told };
}

/**
 * Returns the reason for a node with a new fingerprint: the differences from its last finished computation. Another graph version comes
 * first, since no earlier output can be reused; then the parameters of the node, which a user has set; then its inputs, which may follow
 * from another node. All differences are listed.
 */
export function reasonOfNew(wanted: WantedComputation, last: FinishedComputation | undefined): NodeReason {
  if (last === undefined) return { action: 'compute', reason: 'first', ...unchanged, compared_with: null };
  const inputs = changedInputs(wanted, last);
  const params = changedParams(wanted, last);
  return { action: 'compute', reason: leading(), inputs, params, compared_with: last.runId };

  function leading() {
    if (wanted.version !== last?.version) return 'algorithm';
    if (params.length > 0) return 'params';
    return inputs.length > 0 ? 'inputs' : 'algorithm'; // equal according to the rows, but with another fingerprint
  }
}

function changedInputs(wanted: WantedComputation, last: FinishedComputation): NodeReason['inputs'] {
  const before = new Map(last.inputs.map(({ group, dataset_id: id }) => [group, id]));
  return wanted.inputs
    .map(({ group, dataset_id: id }) => ({ group, from: before.get(group) ?? null, to: id }))
    .filter(({ from, to }) => from !== to)
    .map((changed) => (wanted.made.has(changed.group) ? { ...changed, to: null } : changed));
}

function changedParams(
  { node, params }: WantedComputation,
  { params: before }: FinishedComputation,
): NodeReason['params'] {
  return node.params
    .map((name) => ({ name, from: before[name], to: params[name] }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}
