import { useSignal } from '@preact/signals';
import type { MapSpeech } from '../../map/labels.ts';
import { readReadyDatasets } from '../../map/map-service.ts';
import type { MapSources, MapState } from '../../map/map-state.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TypeSign } from '../../parts/icons.tsx';
import { useResource } from '../../service/resource.ts';

interface AddDialogProps {
  readonly state: MapState;
  readonly sources: MapSources;
  readonly speech: MapSpeech;
  readonly onClose: () => void;
}

/** Chooses a ready dataset and puts it on top of the map. */
export function AddDialog({ state, sources, speech, onClose }: AddDialogProps) {
  const { words } = speech;
  const search = useSignal('');
  const { resource, reload } = useResource('ready', async () => await readReadyDatasets(sources.service, ''));
  const { value: page, failure } = resource.value;
  const wanted = search.value.trim().toLocaleLowerCase();
  const shown = (page?.data ?? []).filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  const known = new Set(state.rows.value.map(({ id }) => id));
  return (
    <Dialog title={words.addTitle} onClose={onClose}>
      <label class="field">
        <span>{words.search}</span>
        <input
          type="search"
          value={search.value}
          onInput={({ currentTarget }) => (search.value = currentTarget.value)}
        />
      </label>
      {failure !== undefined && (
        <div role="alert">
          <p>{words.listFailed}</p>
          <button type="button" class="button" onClick={reload}>
            {words.again}
          </button>
        </div>
      )}
      {page !== undefined && shown.length === 0 && <p class="muted">{words.nothingToAdd}</p>}
      <ul class="map-choices">
        {shown.map(({ id, name, file_type: type, end_date: end }) => (
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
              <span>{name}</span>
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
