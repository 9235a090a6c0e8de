import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../../../../common/formats/numbers.ts';
import { ringOfExtent } from '../../../../common/maps/paper/albers.ts';
import {
  type NomenclatureScale,
  type NomenclatureSheet,
  nomenclatureScales,
  readNomenclature,
  sheetAt,
} from '../../../../common/maps/paper/nomenclature.ts';
import { type Datum, datums } from '../../../../common/maps/paper/planes.ts';
import type { Unit } from '../../map/units/districts.ts';
import type { LoadedLayer } from '../../map/layers/layer-model.ts';
import type { MapSources } from '../../map/layers/read-layer.ts';
import type { MapState } from '../../map/map-state.ts';
import { nameIn } from '../../map/units/unit-names.ts';
import { fileNameOf } from '../../parts/downloads.ts';
import { FileLink } from '../../parts/file-link.tsx';
import { datasetName } from '../../service/graph-words.ts';
import { languages, namesOfLanguages } from '../../words/languages.ts';
import {
  type AnnexText,
  bordersChoices,
  frameOfState,
  frameOfView,
  isIncomplete,
  papers,
  readSheet,
  scales,
  type SheetExtras,
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
  const hasOthers = useSignal(true);
  const borders = useSignal<SheetExtras['borders']>('');
  const annex = useSignal<AnnexText>(noAnnex);
  const visible = state.layers.value.filter(({ isVisible }) => isVisible);
  // A raster first: its hectares are those of the sheet.
  const offered = visible.toSorted((one, other) => rankOf(one.model) - rankOf(other.model));
  const layer = offered.find(({ id }) => id === chosen.value) ?? offered[0];
  const others = visible.filter(({ id }) => id !== layer?.id).slice(0, 3);
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
      settings.sheet !== undefined
        ? frameOfState(settings.sheet, settings.datum)
        : isView && view !== undefined
          ? ringOfExtent(frameOfView(settings, view).frame)
          : undefined;
  }, [state.sheet.value, state.at.value, state.metresPerPixel.value]);
  /** The sheet of a scale in the middle of the sheet so far, or of the view. */
  const sheetOfScale = (scale: NomenclatureScale) => {
    const { sheet: known } = settings;
    const [lon, lat] =
      known === undefined
        ? [(view?.lon ?? middle.lon) * 3600, (view?.lat ?? middle.lat) * 3600]
        : [(known.west + known.east) / 2, (known.south + known.north) / 2];
    return sheetAt(scale, lon, lat) ?? sheetAt(scale, middle.lon * 3600, middle.lat * 3600);
  };
  const set = (change: Partial<SheetSettings>) => {
    const isState = (change.what ?? settings.what) === 'state';
    const sheet = isState ? (change.sheet ?? settings.sheet ?? sheetOfScale(100_000)) : undefined;
    // The smallest paper is offered for sheets of the state map alone.
    const paper =
      change.what === 'state' ? undefined : (settings.paper ?? (isState ? undefined : 'A4.landscape'));
    state.sheet.value = writeSheet({ ...settings, paper, ...change, sheet });
    if (change.what !== undefined) state.unit.value = /^\d/.test(change.what) ? change.what : undefined;
  };
  return (
    <section ref={form} class="stack map-sheet" aria-labelledby="map-sheet">
      <h2 id="map-sheet" tabIndex={-1}>
        {text.title}
      </h2>
      <p class="small">{text.text}</p>
      {layer === undefined && <p role="status">{text.noRaster}</p>}
      {offered.length > 1 && (
        <Choice label={text.raster} value={layer?.id ?? ''} onChoice={(id) => (chosen.value = id)}>
          {offered.map(({ id, model }) => (
            <option key={id} value={id}>
              {datasetName(model.dataset)}
            </option>
          ))}
        </Choice>
      )}
      <Choice label={text.what} value={settings.what} onChoice={(what) => set({ what })}>
        <option value="view">{text.view}</option>
        <option value="whole">{text.whole}</option>
        <option value="state">{text.state}</option>
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
      {settings.sheet !== undefined && (
        <StateSheet
          sheet={settings.sheet}
          datum={settings.datum}
          locale={locale}
          onSheet={(sheet) => set({ sheet })}
          onScale={(scale) => set({ sheet: sheetOfScale(scale) })}
          onDatum={(datum) => set({ datum })}
        />
      )}
      <Choice
        label={text.paper}
        value={settings.paper ?? ''}
        onChoice={(paper) => set({ paper: papers.find((each) => each === paper) })}
      >
        {settings.sheet !== undefined && <option value="">{text.smallest}</option>}
        {papers.map((paper) => (
          <option key={paper} value={paper}>
            {text.papers[paper]}
          </option>
        ))}
      </Choice>
      {settings.sheet === undefined && (
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
      )}
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
      <Choice
        label={text.borders}
        value={borders.value}
        onChoice={(each) => (borders.value = bordersChoices.find((known) => known === each) ?? '')}
      >
        {bordersChoices.map((each) => (
          <option key={each} value={each}>
            {text.bordersOf[each]}
          </option>
        ))}
      </Choice>
      {others.length > 0 && (
        <label class="small map-distinct">
          <input
            type="checkbox"
            checked={hasOthers.value}
            onChange={({ currentTarget }) => (hasOthers.value = currentTarget.checked)}
          />
          <span>{text.allLayers}</span>
        </label>
      )}
      <AnnexFields locale={locale} annex={annex.value} onAnnex={(next) => (annex.value = next)} />
      {(isView || settings.sheet !== undefined) && <p class="small muted">{text.frame}</p>}
      <div class="actions">
        {layer !== undefined && !isIncomplete(annex.value) && (
          <FileLink
            isMade
            of={datasetName(layer.model.dataset)}
            file={{
              label: text.file,
              path: sheetPath(layer.id, settings, {
                view,
                language: sheetLanguage.value,
                // The list has the uppermost layer first.
                layers: hasOthers.value ? others.map(({ id }) => id).toReversed() : [],
                borders: borders.value,
                annex: annex.value,
              }),
              name: fileNameOf(settings.sheet?.name ?? datasetName(layer.model.dataset), 'pdf'),
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

const noAnnex: AnnexText = { body: '', number: '', date: '', signatures: '', names: '' };
/** A place in the middle of Kazakhstan. */
const middle = { lon: 67, lat: 48 };
const rankOf = ({ kind }: LoadedLayer) => (kind === 'raster' ? 0 : 1);

interface StateSheetProps {
  readonly sheet: NomenclatureSheet;
  readonly datum: Datum;
  readonly locale: MapLocale;
  readonly onSheet: (sheet: NomenclatureSheet) => void;
  readonly onScale: (scale: NomenclatureScale) => void;
  readonly onDatum: (datum: Datum) => void;
}

/** Chooses a sheet of the state map by its name, or by its scale around the place so far. */
function StateSheet({ sheet, datum, locale, onSheet, onScale, onDatum }: StateSheetProps) {
  const { sheet: text } = locale.words;
  const isWrong = useSignal(false);
  return (
    <>
      <Choice
        label={text.sheetScale}
        value={String(sheet.scale)}
        onChoice={(scale) => {
          const known = nomenclatureScales.find((each) => String(each) === scale);
          if (known !== undefined) onScale(known);
        }}
      >
        {nomenclatureScales.map((scale) => (
          <option key={scale} value={String(scale)}>
            1:{formatNumber(scale, locale.language)}
          </option>
        ))}
      </Choice>
      <label class="field">
        <span>{text.nomenclature}</span>
        <input
          type="text"
          key={sheet.name}
          defaultValue={sheet.name}
          maxLength={40}
          aria-invalid={isWrong.value}
          onChange={({ currentTarget }) => {
            const read = readNomenclature(currentTarget.value);
            isWrong.value = typeof read === 'string';
            if (typeof read !== 'string') onSheet(read);
          }}
        />
      </label>
      {isWrong.value && <p role="alert">{text.wrongSheet}</p>}
      <Choice
        label={text.datum}
        value={datum}
        onChoice={(each) => onDatum(datums.find((known) => known === each) ?? datum)}
      >
        {datums.map((each) => (
          <option key={each} value={each}>
            {text.datums[each]}
          </option>
        ))}
      </Choice>
    </>
  );
}

interface AnnexProps {
  readonly locale: MapLocale;
  readonly annex: AnnexText;
  readonly onAnnex: (annex: AnnexText) => void;
}

/** The decision whose annex the sheet is; its words are sent with the request alone. */
function AnnexFields({ locale, annex, onAnnex }: AnnexProps) {
  const { sheet: text } = locale.words;
  return (
    <details>
      <summary>{text.annex}</summary>
      <div class="stack">
        {(['body', 'number'] as const).map((name) => (
          <label key={name} class="field">
            <span>{text[name]}</span>
            <input
              type="text"
              value={annex[name]}
              maxLength={name === 'body' ? 120 : 40}
              onInput={({ currentTarget }) => onAnnex({ ...annex, [name]: currentTarget.value })}
            />
          </label>
        ))}
        <label class="field">
          <span>{text.date}</span>
          <input
            type="date"
            value={annex.date}
            onInput={({ currentTarget }) => onAnnex({ ...annex, date: currentTarget.value })}
          />
        </label>
        {(['signatures', 'names'] as const).map((name) => (
          <label key={name} class="field">
            <span>{text[name]}</span>
            <textarea
              rows={3}
              maxLength={4000}
              value={annex[name]}
              onInput={({ currentTarget }) => onAnnex({ ...annex, [name]: currentTarget.value })}
            />
          </label>
        ))}
      </div>
      {isIncomplete(annex) && <p role="status">{text.incomplete}</p>}
    </details>
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
