import { ask } from '../service/ask.ts';
import { gapsAt } from '../service/gaps.ts';
import type { LandscapeGraph } from '../service/landscape-types.ts';
import type { LoadedLayer } from './loaded-layer.ts';
import type { Reading } from './open-map.ts';

/** An input of a run that has no value at a place. */
export interface MissingInput {
  readonly group: string;
  /** In the language of the page. */
  readonly title: string;
  /** True for a slot, which has a row of its own among the inputs; false for a pinned output. */
  readonly isSlot: boolean;
}

/** A place where an output of a run has no value. */
export interface Hole {
  /** True for the zoning itself. */
  readonly isOfZoning: boolean;
  /** None where every input has a value; undefined when the service does not tell. */
  readonly missing: readonly MissingInput[] | undefined;
}

/** An output of a run, as its dataset says. */
interface RunOutput {
  readonly runId: string;
  readonly node: string;
  /** Groups that the run has pinned. */
  readonly pins: readonly string[];
}

/** Reads from the metadata of a dataset which run has made it; undefined for any other dataset. */
export function runOutputOf(meta: Readonly<Record<string, unknown>> | null): RunOutput | undefined {
  const { run_id: runId, node, overrides } = meta ?? {};
  if (typeof runId !== 'string' || typeof node !== 'string') return undefined;
  const pins = typeof overrides === 'object' && overrides !== null ? Object.keys(overrides) : [];
  return { runId, node, pins };
}

/** The uppermost output of a run that has no value where a person has clicked. */
export function holeAt(readings: readonly Reading[], layers: readonly LoadedLayer[]): RunOutput | undefined {
  for (const { id, value, bands } of readings) {
    const layer = layers.find(({ dataset }) => dataset.id === id);
    if (layer?.kind !== 'raster' || value !== undefined || bands !== undefined) continue;
    const output = runOutputOf(layer.dataset.meta);
    if (output !== undefined) return output;
  }
  return undefined;
}

/** Asks the service which inputs leave a hole. */
export async function explainHole(
  { runId, node: code, pins }: RunOutput,
  place: { readonly lon: number; readonly lat: number },
): Promise<Hole> {
  const [graph, found] = await Promise.all([
    ask<LandscapeGraph>('/landscape/graph').catch(() => undefined),
    gapsAt(runId, place).catch(() => undefined),
  ]);
  const isOfZoning = graph?.nodes.at(-1)?.code === code;
  if (graph === undefined || found === undefined) return { isOfZoning, missing: undefined };
  const read = groupsBehind(graph, code, pins);
  return {
    isOfZoning,
    missing: found.missing
      .filter((group) => read.has(group))
      .map((group) => {
        const slot = graph.slots.find((one) => one.group === group);
        const title = slot?.title ?? graph.nodes.find((one) => one.group === group)?.title ?? group;
        return { group, title, isSlot: slot !== undefined };
      }),
  };
}

/** The groups that a node depends on, up to those that are pinned. */
export function groupsBehind(
  { nodes }: Pick<LandscapeGraph, 'nodes'>,
  code: string,
  pins: readonly string[],
): ReadonlySet<string> {
  const groups = new Set<string>();
  const visit = (inputs: readonly string[]): void => {
    for (const group of inputs) {
      if (groups.has(group)) continue;
      groups.add(group);
      const made = pins.includes(group) ? undefined : nodes.find((node) => node.group === group);
      if (made !== undefined) visit(made.inputs);
    }
  };
  visit(nodes.find((node) => node.code === code)?.inputs ?? []);
  return groups;
}
