import type { Language } from '../../messages/languages/translate.ts';
import { classNoData, floatNoData } from '../model/bands.ts';
import type { Leaf } from '../model/leaves.ts';
import type { GraphNode } from '../model/node.ts';
import { graphWordsIn, nodeWords, slotWords, unitIn } from './graph-words.ts';

export interface GroupText {
  readonly name: string;
  readonly description: string;
}

/** Returns the texts of the group of a slot. Groups are created with the English texts. */
export function slotText(leaf: Leaf, language: Language = 'en'): GroupText {
  const { groups } = graphWordsIn(language);
  const { title, source } = slotWords(language, leaf.key);
  return {
    name: groups.slotName(title),
    description: `${quantityText(leaf, language)}. ${valuesOf(leaf, language)} ${groups.upload(source)}`,
  };
}

/** Returns the quantity and, for classes, their meanings. */
export function quantityText(leaf: Leaf, language: Language): string {
  const { quantity, classes } = slotWords(language, leaf.key);
  if (classes === undefined) return quantity;
  const list = Object.entries(classes).map(
    ([value, label]) => `${value} ${label[0]?.toLowerCase()}${label.slice(1)}`,
  );
  const isZero = leaf.type === 'uint8' && leaf.zeroWhereMissing === true;
  return `${quantity}: ${list.join(', ')}${isZero ? graphWordsIn(language).groups.missingIsZero : ''}`;
}

function valuesOf(leaf: Leaf, language: Language): string {
  const { groups } = graphWordsIn(language);
  if (leaf.type === 'uint8') return groups.wholeNumbers;
  const [unit, range = []] = [unitIn(language, leaf.unit), leaf.range];
  const [min = -Infinity, max = Infinity] = range;
  return `${unit === null ? '' : `${groups.unit(unit)}. `}${groups.range(min, max)}`;
}

/** Returns the texts of the group of an output. Groups are created with the English texts. */
export function outputText({ code, output, legend }: GraphNode, language: Language = 'en'): GroupText {
  const { groups } = graphWordsIn(language);
  const { title, classes = {} } = nodeWords(language, code);
  const unit = unitIn(language, output.unit);
  const values =
    legend.kind === 'values'
      ? `${legend.entries.map(({ value }) => `${value} ${classes[value]}`).join(', ')}; ${groups.noValue(classNoData)}`
      : `${unit === null ? '' : `${groups.unit(unit)}; `}${groups.noValue(floatNoData)}`;
  return { name: groups.nodeName(code, title), description: `${groups.madeBy(code)} ${values}` };
}
