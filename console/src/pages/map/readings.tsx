import '../../map/readings.css';
import { formatLabel } from '../../../../common/maps/legend/labels.ts';
import { formatValue } from '../../../../common/formats/numbers.ts';
import { formatPlace } from '../../map/place/coordinates.ts';
import type { LoadedLayer } from '../../map/layers/layer-model.ts';
import type { MapState, PointReading } from '../../map/map-state.ts';
import type { Reading } from '../../map/open-map.ts';
import { classLabel, datasetName, datasetUnit } from '../../service/graph-words.ts';
import { ScaleBar } from '../../map/legend/scale-bar.tsx';
import { paintedValues } from '../../../../common/maps/raster/paint.ts';
import { stopIndexOf } from '../../../../common/maps/raster/raw-colours.ts';
import type { MapLocale } from '../../map/words/words.ts';

interface ReadingsProps {
  readonly state: MapState;
  readonly locale: MapLocale;
}

/** The line below the map: place and values under the pointer, and the scale. Screen readers announce a reading by Enter or click. */
export function Readings({ state, locale }: ReadingsProps) {
  const shown = state.pointer.value ?? state.announced.value;
  const { keys, readFailed } = locale.words;
  const unread = state.readFailed.value ? readFailed : keys(matchMedia('(pointer: coarse)').matches);
  return (
    <div class="map-readings">
      <p>{shown === undefined ? unread : sentenceOf(shown, state, locale)}</p>
      <p class="visually-hidden" role="status">
        {state.readFailed.value && readFailed}
        {state.announced.value !== undefined && sentenceOf(state.announced.value, state, locale)}
      </p>
      <ScaleBar metresPerPixel={state.metresPerPixel.value} locale={locale} />
    </div>
  );
}

function sentenceOf({ lat, lon, readings }: PointReading, state: MapState, locale: MapLocale): string {
  const parts = readings.flatMap((reading) => {
    const found = state.layers.value.find(({ id }) => id === reading.id);
    return found === undefined
      ? []
      : [`${datasetName(found.model.dataset)}: ${readingText(reading, found.model, locale)}`];
  });
  const values = parts.length === 0 ? [locale.words.nothingHere] : parts;
  return [formatPlace(lat, lon, locale), ...values].join(' · ');
}

/** A value with its unit, and the name of its class if the style has one. */
export function readingText(
  { value, bands }: Reading,
  { legend, dataset, ...layer }: LoadedLayer,
  locale: MapLocale,
): string {
  const { words, language } = locale;
  const unit = datasetUnit(dataset);
  if (bands !== undefined) {
    return bands.map((band) => (Number.isNaN(band) ? words.noData : formatValue(band, language))).join(' / ');
  }
  if (value === undefined) return words.noData;
  const number = `${formatValue(value, language)}${unit === null || unit === '' ? '' : `\u00a0${unit}`}`;
  if (layer.kind !== 'raster' || legend.kind !== 'classes' || layer.paint.kind !== 'values') return number;
  const index = stopIndexOf(layer.paint.colours, Number(value), paintedValues(layer.paint, layer.opened));
  const entry = legend.entries[index];
  const label = entry && classLabel(dataset, entry);
  return label?.kind === 'text' ? `${formatLabel(label, locale)} (${number})` : number;
}
