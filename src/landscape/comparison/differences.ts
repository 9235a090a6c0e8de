import { nodeByCode, nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import { type LandscapeParams, type ParamName, paramFacts } from '../model/params.ts';
import type { LandscapeRun } from '../runs/schema.ts';

/** A parameter that differs between two runs. */
export interface ParamDifference {
  readonly name: ParamName;
  readonly a: number | number[];
  readonly b: number | number[];
  /** False when the node does not depend on the parameter. */
  readonly matters: boolean;
}

/** An input that differs between two runs; a dataset is null when the run has computed the input itself. */
export interface InputDifference {
  readonly group: string;
  /** Key of a slot, or code of a node. */
  readonly key: string;
  readonly a: string | null;
  readonly b: string | null;
  readonly matters: boolean;
}

/** The inputs and parameters on which the values of a node depend in a run. */
interface Behind {
  readonly params: ReadonlySet<string>;
  /** Group codes of its inputs, up to pinned ones. */
  readonly groups: ReadonlySet<string>;
}

type ComparedRun = Pick<LandscapeRun, 'params' | 'overrides' | 'nodes'>;

const paramNames = Object.keys(paramFacts).filter((name): name is ParamName => name in paramFacts);

/** Lists the parameters that differ, in the order of the graph. @param node the compared node. */
export function paramsThatDiffer(
  node: GraphNode,
  a: ComparedRun,
  b: ComparedRun,
): readonly ParamDifference[] {
  const [behindA, behindB] = [behind(node, a), behind(node, b)];
  return paramNames.flatMap((name) => {
    const [one, two] = [valueOf(a.params, name), valueOf(b.params, name)];
    if (String(one) === String(two)) return [];
    const matters = behindA.params.has(name) || behindB.params.has(name);
    return [{ name, a: one, b: two, matters }];
  });
}

const valueOf = (params: LandscapeParams, name: ParamName): number | number[] => params[name];

/** Lists the inputs that differ: slots, and outputs that either run has pinned, in the order of the graph. */
export function inputsThatDiffer(
  node: GraphNode,
  a: ComparedRun,
  b: ComparedRun,
): readonly InputDifference[] {
  const [behindA, behindB] = [behind(node, a), behind(node, b)];
  const [readByA, readByB] = [readBy(a), readBy(b)];
  const bands = [...leaves, ...nodes.map(({ output }) => output)];
  return bands.flatMap(({ group, key }) => {
    const [one, two] = [readByA.get(group) ?? null, readByB.get(group) ?? null];
    if (one === two) return [];
    return [{ group, key, a: one, b: two, matters: behindA.groups.has(group) || behindB.groups.has(group) }];
  });
}

const slots = new Set(leaves.map(({ group }) => group));

/** Returns dataset ids by group code, of slots and pinned groups. */
function readBy({ nodes: ofRun, overrides }: ComparedRun): ReadonlyMap<string, string> {
  const refs = (ofRun ?? []).flatMap(({ inputs }) => inputs ?? []);
  return new Map(
    refs
      .filter(({ group }) => slots.has(group) || Object.hasOwn(overrides, group))
      .map(({ group, dataset_id: id }) => [group, id]),
  );
}

function behind(node: GraphNode, { overrides }: ComparedRun): Behind {
  const [params, groups] = [new Set<string>(), new Set<string>()];
  const visit = (one: GraphNode): void => {
    for (const name of one.params) params.add(name);
    for (const { key, group } of one.inputs) {
      if (groups.has(group)) continue;
      groups.add(group);
      const next = Object.hasOwn(overrides, group) ? undefined : nodeByCode(key);
      if (next !== undefined) visit(next);
    }
  };
  visit(node);
  return { params, groups };
}
