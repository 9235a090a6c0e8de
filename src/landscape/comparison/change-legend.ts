import type { ChangeColours, ShownChange } from '../../maps/service/raster-pairs.ts';
import type { LegendSource } from '../../maps/service/legends.ts';
import type { LegendEntry } from '../../../common/maps/legend/model.ts';
import { parseCss, type Rgba } from '../../../common/maps/style/colour-map.ts';
import { comparisonPhrases } from '../../messages/zoning/english.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { nodeWords } from '../groups/graph-words.ts';
import type { GraphNode } from '../model/node.ts';

const pale: Rgba = [230, 230, 225, 255];
const lost: Rgba = [43, 43, 43, 255];
const other: Rgba = [138, 138, 138, 255];
const chosen: Rgba = [194, 24, 91, 255];

/** Returns the colours of a map of changes between two rasters of a node. */
export function changeColoursOf({ legend }: GraphNode): ChangeColours {
  const classes = legend.entries.map(({ value, color }) => ({ value, colour: parseCss(color) }));
  return { classes, pale, lost, other, chosen };
}

/** Returns the legend of these colours in a language. @param only the only change that is shown; otherwise all. */
export function changeLegendOf(
  node: GraphNode,
  only: ShownChange | undefined,
  language: Language,
): Omit<LegendSource, 'etagParts'> {
  const { title, classes = {} } = nodeWords(language, node.code);
  const { classes: colours } = changeColoursOf(node);
  const nameOf = (value: number | null) =>
    value === null ? translate(comparisonPhrases.none, language) : (classes[value] ?? String(value));
  const all: readonly LegendEntry[] = [
    ...colours.map(({ value, colour }) => ({
      ...entryOf(colour, nameOf(value)),
      range: { from: value, to: value },
    })),
    entryOf(lost, translate(comparisonPhrases.lost, language)),
    entryOf(pale, translate(comparisonPhrases.unchanged, language)),
  ];
  const one = only && [
    entryOf(chosen, translate(comparisonPhrases.chosen(nameOf(only.from), nameOf(only.to)), language)),
    entryOf(pale, translate(comparisonPhrases.others, language)),
  ];
  return {
    title: translate(comparisonPhrases.title(title), language),
    unit: null,
    model: { kind: 'classes', entries: one ?? all },
    hasNoData: true,
    leftOut: [],
  };
}

const entryOf = (colour: Rgba, text: string): LegendEntry => ({
  colour,
  label: { kind: 'text', text },
  sign: 'area',
  isHidden: false,
});
