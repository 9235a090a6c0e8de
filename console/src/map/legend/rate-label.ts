import { formatNumber } from '../../../../common/formats/numbers.ts';
import { datasetUnit } from '../../service/graph-words.ts';
import type { LoadedLayer } from '../layers/layer-model.ts';
import type { MapLocale } from '../words/words.ts';
import type { Denominator } from '../../service/types.ts';

/** The label of a rate in a legend, such as `per 1,000 ha`. */
export function rateLabel(
  { by, per, unit, name }: Pick<Denominator, 'by' | 'per' | 'unit' | 'name'>,
  { words, language }: MapLocale,
): string {
  const { rate } = words;
  const number = formatNumber(per ?? 1, language);
  if (by === 'area') return per === 100 ? rate.perKm2 : rate.perHa(number);
  return rate.perUnit(number, unit ?? name ?? '');
}

/**
 * The unit of the values that a layer shows, with the denominator of a rate. The columns of a table may have different
 * units: these are all named, or that of the column that begins on the day `start`.
 */
export function shownUnit({ dataset, ...layer }: LoadedLayer, locale: MapLocale, start?: string): string {
  const columns = dataset.year_columns ?? [];
  const units = new Set(columns.flatMap((column) => column.unit ?? []));
  const own = columns.find((column) => column.start_date === start)?.unit;
  const unit = units.size > 1 ? (own ?? [...units].join(', ')) : (datasetUnit(dataset) ?? '');
  if (layer.kind !== 'units' || layer.rate === undefined) return unit;
  return [unit, rateLabel(layer.rate.denominator, locale)].filter((part) => part !== '').join(' ');
}
