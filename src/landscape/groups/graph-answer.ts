import { formatNumber } from '../../maps/legend/labels.ts';
import type { GraphWords } from '../../messages/landscape.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { graphVersion, nodes } from '../graph/graph.ts';
import { leadingSector } from '../graph/nodes.ts';
import type { Band } from '../model/bands.ts';
import { type Leaf, leaves } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import { defaultParams, paramFacts } from '../model/params.ts';
import type { LandscapeGraph } from './graph-schema.ts';
import { graphWordsIn } from './graph-words.ts';

/** Describes the graph in a language. */
export function describeGraph(language: Language): LandscapeGraph {
  const words = graphWordsIn(language);
  return {
    version: graphVersion,
    slots: leaves.map((leaf) => describeSlot(leaf, words)),
    nodes: nodes.map((node) => describeNode(node, words, language)),
    params: describeParams(words),
    sectors: leadingSector.legend.entries.map(({ value, label }) => ({
      number: value,
      title: words.nodes[leadingSector.code]?.classes[value] ?? label,
    })),
  };
}

function describeSlot(leaf: Leaf, words: GraphWords): LandscapeGraph['slots'][number] {
  const { key, group, labels, ...english } = leaf;
  const { title, quantity, source, classes } = words.slots[key] ?? { ...english, classes: {} };
  return {
    group,
    title,
    kind: leaf.type === 'uint8' ? 'classes' : 'numbers',
    unit: unitIn(words, leaf),
    range: leaf.type === 'uint8' || leaf.range === undefined ? null : [...leaf.range],
    classes:
      labels === null
        ? null
        : Object.entries(labels).map(([value, label]) => ({
            value: Number(value),
            label: classes[Number(value)] ?? label,
          })),
    zero_where_missing: leaf.type === 'uint8' && leaf.zeroWhereMissing === true,
    quantity,
    source,
  };
}

function describeNode(
  node: GraphNode,
  words: GraphWords,
  language: Language,
): LandscapeGraph['nodes'][number] {
  const { code, stage, output, inputs, params, legend } = node;
  const { title, reading, classes } = words.nodes[code] ?? { ...node, title: output.title, classes: {} };
  const unit = unitIn(words, output);
  const labelOf = (value: number, label: string): string => {
    if (legend.kind === 'values') return classes[value] ?? label;
    // English labels write numbers as the styles do, and a unit behind those that have one.
    if (language === 'en') return label;
    const number = formatNumber(value, language, 2);
    return label === String(value) || unit === null ? number : `${number} ${unit}`;
  };
  return {
    code,
    stage,
    group: output.group,
    title,
    unit,
    inputs: inputs.map(({ group }) => group),
    params: [...params],
    legend: {
      kind: legend.kind,
      entries: legend.entries.map(({ value, color, label }) => ({
        value,
        color,
        label: labelOf(value, label),
      })),
    },
    reading,
  };
}

function unitIn(words: GraphWords, { unit }: Band): string | null {
  return unit === null ? null : (words.units[unit] ?? unit);
}

function describeParams(words: GraphWords): LandscapeGraph['params'] {
  const facts = new Map(Object.entries(paramFacts));
  return Object.entries(defaultParams).flatMap(([name, value]) => {
    const fact = facts.get(name);
    if (fact === undefined) return [];
    const { title, description } = words.params[name] ?? fact;
    const [minimum, maximum] = fact.limits ?? [null, null];
    return [{ name, title, description, minimum, maximum, default: value }];
  });
}
