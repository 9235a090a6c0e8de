import type { ParamValue } from './run-facts.ts';
import type { RunsWords } from '../words/words.ts';
import type { LandscapeGraph, LandscapePlan } from '../../../service/types.ts';

export type PlannedNode = LandscapePlan['nodes'][number];

/** The reason of a node in a few words, with the changes; empty if it is not known. */
export function reasonOf(
  planned: PlannedNode | undefined,
  graph: LandscapeGraph,
  words: RunsWords,
): string | undefined {
  const reason = planned?.reason;
  if (planned === undefined || reason === undefined || reason === null) return undefined;
  const params = new Map(graph.params.map(({ name, title }) => [name, title]));
  const changed = [
    ...planned.params.map(({ name }) => params.get(name) ?? name),
    ...planned.inputs.map(({ group }) => titleOfGroup(group, graph)),
  ];
  const short = words.reasons[reason];
  return changed.length === 0 ? short : `${short}: ${changed.join(', ')}`;
}

/** The reason of a node in a sentence. */
export function whyOf(planned: PlannedNode, fromStage: number | null, { why }: RunsWords): string {
  if (planned.reason === null) return why.unknown;
  if (planned.reason === 'forced') return fromStage === null ? why.forcedPlain : why.forced(fromStage);
  return why[planned.reason];
}

/** Writes the value of a parameter: a number, or an order of sectors by their titles. */
export function valueText(value: ParamValue, { sectors }: LandscapeGraph): string {
  if (typeof value === 'number') return String(value);
  return value
    .map((number) => sectors.find((sector) => sector.number === number)?.title ?? String(number))
    .join(', ');
}

/** The title of a slot or of a node's output by the code of its group; the code itself if the graph does not have it. */
export function titleOfGroup(group: string, { slots, nodes }: LandscapeGraph): string {
  const found = slots.find((slot) => slot.group === group) ?? nodes.find((node) => node.group === group);
  return found?.title ?? group;
}

/** Replaces the codes of groups in the sentences of a run by titles. */
export function withTitles(sentence: string, { slots, nodes }: LandscapeGraph): string {
  const titles = new Map([...slots, ...nodes].map(({ group, title }) => [group, title]));
  return sentence.replaceAll(/[\w-]+/g, (word) => titles.get(word) ?? word);
}
