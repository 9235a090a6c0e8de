import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { readReadyDatasets } from '../../map/layers/layer-requests.ts';
import type { MapState } from '../../map/map-state.ts';
import { Dialog } from '../../parts/dialogs.tsx';
import { sentenceOf } from '../../parts/loading.tsx';
import { TypeSign } from '../../parts/signs.tsx';
import { datasetName } from '../../service/graph-words.ts';
import { useResource } from '../../service/resource.ts';
import type { MapLocale } from '../../map/words/words.ts';

interface AddDialogProps {
  readonly state: MapState;
  readonly locale: MapLocale;
  readonly onClose: () => void;
}

/** A search starts after this pause in typing. */
const searchAfterMs = 250;

/** Chooses a ready dataset, and adds it as the uppermost layer. */
export function AddDialog({ state, locale, onClose }: AddDialogProps) {
  const { words } = locale;
  const typed = useSignal('');
  const search = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => (search.value = typed.value.trim()), searchAfterMs);
    return () => clearTimeout(timer);
  }, [typed.value]);
  const { resource, reload } = useResource(search.value, async () => await readReadyDatasets(search.value));
  const { value: page, failure, isLoading } = resource.value;
  const isCurrent = !isLoading && typed.value.trim() === search.value;
  const known = new Set(state.rows.value.map(({ id }) => id));
  return (
    <Dialog title={words.addTitle} onClose={onClose}>
      <label class="field">
        <span>{words.search}</span>
        <input
          type="search"
          value={typed.value}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        />
      </label>
      {failure !== undefined && (
        <div role="alert">
          <p>{words.listFailed}</p>
          <p>{sentenceOf(failure)}</p>
          <button type="button" class="button" onClick={reload}>
            {words.again}
          </button>
        </div>
      )}
      <p class="muted" role="status">
        {!isCurrent && words.searching}
        {isCurrent && page?.total === 0 && (search.value === '' ? words.nothingReady : words.nothingToAdd)}
      </p>
      <ul class="map-choices">
        {(page?.data ?? []).map(({ id, file_type: type, end_date: end, ...named }) => (
          <li key={id}>
            <button
              type="button"
              disabled={known.has(id)}
              onClick={() => {
                void state.add(id);
                onClose();
              }}
            >
              <TypeSign type={type} />
              <span>{datasetName(named)}</span>
              <span class="muted small">{end?.slice(0, 4)}</span>
            </button>
          </li>
        ))}
      </ul>
      {page !== undefined && page.total > page.data.length && (
        <p class="small muted">{words.onlyFirst(page.data.length, page.total)}</p>
      )}
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Dialog>
  );
}
