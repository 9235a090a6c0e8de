import { formatValue } from '../../../../src/maps/legend/labels.ts';
import { formatDates, type MapSpeech } from '../../map/speech.ts';
import { drawLine } from '../../map/line-path.ts';
import type { UnitLayerModel } from '../../map/loaded-layer.ts';
import type { MapState } from '../../map/map-state.ts';
import { dateIndex, periodsOf, rankInRegion, valuesAt } from '../../map/series.ts';

interface CardProps {
  readonly state: MapState;
  readonly speech: MapSpeech;
  readonly nameOf: (code: string) => string;
  readonly onTable: () => void;
}

/** Facts of the district that was clicked: its value, its place in the region, its series. */
export function DistrictCard({ state, speech, nameOf, onTable }: CardProps) {
  const picked = state.picked.value;
  const layer = state.units.value.find(({ dataset }) => dataset.id === picked?.id);
  if (picked === undefined || layer === undefined) return null;
  const { words, language } = speech;
  const index = dateIndex(layer.series, state.shownDate.value?.start);
  const values = valuesAt(layer.series, index);
  const value = values.get(picked.code);
  const rank = rankInRegion(values, picked.code);
  const { unit } = layer.dataset;
  const name = nameOf(picked.code);
  const date = formatDates(periodsOf(layer.series), language)[index];
  return (
    <aside class="map-card" aria-label={name}>
      <h2>
        {name}
        {date !== undefined && <span class="muted"> · {date}</span>}
      </h2>
      <button
        type="button"
        class="map-card-close"
        aria-label={words.close}
        onClick={() => (state.picked.value = undefined)}
      >
        ✕
      </button>
      <p class="small muted">{layer.dataset.name}</p>
      <p>
        <strong>
          {value === undefined ? words.noData : `${formatValue(value, language)}${unit ? ` ${unit}` : ''}`}
        </strong>
        {rank !== undefined && <span class="small"> · {words.rank(rank.place, rank.of)}</span>}
      </p>
      <Chart layer={layer} code={picked.code} index={index} speech={speech} name={name} />
      <button type="button" class="link" onClick={onTable}>
        {words.table}
      </button>
    </aside>
  );
}

const size = { width: 260, height: 64 };

interface ChartProps {
  readonly layer: UnitLayerModel;
  readonly code: string;
  readonly index: number;
  readonly speech: MapSpeech;
  readonly name: string;
}

function Chart({ layer, code, index, speech, name }: ChartProps) {
  const { words, language } = speech;
  const unit = layer.series.units.find(({ kato_code: kato }) => kato === code);
  const numbers = (unit?.values ?? []).map((value) => (typeof value === 'number' ? value : undefined));
  const positions = layer.series.dates.map(({ start_date: start }) => Date.parse(start));
  const drawing = drawLine(numbers, { ...size, positions });
  if (drawing === undefined || numbers.length < 2) return null;
  const dates = formatDates(periodsOf(layer.series), language);
  const now = drawing.points[index];
  return (
    <figure class="map-chart">
      <svg viewBox={`-4 -4 ${size.width + 8} ${size.height + 8}`} role="img" aria-label={words.chartOf(name)}>
        <line x1="0" x2={size.width} y1={size.height} y2={size.height} class="axis" />
        <path d={drawing.path} />
        {drawing.points.map(
          (point, at) => point !== undefined && <circle key={at} cx={point.x} cy={point.y} r="1.6" />,
        )}
        {now !== undefined && <circle class="now" cx={now.x} cy={now.y} r="4" />}
      </svg>
      <figcaption>
        <span>{dates[0]}</span>
        <span>
          {formatValue(drawing.from, language)} – {formatValue(drawing.to, language)}
        </span>
        <span>{dates.at(-1)}</span>
      </figcaption>
    </figure>
  );
}
