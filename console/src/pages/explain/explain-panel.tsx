import './explain.css';
import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { hrefOf } from '../../address/address.ts';
import type { LonLat } from '../../map/place/address.ts';
import type { LoadedLayer } from '../../map/layers/layer-model.ts';
import type { MapState } from '../../map/map-state.ts';
import { formatPlace } from '../../map/place/coordinates.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useResource } from '../../service/resource.ts';
import { formatMoment } from '../../../../common/formats/days.ts';
import { language } from '../../words/words.ts';
import { Explanation } from './explanation.tsx';
import { PrintedMap } from './printed-map.tsx';
import { PlaceForm } from './place-form.tsx';
import { explainWords } from './words/words.ts';
import type { MapLocale } from '../../map/words/words.ts';
import type { LandscapeRun } from '../../service/types.ts';
import { get } from '../../service/request.ts';

interface PanelProps {
  readonly state: MapState;
  readonly locale: MapLocale;
  /** True while the form is open without a place. */
  readonly isAsking: Signal<boolean>;
}

/** The media query for which the style places the panel below the map. */
const belowMap = '(width < 1180px)';

/** Explains the value at a place of the map, by the run that computed the uppermost visible layer. */
export function ExplainPanel({ state, locale, isAsking }: PanelProps) {
  const explained = state.explained.value;
  const place = state.place.value;
  const layer = state.layers.value.find(({ model }) => model.dataset.id === explained?.dataset.id)?.model;
  const panel = useRef<HTMLElement>(null);
  const isTyped = useRef(false);
  useEffect(() => {
    if (place === undefined) return;
    // Below a narrow map the panel would be out of sight. Content that loads after the heading must not push it away.
    const isBelow = matchMedia(belowMap).matches;
    panel.current?.scrollIntoView({ block: isBelow ? 'start' : 'nearest' });
    if (isTyped.current) panel.current?.querySelector('h2')?.focus({ preventScroll: true });
    isTyped.current = false;
  }, [place]);
  if (explained === undefined) return null;
  const text = explainWords();
  const close = (): void => {
    state.place.value = undefined;
    isAsking.value = false;
    document.querySelector<HTMLElement>('.map-target')?.focus();
  };
  return (
    <aside ref={panel} class="explain" aria-labelledby="explain-title">
      <div class="explain-head">
        <h2 id="explain-title" tabIndex={-1}>
          {text.title}
        </h2>
        <button
          type="button"
          class="explain-close"
          aria-label={text.close}
          title={text.close}
          onClick={close}
        >
          ✕
        </button>
      </div>
      {place !== undefined && (
        <Place
          place={place}
          runId={explained.runId}
          node={explained.node}
          layer={layer}

          locale={locale}
        />
      )}
      <PlaceForm
        place={place}

        isWanted={isAsking.value && place === undefined}
        onPlace={(typed) => {
          isTyped.current = true;
          state.explain(typed);
        }}
      />
    </aside>
  );
}

interface PlaceProps {
  readonly place: LonLat;
  readonly runId: string;
  readonly node: string;
  readonly layer: LoadedLayer | undefined;
  readonly locale: MapLocale;
}

function Place({ place, runId, node, layer, locale }: PlaceProps) {
  const text = explainWords();
  const { lat, lon } = place;
  const run = useResource(
    `run ${runId} ${language()}`,
    async (signal) => await get('/landscape/runs/{id}', { path: { id: runId }, signal }),
  );
  const explanation = useResource(`explain ${runId} ${lat} ${lon} ${language()}`, async (signal) => ({
    of: `${runId} ${lat} ${lon}`,
    answer: await get('/landscape/runs/{id}/explain', { path: { id: runId }, query: { lon, lat }, signal }),
  }));
  const { value, failure } = explanation.resource.value;
  const { value: found, failure: runFailure } = run.resource.value;
  // The answer for another place is not shown.
  const answer = value?.of === `${runId} ${lat} ${lon}` ? value.answer : undefined;
  return (
    <>
      <div class="explain-where">
        <p>{formatPlace(lat, lon, locale)}</p>
        <p>
          {text.run}: <a href={hrefOf(['landscape', 'runs', runId])}>{nameOf(found, runId)}</a>
        </p>
      </div>
      {runFailure !== undefined && <Failure failure={runFailure} retry={run.reload} title={text.runFailed} />}
      {failure !== undefined && <Failure failure={failure} retry={explanation.reload} title={text.failed} />}
      {answer === undefined && failure === undefined && <Waiting />}
      {answer !== undefined && (
        <>
          <PrintedMap layer={layer} locale={locale} />
          <Explanation answer={answer} run={found} node={node} />
          <div class="explain-print">
            <p class="small muted">{text.method}</p>
            <button type="button" class="button" onClick={() => print()}>
              {text.print}
            </button>
          </div>
        </>
      )}
    </>
  );
}

/** The name of a run, or the time of its request. */
function nameOf(run: LandscapeRun | undefined, id: string): string {
  if (run === undefined) return id;
  return run.record?.name ?? formatMoment(run.created_at, language());
}
