import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ChangeDialog } from '../../parts/dialogs.tsx';
import { Failure } from '../../parts/loading.tsx';
import { shownCategory } from '../../service/graph-words.ts';
import { useResource } from '../../service/resource.ts';
import type { DatasetSummary } from '../../service/types.ts';
import { get, patch } from '../../service/request.ts';
import { changes } from '../../uploads/follow.ts';
import { deleteDataset } from '../../uploads/uploads.ts';
import { words } from '../../words/words.ts';

/** The ids of the selected rows; cleared when the list changes. */
export function useSelection(list: string): Signal<ReadonlySet<string>> {
  const selected = useSignal<ReadonlySet<string>>(new Set());
  useEffect(() => {
    selected.value = new Set();
  }, [list]);
  return selected;
}

/** Actions on the selected rows; hidden while there are none. */
export function Selection({
  datasets,
  selected,
}: {
  readonly datasets: readonly DatasetSummary[];
  readonly selected: Signal<ReadonlySet<string>>;
}) {
  const { selection: text } = words();
  const open = useSignal<'move' | 'delete' | undefined>(undefined);
  const ids = datasets.flatMap(({ id }) => (selected.value.has(id) ? [id] : []));
  const changing: Changing = {
    ids,
    onClose: () => void (open.value = undefined),
    onDone(unchanged) {
      // Datasets that could not be changed stay selected.
      selected.value = new Set(unchanged);
      changes.value += 1;
      // By then the dialog is closed and the buttons that had the focus are gone.
      if (unchanged.length === 0) requestAnimationFrame(() => document.querySelector('h1')?.focus());
    },
  };
  if (ids.length === 0) return undefined;
  return (
    <div class="selection">
      <span aria-live="polite">{text.selected(ids.length)}</span>
      <span class="actions">
        <button type="button" class="button" onClick={() => void (open.value = 'move')}>
          {text.move}
        </button>
        <button type="button" class="button danger" onClick={() => void (open.value = 'delete')}>
          {text.remove}
        </button>
        <button type="button" class="button quiet" onClick={() => void (selected.value = new Set())}>
          {text.clear}
        </button>
      </span>
      {open.value === 'move' && <MoveDialog {...changing} datasets={datasets} />}
      {open.value === 'delete' && (
        <ChangeDialog
          {...changing}
          title={text.removeTitle(ids.length)}
          action={text.remove}
          isDanger
          change={deleteDataset}
        >
          <p>{text.removeText}</p>
        </ChangeDialog>
      )}
    </div>
  );
}

interface Changing {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onDone: (unchanged: readonly string[]) => void;
}

function MoveDialog({ datasets, ...changing }: Changing & { readonly datasets: readonly DatasetSummary[] }) {
  const { selection: text, failure: failures } = words();
  const { resource, reload } = useResource(
    'categories',
    async (signal) => await get('/categories', { signal }),
  );
  const { value: categories, failure, isLoading } = resource.value;
  const chosen = useSignal('');
  /** A dataset that is already in the category needs no request. */
  const move = async (id: string): Promise<void> => {
    if (datasets.find((dataset) => dataset.id === id)?.category_id === chosen.value) return;
    await patch('/datasets/{id}', { path: { id }, body: { category_id: chosen.value } });
  };
  return (
    <ChangeDialog
      {...changing}
      title={text.moveTitle(changing.ids.length)}
      action={text.move}
      isReady={chosen.value !== ''}
      change={move}
    >
      {isLoading && (
        <p class="muted" role="status">
          {failures.loading}
        </p>
      )}
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {categories !== undefined && (
        <label class="field">
          <span>{text.moveTo}</span>
          <select value={chosen.value} onChange={(event) => void (chosen.value = event.currentTarget.value)}>
            <option value="" disabled>
              {text.chooseCategory}
            </option>
            {categories.map(shownCategory).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </ChangeDialog>
  );
}
