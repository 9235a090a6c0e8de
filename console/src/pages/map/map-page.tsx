import '../../map/map.css';
import './map-page.css';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { address, parseAddress } from '../../address/address.ts';
import { formatDates } from '../../map/units/unit-series.ts';
import { useUnitNames } from '../../map/units/unit-names.ts';
import { BaseNotice } from '../../map/notices.tsx';
import { MapCanvas } from '../../map/map-canvas.tsx';
import type { MapSources } from '../../map/layers/read-layer.ts';
import { createMapState, mapSources, type MapState } from '../../map/map-state.ts';
import { fileNameOf, saveBlob } from '../../parts/downloads.ts';
import { datasetName } from '../../service/graph-words.ts';
import { formatMoment } from '../../../../common/formats/days.ts';
import { AddDialog } from './add-dialog.tsx';
import { DistrictCard } from './district-card.tsx';
import { LayersPanel } from './layers-panel.tsx';
import { Readings } from './readings.tsx';
import { TimeBar } from './time-bar.tsx';
import { ValuesTable } from './values-table.tsx';
import { mapWords, type MapLocale } from '../../map/words/words.ts';
import { lazy } from '../../parts/lazy.tsx';
import { explainWords } from '../explain/words/words.ts';

const ExplainPanel = lazy(
  async () => (await import('../explain/explain-panel.tsx')).ExplainPanel,
  explainWords,
);
const SheetPanel = lazy(async () => (await import('./sheet-panel.tsx')).SheetPanel);

const addressAfterMs = 150;

/** One map for all datasets that can be drawn; its state is in the address. */
export function MapPage() {
  const locale = mapWords.locale();
  const round = useSignal(0);
  const sources = mapSources();
  // Data are requested while the words load.
  const opened = useMemo(
    () => ({ hash: location.hash, state: createMapState(sources, queryOf(location.hash)) }),
    [round.value],
  );
  return <Opened key={round.value} {...opened} {...{ locale, sources }} onOther={() => (round.value += 1)} />;
}

interface OpenedProps {
  readonly locale: MapLocale;
  readonly sources: MapSources;
  readonly state: MapState;
  /** The address from which the state was read. */
  readonly hash: string;
  /** Called when the address names another map. */
  readonly onOther: () => void;
}

