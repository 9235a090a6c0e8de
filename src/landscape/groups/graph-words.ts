import type { GraphWords } from '../../messages/landscape.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import { paramFacts } from '../model/params.ts';

/** The English words of the graph, in the form in which other languages have theirs. */
const english: GraphWords = {
  slots: Object.fromEntries(
    leaves.map(({ key, title, quantity, source, labels }) => [
      key,
      { title, quantity, source, classes: labels ?? {} },
    ]),
  ),
  nodes: Object.fromEntries(
    nodes.map(({ code, output, legend, reading }) => {
      const classes = legend.kind === 'values' ? legend.entries : [];
      const labels = Object.fromEntries(classes.map(({ value, label }) => [value, label]));
      return [code, { title: output.title, reading, classes: labels }];
    }),
  ),
  params: paramFacts,
  units: Object.fromEntries(
    [...leaves, ...nodes.map(({ output }) => output)].flatMap(({ unit }) =>
      unit === null ? [] : [[unit, unit]],
    ),
  ),
  slotGroup: (title) => `Landscape input: ${title}`,
  nodeGroup: (code, title) => `Landscape ${code}: ${title}`,
};

const words: Readonly<Record<Language, GraphWords>> = { en: english, ru: english, kk: english };

/** Returns the words of the graph in a language. */
export function graphWordsIn(language: Language): GraphWords {
  return words[language];
}
