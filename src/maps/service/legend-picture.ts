import type { Language } from '../../messages/languages/translate.ts';
import type { LegendSource } from './legend-source.ts';
import type { LegendPicture, Scale, WordedLegend } from '../legend/picture.ts';
import { moreLabel, noDataLabel, wordLegend } from './worded-legend.ts';

/** Classes in a picture; a last row says how many more there are. */
const maxEntries = 100;

/** Words a legend in a language for `drawLegend`. */
export function toLegendPicture(source: LegendSource, language: Language, scale: Scale): LegendPicture {
  const { title, unit, model, hasNoData } = source;
  const legend = wordLegend(model, language);
  const surplus = legend.kind === 'classes' ? legend.entries.length - maxEntries : 0;
  return {
    title,
    unit,
    legend: surplus > 0 ? firstOf(legend) : legend,
    noDataLabel: hasNoData ? noDataLabel(language) : null,
    moreLabel: surplus > 0 ? moreLabel(surplus, language) : undefined,
    scale,
  };
}

function firstOf(legend: WordedLegend): WordedLegend {
  return legend.kind === 'classes' ? { ...legend, entries: legend.entries.slice(0, maxEntries) } : legend;
}
