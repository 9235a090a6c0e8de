import type { GraphNode } from '../model/node.ts';
import type { LandscapeParams } from '../model/params.ts';
import type { PlannedNode } from '../runs/plan-schema.ts';
import type { LandscapeDatasetRef } from '../runs/schema.ts';

/** What a plan says about a node, without its code and output: the form in which it is stored. */
export type NodeReason = Omit<PlannedNode, 'node_code' | 'output'>;

/** A finished computation of a node, made or reused, and the run that it was in. */
export interface FinishedComputation {
  readonly runId: string;
  readonly version: number;
  readonly inputs: readonly LandscapeDatasetRef[];
  /** Complete, those of other nodes included. */
  readonly params: LandscapeParams;
}

/** A computation of a node that is being planned. */
export interface WantedComputation extends Omit<FinishedComputation, 'runId'> {
  readonly node: GraphNode;
  /** The groups whose rasters this run makes. */
  readonly made: ReadonlySet<string>;
}

/** The newest finished computation with a fingerprint. */
export interface EarlierComputation {
  readonly runId: string;
  /** False when its output was deleted. */
  readonly hasOutput: boolean;
}

const unchanged = { inputs: [], params: [] };

/** Explains a node whose fingerprint was computed before. */
export function reasonOfKnown({ runId, hasOutput }: EarlierComputation, mayReuse: boolean): NodeReason {
  const told = { ...unchanged, compared_with: runId };
  if (!hasOutput) return { action: 'compute', reason: 'output_gone', ...told };
  return mayReuse
    ? { action: 'reuse', reason: 'same', ...told }
    : { action: 'compute', reason: 'forced', ...told };
}

/**
 * Explains a node whose fingerprint is new by what differs from the last time that the node was finished. Another graph leads, since
 * nothing older can be reused; then the node's own parameters, which a user has set; then its inputs, which may only follow from
 * another node. What does not lead is listed all the same.
 */
export function reasonOfNew(wanted: WantedComputation, last: FinishedComputation | undefined): NodeReason {
  if (last === undefined) return { action: 'compute', reason: 'first', ...unchanged, compared_with: null };
  const inputs = changedInputs(wanted, last);
  const params = changedParams(wanted, last);
  return { action: 'compute', reason: leading(), inputs, params, compared_with: last.runId };

  function leading() {
    if (wanted.version !== last?.version) return 'algorithm';
    if (params.length > 0) return 'params';
    return inputs.length > 0 ? 'inputs' : 'algorithm'; // the same by the rows, and yet another fingerprint
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
