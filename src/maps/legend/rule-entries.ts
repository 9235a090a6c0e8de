import type { Rule } from '../style/sld-read.ts';
import type { LegendEntry } from './model.ts';

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
