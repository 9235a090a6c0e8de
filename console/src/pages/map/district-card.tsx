import { formatValue } from '../../../../common/formats/numbers.ts';
import { formatDates } from '../../map/units/unit-series.ts';
import { shownUnit } from '../../map/legend/rate-label.ts';
import { datasetUnit } from '../../service/graph-words.ts';
import { drawLine } from '../../map/drawing/line-path.ts';
import type { UnitLayerModel } from '../../map/layers/layer-model.ts';
import type { MapState } from '../../map/map-state.ts';
import { breaksOf, whyEmptyAt } from '../../map/units/unit-history.ts';
import { formatDay } from '../../../../common/formats/days.ts';
import { UnitHistory } from './unit-history.tsx';
import { UnitRemark } from './unit-remark.tsx';
import {
  dateIndex,
  type RateReason,
  periodsOf,
  rankInRegion,
  valuesAt,
} from '../../map/units/unit-series.ts';
import type { MapLocale } from '../../map/words/words.ts';

interface CardProps {
  readonly state: MapState;
  readonly locale: MapLocale;
  readonly nameOf: (code: string) => string;
  readonly onTable: () => void;
}

/** Facts about the clicked district: its value, its rank in the region, its series. */
export function DistrictCard({ state, locale, nameOf, onTable }: CardProps) {
  const picked = state.picked.value;
  const layer = state.units.value.find(({ dataset }) => dataset.id === picked?.id);
  if (picked === undefined || layer === undefined) return null;
  const { words, language } = locale;
  const index = dateIndex(layer.series, state.shownDate.value?.start);
  const values = valuesAt(layer.series, index);
  const value = values.get(picked.code);
  const rank = rankInRegion(values, picked.code);
  const whyEmpty = whyEmptyAt(layer.series, state.shownDate.value?.start);
  const start = layer.series.dates[index]?.start_date;
  const unit = shownUnit(layer, locale, start);
  const { rate } = layer;
  const divided = rate && valuesAt(rate.values, index).get(picked.code);
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
          {value === undefined
            ? words.unitTime[whyEmpty(picked.code)]
            : `${formatValue(value, language)}${unit ? ` ${unit}` : ''}`}
        </strong>
        {rank !== undefined && <span class="small"> · {words.rank(rank.place, rank.of)}</span>}
      </p>
      <UnitRemark layer={layer} code={picked.code} start={start} locale={locale} />
      {rate !== undefined && (
        <p class="small">
          {words.rate.value}:{' '}
          {divided === undefined
            ? words.noData
            : `${formatValue(divided, language)} ${datasetUnit(layer.dataset) ?? ''}`}
          {typeof divided === 'number' && value === undefined && (
            <span class="muted"> · {words.rate.reasons[reasonOf(layer, picked.code, index)]}</span>
          )}
        </p>
      )}
      <Chart layer={layer} code={picked.code} index={index} locale={locale} name={name} />
      <UnitHistory code={picked.code} locale={locale} />
      <button type="button" class="link" onClick={onTable}>
        {words.table}
      </button>
    </aside>
  );
}

/** The reason why a unit has no rate. */
function reasonOf({ series }: UnitLayerModel, code: string, index: number): RateReason {
  const unit = series.units.find(({ kato_code: kato }) => kato === code);
  return unit?.reasons?.[index] ?? 'no_denominator';
}

const size = { width: 260, height: 64 };

interface ChartProps {
  readonly layer: UnitLayerModel;
  readonly code: string;
  readonly index: number;
  readonly locale: MapLocale;
  readonly name: string;
}

function Chart({ layer, code, index, locale, name }: ChartProps) {
  const { words, language } = locale;
  const unit = layer.series.units.find(({ kato_code: kato }) => kato === code);
  const numbers = (unit?.values ?? []).map((value) => (typeof value === 'number' ? value : undefined));
  const positions = layer.series.dates.map(({ start_date: start }) => Date.parse(start));
  const found = breaksOf(layer.series, code);
  const breaks = found.map(({ before }) => before);
  const drawing = drawLine(numbers, { ...size, positions, breaks });
  if (drawing === undefined || numbers.length < 2) return null;
  const dates = formatDates(periodsOf(layer.series), language);
  const now = drawing.points[index];
  return (
    <figure class="map-chart">
      <svg viewBox={`-4 -4 ${size.width + 8} ${size.height + 8}`} role="img" aria-label={words.chartOf(name)}>
        <line x1="0" x2={size.width} y1={size.height} y2={size.height} class="axis" />
        <path d={drawing.path} />
        {drawing.marks.map((x, at) => (
          <line key={at} x1={x} x2={x} y1="0" y2={size.height} class="break" />
        ))}
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
      {found.map(({ date }) => (
        <p class="small muted" key={date}>
          ¦ {words.unitTime.breakAt(formatDay(date, language))}
        </p>
      ))}
    </figure>
  );
}
