import type { FindMapWords, MapWords } from '../../maps/service/map-words.ts';
import type { Language } from '../../messages/languages/translate.ts';
import { nodes } from '../graph/graph.ts';
import type { GraphNode } from '../model/node.ts';
import { type Leaf, leaves } from '../model/leaves.ts';
import { outputText, slotText } from './group-texts.ts';
import { nodeWords, slotWords, unitIn } from './graph-words.ts';

const nodesByGroup = new Map(nodes.map((node) => [node.output.group, node]));
const leavesByGroup = new Map(leaves.map((leaf) => [leaf.group, leaf]));

/** Finds the texts of the graph for maps of its groups. A name, a unit or a label that is not from the graph stays unchanged. */
export const findGraphWords: FindMapWords = (code, language) => {
  if (code === null) return undefined;
  const node = nodesByGroup.get(code);
  if (node !== undefined) return wordsOfNode(node, language);
  const leaf = leavesByGroup.get(code);
  return leaf && wordsOfLeaf(leaf, language);
};

function wordsOfNode(node: GraphNode, language: Language): MapWords {
  const { code, output } = node;
  const [english, words] = [nodeWords('en', code), nodeWords(language, code)];
  const names = new Map([
    [english.title, words.title],
    [outputText(node).name, outputText(node, language).name],
  ]);
  return {
    title: words.title,
    ...commonOf({ english, words, unit: output.unit }, language),
    nameOf: replacing(names),
    reading: words.reading,
  };
}

function wordsOfLeaf(leaf: Leaf, language: Language): MapWords {
  const { key, unit } = leaf;
  const [english, words] = [slotWords('en', key), slotWords(language, key)];
  // Datasets of a slot keep the names that users give them.
  const names = new Map([[slotText(leaf).name, slotText(leaf, language).name]]);
  const common = commonOf({ english, words, unit }, language);
  return { title: words.title, ...common, nameOf: replacing(names), reading: undefined };
}

interface Classes {
  readonly classes?: Readonly<Record<number, string>>;
}

function commonOf(
  {
    english,
    words,
    unit,
  }: { readonly english: Classes; readonly words: Classes; readonly unit: string | null },
  language: Language,
): Pick<MapWords, 'unitOf' | 'labelOf'> {
  return {
    unitOf: (given) => (given === unit ? unitIn(language, unit) : given),
    labelOf: (label, value) =>
      label === english.classes?.[value] ? (words.classes?.[value] ?? label) : label,
  };
}

function replacing(names: ReadonlyMap<string, string>): (name: string) => string {
  return (name) => names.get(name) ?? name;
}
