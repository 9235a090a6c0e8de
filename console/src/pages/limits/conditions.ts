import { slotPrefix } from '../../service/groups.ts';
import type { LandscapeGraph } from '../../service/types.ts';

export const comparisons = ['<', '<=', '=', '!=', '>=', '>'] as const;
export const maxConditions = 8;

/** A condition on a raster of a run, as in its form. */
export interface Condition {
  /** Key of a slot, or code of a node. */
  readonly band: string;
  readonly comparison: (typeof comparisons)[number];
  /** The text as it was typed. */
  readonly value: string;
}

/** A raster for conditions; with classes if it has classed values. */
export interface ConditionBand {
  readonly key: string;
  readonly title: string;
  readonly unit: string | null;
  readonly classes: readonly { readonly value: number; readonly label: string }[] | undefined;
}

/** The slots, then the nodes, in the order of the graph. */
export function bandsOf({ slots, nodes }: Pick<LandscapeGraph, 'slots' | 'nodes'>): readonly ConditionBand[] {
  return [
    ...slots.map(({ group, title, unit, classes }) => ({
      key: group.replace(slotPrefix, ''),
      title,
      unit,
      classes: classes ?? undefined,
    })),
    ...nodes.map(({ code, title, unit, legend }) => ({
      key: code,
      title: `${code} ${title}`,
      unit,
      classes: legend.kind === 'values' ? legend.entries : undefined,
    })),
  ];
}

/** Reads conditions in the format of the address and of the service; invalid ones are left out. */
export function readConditions(text: string): readonly Condition[] {
  return text
    .split(';')
    .flatMap((part): Condition[] => {
      const [, band, written, value] = /^\s*([\w-]+?)\s*(<=|>=|!=|=|<|>)\s*(\S+)\s*$/.exec(part) ?? [];
      const comparison = comparisons.find((each) => each === written);
      return band === undefined || comparison === undefined || value === undefined
        ? []
        : [{ band, comparison, value }];
    })
    .slice(0, maxConditions);
}

/** Writes conditions; undefined if there are none, or if the value of one is not a number. */
export function writeConditions(conditions: readonly Condition[]): string | undefined {
  const parts = conditions.map(({ band, comparison, value }) => {
    const plain = value.trim().replace('−', '-').replace(',', '.');
    return /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(plain) ? `${band}${comparison}${Number(plain)}` : undefined;
  });
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join(';');
}
