import { titleOfGroup, valueText } from './reasons.ts';
import { changedParams } from './run-facts.ts';
import type { RunsWords } from '../words/words.ts';
import type { LandscapeGraph, LandscapeRun } from '../../../service/types.ts';

interface Beside {
  readonly graph: LandscapeGraph;
  /** The previous run, if it is known. */
  readonly before: LandscapeRun | undefined;
  readonly words: RunsWords;
}

/** A larger number of inputs is counted instead of listed. */
const namedInputs = 3;

/**
 * Returns short phrases that distinguish a run from others: settings that differ from defaults, pins, and inputs that
 * differ from those of the previous run.
 */
export function differencesOf(run: LandscapeRun, { graph, before, words }: Beside): readonly string[] {
  const { list, settings } = words;
  const own = [
    ...changedParams(run.params, graph).map(
      ({ param, value }) => `${param.title}: ${valueText(value, graph)}`,
    ),
    ...(run.from_stage === null ? [] : [list.again(run.from_stage)]),
    ...Object.keys(run.overrides).map((group) => settings.pinned(titleOfGroup(group, graph))),
  ];
  const isAlike = before !== undefined && settingsOf(before) === settingsOf(run);
  const inputs = newInputs(run, before, graph);
  if (isAlike && inputs?.length === 0) return [list.asBefore];
  const titles = (inputs ?? []).map((group) => titleOfGroup(group, graph));
  const others =
    titles.length > namedInputs
      ? [list.countOthers(titles.length)]
      : titles.map((title) => list.other(title));
  const phrases = [...own, ...others];
  return phrases.length === 0 ? [list.usual] : phrases;
}

function settingsOf({ params, overrides, from_stage }: LandscapeRun): string {
  const sorted = (values: object) =>
    Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([sorted(params), sorted(overrides), from_stage]);
}

/** The slots for which a run has read another dataset than the previous run; pinned ones are among the settings. */
function newInputs(
  run: LandscapeRun,
  before: LandscapeRun | undefined,
  { slots }: LandscapeGraph,
): readonly string[] | undefined {
  const [now, then] = [inputsOf(run), before && inputsOf(before)];
  if (now === undefined || then === undefined) return undefined;
  return slots
    .map(({ group }) => group)
    .filter((group) => !Object.hasOwn(run.overrides, group))
    .filter((group) => now.has(group) && now.get(group) !== then.get(group));
}

/** Datasets by group; undefined if the nodes are not known, or have read nothing. */
function inputsOf({ nodes }: LandscapeRun): ReadonlyMap<string, string> | undefined {
  const read = (nodes ?? []).flatMap(({ inputs }) => inputs ?? []);
  return read.length === 0 ? undefined : new Map(read.map(({ group, dataset_id: id }) => [group, id]));
}
