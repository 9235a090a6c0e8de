import type { Rgba } from '../style/colour-map.ts';
import type { Rule } from '../style/sld-read.ts';

/** What a class stands for: numbers, of which either end may be infinite and the lower belongs to it, with `upTo` the upper, or words. */
export type ClassLabel =
  | { readonly kind: 'range'; readonly from: number; readonly to: number; readonly upTo?: true }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'others' };

/** An entry of a legend. */
export interface LegendEntry {
  readonly colour: Rgba;
  readonly label: ClassLabel;
  /** The numbers that it stands for, where its label is words. */
  readonly range?: { readonly from: number; readonly to: number };
  /** How it is shown: an area, a line or a point. */
  readonly sign: 'area' | 'line' | 'point';
  /** A class that is there for its number alone: it has no colour, or no pixel has it. */
  readonly isHidden: boolean;
}

/** A legend is a list of classes, or a ramp from one number to another. */
export type LegendModel =
  | { readonly kind: 'classes'; readonly entries: readonly LegendEntry[] }
  | { readonly kind: 'ramp'; readonly stops: readonly { readonly value: number; readonly colour: Rgba }[] }
  | { readonly kind: 'colours' };

const signs = { polygon: 'area', line: 'line', point: 'point' } as const;

/** Returns what a legend shows of rules, each by its uppermost sign with a colour; rules without colours have no entry. */
export function ruleEntries(rules: readonly Pick<Rule, 'title' | 'signs'>[]): readonly LegendEntry[] {
  return rules.flatMap(({ title, signs: drawn }): LegendEntry[] => {
    const sign = drawn.findLast(({ fill, stroke }) => fill !== undefined || stroke !== undefined);
    const colour = sign?.fill ?? sign?.stroke?.colour;
    if (sign === undefined || colour === undefined) return [];
    return [{ colour, label: { kind: 'text', text: title }, sign: signs[sign.kind], isHidden: false }];
  });
}
