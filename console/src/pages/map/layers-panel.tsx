import { hrefOf } from '../../address/address.ts';
import { denominatorOfWhole } from '../../../../common/maps/units/unit-paint.ts';
import { formatDates } from '../../map/units/unit-series.ts';
import { lazy } from '../../parts/lazy.tsx';
import { LayerNotice } from '../../map/notices.tsx';
import { Legend } from '../../map/legend/legend.tsx';
import type { LoadedLayer } from '../../map/layers/layer-model.ts';
import type { MapState, Row } from '../../map/map-state.ts';
import { datasetName } from '../../service/graph-words.ts';
import { type WhyEmpty, whyEmptyAt } from '../../map/units/unit-history.ts';
import { dateIndex, periodsOf, unitsAt } from '../../map/units/unit-series.ts';
import type { MapLocale } from '../../map/words/words.ts';

const RateChoice = lazy(async () => (await import('../rates/rate-choice.tsx')).RateChoice);

interface PanelProps {
  readonly state: MapState;
  readonly locale: MapLocale;
}

/** The layers from the uppermost down, each with its controls and its legend, or with the reason why it is not shown. */
export function LayersPanel({ state, locale }: PanelProps) {
  const { words } = locale;
  const rows = state.rows.value;
  if (rows.length === 0) return <p class="muted map-none">{words.noLayers}</p>;
  return (
    <ol class="map-layers">
      {rows.map((row, index) => (
        <LayerRow
          key={row.id}
          row={row}
          state={state}
          locale={locale}
          isFirst={index === 0}
          isLast={index === rows.length - 1}
        />
      ))}
    </ol>
  );
}

function nameOf({ state }: Row, fallback: string): string {
  if (state.kind === 'shown') return datasetName(state.layer.dataset);
  return state.kind === 'failed' && state.dataset !== undefined ? datasetName(state.dataset) : fallback;
}

function LayerRow({
  row,
  state,
  locale,
  isFirst,
  isLast,
}: PanelProps & { readonly row: Row; readonly isFirst: boolean; readonly isLast: boolean }) {
  const { words } = locale;
  const { id, opacity, isVisible } = row;
  const name = nameOf(row, words.unnamed);
  return (
    <li>
      <div class="map-layer-head">
        <label>
          <input
            type="checkbox"
            checked={isVisible}
            aria-label={words.show(name)}
            onChange={({ currentTarget }) => state.setVisible(id, currentTarget.checked)}
          />
          <span class="map-layer-name" title={name}>
            {name}
          </span>
        </label>
        <SignButton sign="▲" label={words.up(name)} isOff={isFirst} onClick={() => state.move(id, -1)} />
        <SignButton sign="▼" label={words.down(name)} isOff={isLast} onClick={() => state.move(id, 1)} />
        <SignButton sign="✕" label={words.remove(name)} onClick={() => state.remove(id)} />
      </div>
      {row.state.kind === 'loading' && (
        <p class="small muted" role="status">
          {words.loading}
        </p>
      )}
      {row.state.kind === 'failed' && (
        <LayerNotice problem={row.state.problem} words={words} retry={() => void state.load(id)} />
      )}
      {row.state.kind === 'shown' && (
        <>
          <DateNote layer={row.state.layer} state={state} locale={locale} />
          {row.state.layer.kind === 'units' && (
            <RateChoice layer={row.state.layer} state={state} locale={locale} />
          )}
          <Legend
            layer={row.state.layer}
            locale={locale}
            only={state.only.value?.id === id ? state.only.value.index : undefined}
            without={withoutValue(row.state.layer, state.shownDate.value?.start)}
            onClass={(index) => state.toggleClass(id, index)}
          />
          <div class="map-opacity">
            <span aria-hidden="true">◐</span>
            <input
              type="range"
              min="0"
              max="100"
              step="5"
              value={Math.round(opacity * 100)}
              aria-label={words.opacity(name)}
              title={words.opacity(name)}
              onInput={({ currentTarget }) => state.setOpacity(id, Number(currentTarget.value) / 100)}
            />
            <span class="small muted">{Math.round(opacity * 100)}&nbsp;%</span>
            <a
              class="small"
              href={hrefOf(['datasets', id, 'style'])}
              aria-label={words.styleOf(name)}
              title={words.styleOf(name)}
            >
              {words.style}
            </a>
          </div>
        </>
      )}
    </li>
  );
}

interface SignButtonProps {
  readonly sign: string;
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

/** A button with a sign; its label is for screen readers and in the tooltip. */
function SignButton({ sign, label, isOff = false, onClick }: SignButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} disabled={isOff} onClick={onClick}>
      {sign}
    </button>
  );
}

/** The date that a layer shows, or the remark that it lacks the date of the map. */
function DateNote({ layer, state, locale }: PanelProps & { readonly layer: LoadedLayer }) {
  if (layer.kind !== 'units') return null;
  const { series } = layer;
  const index = dateIndex(series, state.shownDate.value?.start);
  const dates = formatDates(periodsOf(series), locale.language);
  return <p class="small muted">{dates[index] ?? locale.words.noData}</p>;
}

function withoutValue(
  layer: LoadedLayer,
  date: string | undefined,
): Readonly<Record<WhyEmpty, number>> | undefined {
  if (layer.kind !== 'units') return undefined;
  const units = unitsAt(layer, date);
  const whyEmpty = whyEmptyAt(layer.series, date);
  const counts = { empty: 0, absent: 0, outside: 0 };
  for (const code of layer.codes) {
    const unit = units.get(code);
    if (unit === undefined || layer.paint.entryOf(unit, denominatorOfWhole) === undefined)
      counts[whyEmpty(code)] += 1;
  }
  return counts;
}
