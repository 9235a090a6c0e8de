import type { Language } from '../../messages/languages/translate.ts';
import { nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';
import { graphWordsIn } from './graph-words.ts';

const keysOfSlots = new Map(leaves.map(({ group, key }) => [group, key]));
const codesOfNodes = new Map(nodes.map(({ output, code }) => [output.group, code]));

/** Returns the title of the slot or node with a dataset group, in a language; undefined for other groups. */
export function titleOf(group: string, language: Language): string | undefined {
  const { slots, nodes: titled } = graphWordsIn(language);
  return (slots[keysOfSlots.get(group) ?? ''] ?? titled[codesOfNodes.get(group) ?? ''])?.title;
}