function Opened({ locale, sources, state, hash, onOther }: OpenedProps) {
  const { words } = locale;
  const isAdding = useSignal(false);
  const hasTable = useSignal(false);
  const isAsking = useSignal(false);
  // A sheet in the address opens in place; one that a person opens scrolls into sight.
  const isSheetAsked = useRef(false);
  const copied = useSignal<string | undefined>(undefined);
  const levels = [
    ...new Set(['region', 'district', ...state.units.value.flatMap((layer) => layer.levels)] as const),
  ];
  const nameOf = useUnitNames(sources.districts, state.units.value.length > 0, locale.language, levels);
  const written = useRef(hash);
  useSignalEffect(() => {
    const query = state.address.value;
    const href = query === '' ? '#/map' : `#/map?${query}`;
    // Browsers limit changes of the address, which a moving slider would exceed.
    const timer = setTimeout(() => {
      // The reader may have left the page, with the event still pending.
      if (location.hash !== written.current || location.hash === href) return;
      if (parseAddress(location.hash).path[0] !== 'map') return;
      history.replaceState(null, '', href);
      written.current = location.hash;
    }, addressAfterMs);
    return () => clearTimeout(timer);
  });
  useEffect(() => {
    if (isKeptDistinct()) state.hasDistinctColours.value = true;
  }, []);
  // Handles a link to another map while this one is shown.
  useEffect(() => {
    const follow = () => {
      if (address.peek().path[0] === 'map' && queryOf(location.hash) !== state.address.peek()) onOther();
    };
    if (location.hash !== hash) follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      copied.value = words.linkCopied;
    } catch {
      // Pages that are not served by HTTPS have no clipboard.
      copied.value = words.linkHere;
    }
  };
  const save = async () => {
    const map = document.querySelector('.map-target');
    const shown = state.layers.value.filter(({ isVisible }) => isVisible).map(({ model }) => model);
    const date = state.shownDate.value;
    try {
      const { mapPicture } = await import('../../map/legend/map-picture.ts');
      const picture =
        map === null
          ? undefined
          : await mapPicture({
              map,
              layers: shown,
              date: date && formatDates(state.dates.value, locale.language)[state.dates.value.indexOf(date)],
              metresPerPixel: state.metresPerPixel.value,
              today: words.picture.made(formatMoment(new Date().toISOString(), locale.language)),
              locale,
            });
      if (picture === undefined) throw new Error('the map has no picture');
      saveBlob(picture, fileNameOf(shown.map(({ dataset }) => datasetName(dataset)).join(', '), 'png'));
      copied.value = undefined;
    } catch {
      copied.value = words.picture.failed;
    }
  };
  const tables = state.units.value;
  return (
    <div class="map-page">
      <section class="map-side" aria-labelledby="map-layers">
        <h2 id="map-layers">{words.layers}</h2>
        <LayersPanel state={state} locale={locale} />
        <button type="button" class="button" onClick={() => (isAdding.value = true)}>
          + {words.add}
        </button>
        <label class="small map-distinct">
          <input
            type="checkbox"
            checked={state.hasDistinctColours.value}
            onChange={({ currentTarget: { checked } }) => {
              state.hasDistinctColours.value = checked;
              rememberDistinct(checked);
            }}
          />
          {words.distinctColours}
        </label>
        <div class="map-actions">
          <button type="button" class="link" onClick={() => void copy()}>
            {words.link}
          </button>
          {state.explained.value !== undefined && (
            <button type="button" class="link" onClick={() => (isAsking.value = true)}>
              {words.explain}
            </button>
          )}
          {state.layers.value.length > 0 && (
            <button type="button" class="link" onClick={() => void save()}>
              {words.picture.save}
            </button>
          )}
          <button
            type="button"
            class="link"
            aria-expanded={state.sheet.value !== undefined}
            onClick={() => {
              isSheetAsked.current = state.sheet.value === undefined;
              state.sheet.value = isSheetAsked.current ? 'A4.landscape.auto.view' : undefined;
            }}
          >
            {words.sheet.open}
          </button>
          {tables.length > 0 && (
            <button
              type="button"
              class="link"
              aria-expanded={hasTable.value}
              onClick={() => (hasTable.value = !hasTable.value)}
            >
              {words.table}
            </button>
          )}
        </div>
        <p class="small muted" role="status">
          {copied.value}
        </p>
        {state.sheet.value !== undefined && (
          <SheetPanel state={state} sources={sources} locale={locale} isAsked={isSheetAsked.current} />
        )}
        <BaseNotice state={state} words={words} />
      </section>
      <div class="map-main">
        <div class="map-frame">
          <MapCanvas state={state} words={words} wheelZooms />
          <DistrictCard
            state={state}
            locale={locale}
            nameOf={nameOf}
            onTable={() => (hasTable.value = true)}
          />
          <TimeBar state={state} locale={locale} />
        </div>
        <Readings state={state} locale={locale} />
        {hasTable.value &&
          tables.map((layer) => (
            <ValuesTable key={layer.dataset.id} layer={layer} locale={locale} nameOf={nameOf} />
          ))}
      </div>
      {state.explained.value !== undefined && (isAsking.value || state.place.value !== undefined) && (
        <ExplainPanel state={state} locale={locale} isAsking={isAsking} />
      )}
      {isAdding.value && <AddDialog state={state} locale={locale} onClose={() => (isAdding.value = false)} />}
    </div>
  );
}

const storageKey = 'steppe.tell-apart';

/** Without storage, the choice lasts as long as the address. */
function rememberDistinct(hasDistinctColours: boolean): void {
  try {
    localStorage.setItem(storageKey, hasDistinctColours ? '1' : '');
  } catch {
    // The page works without.
  }
}

function isKeptDistinct(): boolean {
  try {
    return localStorage.getItem(storageKey) === '1';
  } catch {
    return false;
  }
}

function queryOf(hash: string): string {
  return hash.includes('?') ? hash.slice(hash.indexOf('?') + 1) : '';
}
