import { formatNumber } from '../../../common/formats/numbers.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { graphVersion, nodes } from '../graph/graph.ts';
import { leadingSector } from '../graph/nodes.ts';
import { type Leaf, leaves } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import { defaultParams, paramFacts } from '../model/params.ts';
import type { LandscapeGraph } from './graph-schema.ts';
import { outputText, slotText } from './group-texts.ts';
import { landscapeCategory } from './group-rows.ts';
import { graphWordsIn, nodeWords, slotWords, unitIn } from './graph-words.ts';

/** Describes the graph in a language. */
export function describeGraph(language: Language): LandscapeGraph {
  const { classes: sectors = {} } = nodeWords(language, leadingSector.code);
  return {
    version: graphVersion,
    slots: leaves.map((leaf) => describeSlot(leaf, language)),
    nodes: nodes.map((node) => describeNode(node, language)),
    params: describeParams(language),
    sectors: leadingSector.legend.entries.map(({ value, label }) => ({
      number: value,
      title: sectors[value] ?? label,
    })),
    catalogue: {
      category: { code: landscapeCategory, ...graphWordsIn(language).groups.category },
      groups: [
        ...leaves.map((leaf) => ({ code: leaf.group, ...slotText(leaf, language) })),
        ...nodes.map((node) => ({ code: node.output.group, ...outputText(node, language) })),
      ],
    },
  };
}

function describeSlot(leaf: Leaf, language: Language): LandscapeGraph['slots'][number] {
  const { key, group, labels } = leaf;
  const { title, quantity, source, how, classes = {} } = slotWords(language, key);
  return {
    group,
    title,
    kind: leaf.type === 'uint8' ? 'classes' : 'numbers',
    unit: unitIn(language, leaf.unit),
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
    how,
  };
}

function describeNode(node: GraphNode, language: Language): LandscapeGraph['nodes'][number] {
  const { code, stage, output, inputs, params, legend } = node;
  const { title, reading, classes = {} } = nodeWords(language, code);
  const unit = unitIn(language, output.unit);
  const labelOf = (value: number, label: string): string => {
    if (legend.kind === 'values') return classes[value] ?? label;
    // English labels are those of the styles, with or without a unit.
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

function describeParams(language: Language): LandscapeGraph['params'] {
  const words = graphWordsIn(language).params;
  const facts = new Map(Object.entries(paramFacts));
  return Object.entries(defaultParams).flatMap(([name, value]) => {
    const fact = facts.get(name);
    if (fact === undefined) return [];
    const { title, description } = words[name] ?? fact;
    const [minimum, maximum] = fact.limits ?? [null, null];
    return [{ name, title, description, minimum, maximum, default: value }];
  });
}
