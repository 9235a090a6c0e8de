import { landscape as kazakh } from '../../messages/graph/kazakh.ts';
import { landscape as russian } from '../../messages/graph/russian.ts';
import type { GraphWords, NodeWords, SlotWords } from '../../messages/graph/english.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import { paramFacts } from '../model/params.ts';

/** The English texts of the graph, in the same form as those of other languages. */
const english: GraphWords = {
  slots: Object.fromEntries(
    leaves.map(({ key, title, quantity, source, how, labels }) => [
      key,
      { title, quantity, source, how, ...(labels !== null && { classes: labels }) },
    ]),
  ),
  nodes: Object.fromEntries(
    nodes.map(({ code, output, legend, reading }) => {
      const classes = Object.fromEntries(legend.entries.map(({ value, label }) => [value, label]));
      return [code, { title: output.title, reading, ...(legend.kind === 'values' && { classes }) }];
    }),
  ),
  params: paramFacts,
  units: Object.fromEntries(
    [...leaves, ...nodes.map(({ output }) => output)].flatMap(({ unit }) =>
      unit === null ? [] : [[unit, unit]],
    ),
  ),
  groups: {
    category: { name: 'Landscape Program', description: 'Inputs and results of the Landscape Program.' },
    slotName: (title) => `Landscape input: ${title}`,
    nodeName: (code, title) => `Landscape ${code}: ${title}`,
    missingIsZero: '; no value means 0',
    wholeNumbers: 'Whole numbers; unknown classes count as no value.',
    unit: (unit) => `Unit: ${unit}`,
    range: (min, max) => `Values from ${min} to ${max}; others count as no value.`,
    upload: (source) => `A GeoTIFF, whose first band is read; for example ${source}.`,
    madeBy: (code) => `Rasters of node ${code} of the Landscape Program, made by its runs.`,
    noValue: (value) => `${value} no value.`,
  },
};

const words: Readonly<Record<Language, GraphWords>> = { en: english, ru: russian, kk: kazakh };

/** Returns the words of the graph in a language. */
export function graphWordsIn(language: Language): GraphWords {
  return words[language];
}

/** Returns the words of a slot in a language, else the English ones. @throws {Error} when there is no such slot. */
export function slotWords(language: Language, key: string): SlotWords {
  return known(words[language].slots[key] ?? english.slots[key], key);
}

/** Returns the words of a node in a language, else the English ones. @throws {Error} when there is no such node. */
export function nodeWords(language: Language, code: string): NodeWords {
  return known(words[language].nodes[code] ?? english.nodes[code], code);
}

/** Returns a unit of the graph in a language; any other as it is. */
export function unitIn(language: Language, unit: string | null): string | null {
  return unit === null ? null : (words[language].units[unit] ?? unit);
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`the graph has no words for ${name}`);
  return found;
}
