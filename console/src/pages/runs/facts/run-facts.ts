import type { LandscapeGraph, LandscapePlan, LandscapeRun } from '../../../service/types.ts';

export type RunNode = NonNullable<LandscapeRun['nodes']>[number];

/** The state of a node: `waiting` if nothing is known of it, or `unreached` if the run has ended. */
export type NodeState = 'computed' | 'reused' | 'running' | 'waiting' | 'failed' | 'unreached';

/** `cancelled` is a failure without a failed node. */
export type RunState = LandscapeRun['status'] | 'cancelled';

export const hasEnded = ({ status }: LandscapeRun): boolean => status === 'succeeded' || status === 'failed';

/** Runs of an earlier release have the sentence of their failure alone: a failed run without a failed node was cancelled. */
export function runStateOf({ status, failure, nodes }: LandscapeRun): RunState {
  if (status !== 'failed') return status;
  if (failure !== undefined) return failure.code === 'run_fault.cancelled' ? 'cancelled' : 'failed';
  return nodes?.some((node) => node.status === 'failed') === false ? 'cancelled' : 'failed';
}

export function nodeStateOf({ status }: RunNode, run: LandscapeRun): NodeState {
  if (status === 'succeeded') return 'computed';
  if (status === 'skipped') return 'reused';
  if (status === 'failed') return 'failed';
  if (hasEnded(run)) return 'unreached';
  return status === 'running' ? 'running' : 'waiting';
}

/** Counts the nodes in each state. */
export function countStates(run: LandscapeRun): Readonly<Record<NodeState, number>> {
  const counts = { computed: 0, reused: 0, running: 0, waiting: 0, failed: 0, unreached: 0 };
  for (const node of run.nodes ?? []) counts[nodeStateOf(node, run)] += 1;
  return counts;
}

type Step = 'waiting' | 'now' | 'done' | 'none';

/** The progress of a run. The nodes of a pass are computed together, so only the progress of the pass is known. */
export interface Phases {
  readonly plan: Step;
  /** `share` of the pixels, from 0 to 1. */
  readonly compute: { readonly step: Step; readonly share: number };
  /** Number of stored maps, out of those that the run computes. */
  readonly publish: { readonly step: Step; readonly stored: number; readonly of: number };
}

/** Finds the phases of a run that has not ended, by the statuses and the progress of its nodes alone. */
export function phasesOf(run: LandscapeRun): Phases | undefined {
  if (hasEnded(run) || run.nodes === null) return undefined;
  if (run.status === 'queued')
    return {
      plan: 'waiting',
      compute: { step: 'waiting', share: 0 },
      publish: { step: 'waiting', stored: 0, of: 0 },
    };
  const running = run.nodes.filter(({ status }) => status === 'running');
  const stored = run.nodes.filter(({ status }) => status === 'succeeded').length;
  const of = running.length + stored;
  if (of === 0)
    return {
      plan: 'done',
      compute: { step: 'none', share: 0 },
      publish: { step: 'none', stored: 0, of: 0 },
    };
  const share = Math.min(1, ...running.map(({ progress = 0 }) => progress));
  const isComputed = share === 1;
  const publishing: Step = isComputed ? 'now' : 'waiting';
  return {
    plan: 'done',
    compute: { step: isComputed ? 'done' : 'now', share },
    publish: { step: running.length === 0 ? 'done' : publishing, stored, of },
  };
}

/** Counts the runs that are executed before this one: runs are executed one at a time, oldest first. */
export function runsBefore({ id, created_at: since }: LandscapeRun, runs: readonly LandscapeRun[]): number {
  return runs.filter(
    (other) =>
      other.id !== id &&
      !hasEnded(other) &&
      (other.status === 'running' || Date.parse(other.created_at) < Date.parse(since)),
  ).length;
}

/** The node that no other node reads: the result of the program. */
export function lastNodeOf({ nodes }: LandscapeGraph): LandscapeGraph['nodes'][number] | undefined {
  const read = new Set(nodes.flatMap(({ inputs }) => inputs));
  return nodes.findLast(({ group }) => !read.has(group));
}

export type ParamValue = number | readonly number[];

/** The parameters of a run that differ from their defaults. */
export function changedParams(
  params: LandscapeRun['params'],
  graph: Pick<LandscapeGraph, 'params'>,
): readonly { readonly param: LandscapeGraph['params'][number]; readonly value: ParamValue }[] {
  const values: Readonly<Record<string, ParamValue>> = params;
  return graph.params.flatMap((param) => {
    const value = values[param.name];
    return value === undefined || String(value) === String(param.default) ? [] : [{ param, value }];
  });
}

/**
 * The slots that caused a failure: those without a ready raster or with an unusable one, and those in the facts of its
 * sentence. For a fault of the reference raster it is the slot that every node reads, since all outputs have its grid.
 */
export function slotsToBlame(
  run: LandscapeRun,
  plan: LandscapePlan | undefined,
  { slots }: LandscapeGraph,
): readonly LandscapeGraph['slots'][number][] {
  if (run.status !== 'failed') return [];
  const failures = (run.nodes ?? []).flatMap(({ failure }) => failure ?? []);
  const unfit = (plan?.inputs ?? []).filter(
    ({ findings = [] }) => findings[0]?.severity === 'stops', // the worst comes first
  );
  const named = new Set<unknown>([
    ...(plan?.missing ?? []),
    ...unfit.map(({ group }) => group),
    ...failures.flatMap(({ facts }) => facts.flat()),
  ]);
  const found = slots.filter(({ group }) => named.has(group));
  if (found.length > 0 || !failures.some(({ code }) => code.startsWith('run_fault.reference'))) return found;
  const isReadByAll = (group: string): boolean =>
    (run.nodes ?? []).every(({ inputs }) => inputs?.some((input) => input.group === group) === true);
  return slots.filter(({ group }) => isReadByAll(group));
}
