import type { Properties } from './filter.ts';
import type { Rule } from './sld-read.ts';
import type { Scales } from './sld-rule.ts';

/** True when a denominator of scale is within a range. */
const isWithin = (denominator: number, [from, to]: Scales) => denominator >= from && denominator < to;

/**
 * Returns the rules that draw something with these properties at a scale, in the order of drawing. Each layer of a style has
 * rules for the rest of its own: they draw what none of its other rules takes.
 */
export function takenRules(
  rules: readonly Rule[],
  properties: Properties,
  denominator: number,
): readonly Rule[] {
  const inScale = rules.filter(({ scales }) => isWithin(denominator, scales));
  const takes = ({ filter }: Rule) => filter !== 'else' && filter(properties);
  const taken = new Set(inScale.filter(takes));
  const takenLayers = new Set([...taken].map(({ layer }) => layer));
  return inScale.filter(
    (rule) => taken.has(rule) || (rule.filter === 'else' && !takenLayers.has(rule.layer)),
  );
}
