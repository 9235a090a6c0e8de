import type { Language } from '../../messages/languages/translate.ts';
import { nodes } from '../graph/graph.ts';
import { leaves } from '../model/leaves.ts';

const titles = new Map(
  [...leaves, ...nodes.map(({ output }) => output)].map(({ group, title }) => [group, title]),
);

/** Returns what people call the slot or the node of a dataset group, in a language; undefined for other groups. */
export function titleOf(group: string, _language: Language): string | undefined {
  return titles.get(group);
}
