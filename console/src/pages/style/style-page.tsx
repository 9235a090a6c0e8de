import '../../map/map.css';
import './style.css';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { address, hrefOf, replaceQuery } from '../../address/address.ts';
import { Legend } from '../../map/legend/legend.tsx';
import type { LoadedLayer } from '../../map/layers/layer-model.ts';
import { MapCanvas } from '../../map/map-canvas.tsx';
import { createMapState, mapSources } from '../../map/map-state.ts';
import { BaseNotice, LayerNotice } from '../../map/notices.tsx';
import { useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { datasetName } from '../../service/graph-words.ts';
import { useResource } from '../../service/resource.ts';
import { useStatistics } from '../../service/statistics.ts';
import type { Dataset, DatasetGroup } from '../../service/types.ts';
import {
  type Choice,
  hasChoice,
  noChoice,
  readChoice,
  readSymbol,
  writeChoice,
  writeSymbol,
} from '../../style/choice.ts';
import { language, words } from '../../words/words.ts';
import { TimeBar } from '../map/time-bar.tsx';
import { labelsOf, makeStyle, type Offer, offerOf } from './offer.ts';
import { StoredStyle } from './stored-style.tsx';
import { StyleForm } from './style-form.tsx';
import { styleWords, type StyleWords } from './words/words.ts';
import { mapWords, type MapLocale } from '../../map/words/words.ts';
import { listGroups } from '../../service/groups.ts';
import { get } from '../../service/request.ts';

/** Makes the style of a dataset, with a preview on its map. */
export function StylePage({ id }: { readonly id: string }) {
  const locale = mapWords.locale();
  const text = styleWords();
  const { resource, reload } = useResource(`${id} ${language()}`, async (signal) => {
    const dataset = await get('/datasets/{id}', { path: { id }, signal });
    const groups = dataset.dg_id === null ? [] : await listGroups(signal);
    return { dataset, group: groups.find((group) => group.id === dataset.dg_id) };
  });
  const { value, failure } = resource.value;
  // Kept outside of the component that is recreated with each change of the dataset.
  const message = useSignal('');
  const title = text.title(value === undefined ? '' : datasetName(value.dataset));
  useTitle(value === undefined ? words().datasets.title : title);
  return (
    <article class="style-page">
      <p class="small">
        <a href={hrefOf(['datasets', id])}>‹ {text.back}</a>
      </p>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {value === undefined && failure === undefined && <Waiting />}
      {value !== undefined && (
        <>
          <h1 tabIndex={-1}>{title}</h1>
          <Opened key={value.dataset.updated_at} {...value} {...{ locale, text, message, reload }} />
        </>
      )}
    </article>
  );
}

interface OpenedProps {
  readonly dataset: Dataset;
  readonly group: DatasetGroup | undefined;
  readonly locale: MapLocale;
  readonly text: StyleWords;
  readonly message: Signal<string>;
  readonly reload: () => void;
}

function Opened({ dataset, group, locale, text, message, reload }: OpenedProps) {
  const sources = mapSources();
  const state = useMemo(() => createMapState(sources, `l=${dataset.id}`), []);
  const statistics = useStatistics(dataset.id, dataset.file_type === 'raster' && dataset.status === 'ready');
  const [row] = state.rows.value;
  const layer = row?.state.kind === 'shown' ? row.state.layer : undefined;
  /** The layer without unsaved changes. */
  const stored = useRef<LoadedLayer>(undefined);
  stored.current ??= layer;
  const offer = stored.current && offerOf(stored.current, statistics.value);
  const { query } = address.value;
  const isStored = dataset.sld_storage_key !== null || (group?.sld_storage_key ?? null) !== null;
  const isMaking = hasChoice(query) || !isStored;
  const [choice, symbol] = [readChoice(query, firstOf(offer, query)), readSymbol(query)];
  const made = useMemo(
    () =>
      isMaking && offer !== undefined && stored.current !== undefined
        ? makeStyle(offer, { choice, symbol }, labelsOf(stored.current))
        : undefined,
    [isMaking, stored.current, statistics.value, query.toString()],
  );
  const isLoaded = layer !== undefined;
  useEffect(() => {
    if (made !== undefined && isLoaded) void state.restyle(dataset.id, made.sld);
  }, [made?.sld, isLoaded]);
  const drop = () => {
    replaceQuery(noChoice);
    void state.load(dataset.id);
  };
  return (
    <div class="columns style-columns">
      <section class="sheet pad style-map" aria-label={locale.words.openMap}>
        <div class="style-canvas">
          <MapCanvas state={state} words={locale.words} wheelZooms={false} />
          <TimeBar state={state} locale={locale} />
        </div>
        {row?.state.kind === 'loading' && <p class="small muted">{locale.words.loading}</p>}
        {row?.state.kind === 'failed' && (
          <LayerNotice
            problem={row.state.problem}
            words={locale.words}
            retry={() => void state.load(dataset.id)}
          />
        )}
        {layer !== undefined && (
          <Legend
            layer={layer}
            locale={locale}
            only={state.only.value?.index}
            without={undefined}
            onClass={(index) => state.toggleClass(dataset.id, index)}
          />
        )}
        <BaseNotice state={state} words={locale.words} />
      </section>
      <div class="stack">
        <StoredStyle
          {...{ dataset, group, layer, made, text, locale }}
          isMaking={isMaking && isStored}
          onMake={() => replaceQuery(offer?.kind === 'symbol' ? writeSymbol(symbol) : writeChoice(choice))}
          onDrop={drop}
          message={message.value}
          onChanged={(sentence) => {
            message.value = sentence;
            replaceQuery(noChoice);
            reload();
          }}
        />
        {statistics.failure !== undefined && (
          <Failure failure={statistics.failure} retry={statistics.reload} title={words().statistics.failed} />
        )}
        {isMaking && offer !== undefined && (
          <StyleForm
            {...{ offer, choice, symbol, text, locale }}
            drawing={made?.drawing}
            onChoice={(change) => replaceQuery(writeChoice({ ...choice, ...change }))}
            onSymbol={(change) => replaceQuery(writeSymbol({ ...symbol, ...change }))}
          />
        )}
      </div>
    </div>
  );
}

/** The initial choice: unordered colours for single values. */
function firstOf(offer: Offer | undefined, query: URLSearchParams): Pick<Choice, 'kind' | 'ramp'> {
  const kind = offer?.kind === 'numbers' ? offer.kinds[0] : 'classes';
  const isOfValues = offer?.kind === 'words' || (query.get('kind') ?? kind) === 'values';
  return { kind, ramp: isOfValues ? 'different' : 'ylgn' };
}
