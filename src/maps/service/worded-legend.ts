import { legendPhrases } from '../../messages/drawing/english.ts';
import { type Language, translate } from '../../messages/languages/translate.ts';
import { formatLabel, type LabelWords } from '../../../common/maps/legend/labels.ts';
import { digitsOf, formatNumber } from '../../../common/formats/numbers.ts';
import type { LegendModel, WordedLegend, LegendPicture, Scale } from '../../../common/maps/legend/model.ts';
import { scaleRamp } from '../../../common/maps/legend/ramp-scale.ts';
import type { LegendSource } from './legends.ts';

/** Translates a legend, without hidden classes. */
export function wordLegend(model: LegendModel, language: Language): WordedLegend {
  const words = labelWordsOf(language);
  switch (model.kind) {
    case 'classes': {
      const shown = model.entries.filter(({ isHidden }) => !isHidden);
      const entries = shown.map(({ label, colour, sign, stroke, shape, range }) => ({
        label: formatLabel(label, { words, language }),
        colour,
        sign,
        ...(stroke && { stroke }),
        ...(shape !== undefined && { shape }),
        range: label.kind === 'range' ? { from: label.from, to: label.to } : range,
      }));
      return { kind: 'classes', entries };
    }
    case 'ramp': {
      const { colours, ticks } = scaleRamp(model.stops);
      const digits = digitsOver(model.stops.map(({ value }) => value));
      const labelOf = (value: number) => formatNumber(value, language, Math.max(digits, digitsOf(value)));
      return {
        kind: 'ramp',
        stops: colours.map((stop) => ({ ...stop, label: stop.label ?? labelOf(stop.value) })),
        ticks: ticks.map((tick) => ({ ...tick, label: tick.label ?? labelOf(tick.value) })),
      };
    }
    default:
      return { kind: 'colours', label: translate(legendPhrases.colours, language) };
  }
}

/** Label for places without a value. */
export const noDataLabel = (language: Language): string => translate(legendPhrases.noData, language);

/** Label for classes that do not fit. */
const moreLabel = (count: number, language: Language): string =>
  translate(legendPhrases.more(count), language);

function labelWordsOf(language: Language): LabelWords {
  return {
    others: translate(legendPhrases.others, language),
    unnamedClass: translate(legendPhrases.unnamedClass, language),
    above: (from) => translate(legendPhrases.above(from), language),
    below: (to) => translate(legendPhrases.below(to), language),
  };
}

/** Returns the decimals that distinguish values of this range: three significant digits of it. */
function digitsOver(values: readonly number[]): number {
  const finite = values.filter((value) => Number.isFinite(value));
  const span = Math.max(...finite) - Math.min(...finite) || Math.abs(finite[0] ?? 1) || 1;
  return Math.min(15, Math.max(0, 2 - Math.floor(Math.log10(span))));
}

/** Maximum number of classes in a picture; a last row counts the others. */
const maxEntries = 100;

/** Translates a legend for `drawLegend`. */
export function toLegendPicture(source: LegendSource, language: Language, scale: Scale): LegendPicture {
  const { title, unit, model, hasNoData, warning } = source;
  const legend = wordLegend(model, language);
  const surplus = legend.kind === 'classes' ? legend.entries.length - maxEntries : 0;
  return {
    title,
    unit,
    warning,
    legend: surplus > 0 ? firstOf(legend) : legend,
    noDataLabel: hasNoData ? noDataLabel(language) : null,
    moreLabel: surplus > 0 ? moreLabel(surplus, language) : undefined,
    scale,
  };
}

function firstOf(legend: WordedLegend): WordedLegend {
  return legend.kind === 'classes' ? { ...legend, entries: legend.entries.slice(0, maxEntries) } : legend;
}
