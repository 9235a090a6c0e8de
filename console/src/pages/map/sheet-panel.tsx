import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../../../../common/formats/numbers.ts';
import { ringOfExtent } from '../../../../common/maps/paper/albers.ts';
import type { Unit } from '../../map/units/districts.ts';
import type { MapSources } from '../../map/layers/read-layer.ts';
import type { MapState } from '../../map/map-state.ts';
import { nameIn } from '../../map/units/unit-names.ts';
import { fileNameOf } from '../../parts/downloads.ts';
import { FileLink } from '../../parts/file-link.tsx';
import { datasetName } from '../../service/graph-words.ts';
import { languages, namesOfLanguages } from '../../words/languages.ts';
import {
  frameOfView,
  papers,
  readSheet,
  scales,
  type SheetSettings,
  sheetPath,
  type ShownView,
  writeSheet,
} from './sheet-settings.ts';
import type { MapLocale } from '../../map/words/words.ts';

interface SheetProps {
  readonly state: MapState;
  readonly sources: MapSources;
  readonly locale: MapLocale;
  /** True if a person has opened the form, which then scrolls into sight. */
  readonly isAsked: boolean;
}

const levels = ['region', 'district'] as const;

/** Sets up a map on paper; its frame is on the map while the panel is open. */
export function SheetPanel({ state, sources, locale, isAsked }: SheetProps) {
  const { words, language } = locale;
  const { sheet: text } = words;
  const settings = readSheet(state.sheet.value ?? '');
  const units = useSignal<readonly (readonly Unit[])[]>([]);
  const sheetLanguage = useSignal<string>(language);
  const chosen = useSignal<string | undefined>(undefined);
  const rasters = state.layers.value.filter(({ model, isVisible }) => isVisible && model.kind === 'raster');
  const raster = rasters.find(({ id }) => id === chosen.value) ?? rasters[0];
  const view = viewOf(state);
  useEffect(() => {
    const load = async () => {
      units.value = await Promise.all(levels.map(async (level) => await sources.districts.units(level)));
    };
    // Without names, only the view and the whole raster are offered, and the base map reports the failure.
    void load().catch(() => void (state.baseFailed.value = true));
    return () => void (state.frame.value = undefined);
  }, []);
  const form = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isAsked) return;
    form.current?.scrollIntoView({ block: 'nearest' });
    form.current?.querySelector('h2')?.focus({ preventScroll: true });
  }, []);
  const isView = settings.what === 'view';
  useEffect(() => {
    state.frame.value =
      isView && view !== undefined ? ringOfExtent(frameOfView(settings, view).frame) : undefined;
  }, [state.sheet.value, state.at.value, state.metresPerPixel.value]);
  const set = (change: Partial<SheetSettings>) => {
    state.sheet.value = writeSheet({ ...settings, ...change });
    if (change.what !== undefined) state.unit.value = /^\d/.test(change.what) ? change.what : undefined;
  };
  return (
    <section ref={form} class="stack map-sheet" aria-labelledby="map-sheet">
      <h2 id="map-sheet" tabIndex={-1}>
        {text.title}
      </h2>
      <p class="small">{text.text}</p>
      {raster === undefined && <p role="status">{text.noRaster}</p>}
      {rasters.length > 1 && (
        <Choice label={text.raster} value={raster?.id ?? ''} onChoice={(id) => (chosen.value = id)}>
          {rasters.map(({ id, model }) => (
            <option key={id} value={id}>
              {datasetName(model.dataset)}
            </option>
          ))}
        </Choice>
      )}
      <Choice label={text.what} value={settings.what} onChoice={(what) => set({ what })}>
        <option value="view">{text.view}</option>
        <option value="whole">{text.whole}</option>
        {units.value.map((own, index) => (
          <optgroup key={levels[index]} label={index === 0 ? text.regions : text.districts}>
            {own.map((unit) => (
              <option key={unit.kato} value={unit.kato}>
                {nameIn(unit, language)}
              </option>
            ))}
          </optgroup>
        ))}
      </Choice>
      <Choice
        label={text.paper}
        value={settings.paper}
        onChoice={(paper) => set({ paper: papers.find((each) => each === paper) ?? settings.paper })}
      >
        {papers.map((paper) => (
          <option key={paper} value={paper}>
            {text.papers[paper]}
          </option>
        ))}
      </Choice>
      <Choice
        label={text.scale}
        value={String(settings.scale ?? '')}
        onChoice={(scale) => set({ scale: scale === '' ? undefined : Number(scale) })}
      >
        <option value="">{text.auto}</option>
        {scales.map((scale) => (
          <option key={scale} value={String(scale)}>
            1:{formatNumber(scale, language)}
          </option>
        ))}
      </Choice>
      <Choice
        label={text.language}
        value={sheetLanguage.value}
        onChoice={(each) => (sheetLanguage.value = each)}
      >
        {languages.map((each) => (
          <option key={each} value={each} lang={each}>
            {namesOfLanguages[each].long}
          </option>
        ))}
      </Choice>
      {isView && <p class="small muted">{text.frame}</p>}
      <div class="actions">
        {raster !== undefined && (
          <FileLink
            isMade
            of={datasetName(raster.model.dataset)}
            file={{
              label: text.file,
              path: sheetPath(raster.id, settings, { view, language: sheetLanguage.value }),
              name: fileNameOf(datasetName(raster.model.dataset), 'pdf'),
            }}
          />
        )}
        <button type="button" class="button" onClick={() => (state.sheet.value = undefined)}>
          {words.close}
        </button>
      </div>
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChoice: (value: string) => void;
  readonly children: ComponentChildren;
}

function Choice({ label, value, onChoice, children }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
        {children}
      </select>
    </label>
  );
}

/** The current view of the map; undefined before it is drawn. */
function viewOf(state: MapState): ShownView | undefined {
  const [at, metres] = [state.at.value, state.metresPerPixel.value];
  const target = document.querySelector('.map-target');
  if (at === undefined || metres === undefined || target === null) return undefined;
  return {
    lon: at.lon,
    lat: at.lat,
    width: target.clientWidth * metres,
    height: target.clientHeight * metres,
  };
}
