import { titleOfGroup, valueText } from '../runs/facts/reasons.ts';
import type { InputsWords } from './words/words.ts';
import type { LandscapeGraph, LandscapePlan } from '../../service/types.ts';

type PlannedNode = LandscapePlan['nodes'][number];

/** Nodes that share an action and a reason. */
export interface Explained {
  readonly action: PlannedNode['action'];
  /** The reason, in a clause. */
  readonly reason: string;
  /** Such as `33 Zone of permitted use V`. */
  readonly nodes: readonly string[];
}

interface Wording {
  readonly words: InputsWords;
  readonly graph: LandscapeGraph;
  /** Known names of datasets, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Up to this many nodes that follow others have separate sentences. */
const maxListedFollowers = 3;

/** The ids of the datasets that a plan mentions without describing them. */
export function unnamedIn({ inputs, nodes }: LandscapePlan): readonly string[] {
  const known = namesIn({ inputs });
  const named = nodes.flatMap((node) => node.inputs.flatMap(({ from, to }) => [from, to]));
  return [...new Set(named)].flatMap((id) => (id === null || known.has(id) ? [] : [id])).toSorted();
}

/** The names of the datasets that a plan describes, by id. */
export function namesIn({ inputs }: Pick<LandscapePlan, 'inputs'>): ReadonlyMap<string, string> {
  const datasets = inputs.flatMap(({ dataset, waiting }) => [dataset, waiting]);
  return new Map(datasets.flatMap((dataset) => (dataset === null ? [] : [[dataset.id, dataset.name]])));
}

/** Explains why each node is computed or reused; nodes with the same reason are grouped, computed ones first. */
export function explainPlan({ nodes }: LandscapePlan, wording: Wording): readonly Explained[] {
  const followers = nodes.filter((node) => isFollower(node)).length;
  const found = new Map<string, { readonly action: PlannedNode['action']; readonly nodes: string[] }>();
  for (const node of nodes) {
    const reason =
      isFollower(node) && followers > maxListedFollowers ? wording.words.upstream : reasonOf(node, wording);
    const key = `${node.action} ${reason}`;
    const group = found.get(key) ?? { action: node.action, nodes: [] };
    found.set(key, group);
    group.nodes.push(titleOf(node.node_code, wording.graph));
  }
  return [...found]
    .map(([key, { action, nodes }]) => ({ action, reason: key.slice(action.length + 1), nodes }))
    .toSorted((one, other) => rank(one) - rank(other));
}

const rank = ({ action }: Explained): number => (action === 'compute' ? 0 : 1);

/** The number and the title of a node. */
export function titleOf(code: string, { nodes }: LandscapeGraph): string {
  const title = nodes.find((node) => node.code === code)?.title;
  return title === undefined ? code : `${code} ${title}`;
}

/** The title of an input, or the number and title of an output. */
export function numberedTitle(group: string, graph: LandscapeGraph): string {
  const node = graph.nodes.find((each) => each.group === group);
  return node === undefined ? titleOfGroup(group, graph) : titleOf(node.code, graph);
}

const isOutput = (group: string, { nodes }: LandscapeGraph): boolean =>
  nodes.some((node) => node.group === group);

/** A node that is computed only because nodes that it reads are. */
function isFollower({ reason, inputs }: PlannedNode): boolean {
  return reason === 'inputs' && inputs.length > 0 && inputs.every(({ to }) => to === null);
}

function reasonOf(node: PlannedNode, wording: Wording): string {
  const { words } = wording;
  const { reason } = node;
  if (reason === null) return words.reasons.unknown;
  const details = reason === 'inputs' || reason === 'params' ? detailsOf(node, wording) : [];
  return details.length === 0 ? words.reasons[reason] : details.join('; ');
}

function detailsOf({ inputs, params }: PlannedNode, { words, graph, names }: Wording): readonly string[] {
  const nameOf = (id: string): string => quoted(names.get(id), words);
  const parameters = params.map(({ name, from, to }) => {
    const title = graph.params.find((param) => param.name === name)?.title ?? name;
    return words.changed(title, valueText(from, graph), valueText(to, graph));
  });
  const datasets = inputs.flatMap(({ group, from, to }) => {
    if (to === null) return [];
    const title = numberedTitle(group, graph);
    const isNamedAlike = from !== null && names.get(from) === names.get(to);
    if (isNamedAlike && isOutput(group, graph)) return [words.madeAgain(title)];
    return [from === null ? words.added(title, nameOf(to)) : words.changed(title, nameOf(from), nameOf(to))];
  });
  const computed = inputs.flatMap(({ group, to }) =>
    to === null ? [graph.nodes.find((node) => node.group === group)?.code ?? group] : [],
  );
  const because = computed.length === 1 ? words.because1 : words.becauseMany;
  return [...parameters, ...datasets, ...(computed.length === 0 ? [] : [because(computed.join(', '))])];
}

function quoted(name: string | undefined, words: Wording['words']): string {
  return name ?? words.unnamed;
}
