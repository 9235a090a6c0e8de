import { useSignal } from '@preact/signals';
import { Dialog } from '../../parts/dialog.tsx';
import { ask, Refused } from '../../service/ask.ts';
import { listCategories, listGroups } from '../../service/catalogue.ts';
import { useResource } from '../../service/resource.ts';
import type { Dataset } from '../../service/types.ts';
import { words } from '../../words/words.ts';

/** Changes what people say about a dataset; its file stays. */
export function EditDialog({
  dataset,
  onClose,
  onSaved,
}: {
  readonly dataset: Dataset;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { dataset: text, shell, failure: failures } = words();
  const failure = useSignal<string | undefined>(undefined);
  const categories = useResource('categories', listCategories).resource.value.value ?? [];
  const groups = useResource('groups', listGroups).resource.value.value ?? [];
  const save = async (form: HTMLFormElement): Promise<void> => {
    try {
      await ask(`/datasets/${dataset.id}`, { method: 'PATCH', body: changesIn(new FormData(form)) });
      onSaved();
    } catch (error) {
      failure.value = (error instanceof Refused && error.message) || failures.network;
    }
  };
  return (
    <Dialog title={text.edit} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <Field label={text.name} name="name" value={dataset.name} required />
        <Field label={text.description} name="description" value={dataset.description} />
        <Field label={text.unit} name="unit" value={dataset.unit} />
        <div class="pair">
          <Field label={text.from} name="start_date" value={dataset.start_date} type="date" />
          <Field label={text.to} name="end_date" value={dataset.end_date} type="date" />
        </div>
        <Choice label={text.category} name="category_id" value={dataset.category_id} options={categories} />
        <Choice
          label={text.group}
          name="dg_id"
          value={dataset.dg_id ?? ''}
          options={groups}
          none={text.none}
        />
        <p class="wrong" role="alert">
          {failure.value}
        </p>
        <div class="actions">
          <button type="submit" class="button primary">
            {text.save}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {shell.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** An empty text clears; an empty day or group is sent as null. */
function changesIn(form: FormData): Readonly<Record<string, unknown>> {
  const nullable = new Set(['start_date', 'end_date', 'dg_id']);
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, value === '' && nullable.has(name) ? null : value]),
  );
}

function Field({
  label,
  name,
  value,
  ...rest
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string | null;
  readonly type?: 'date';
  readonly required?: boolean;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input name={name} defaultValue={value ?? ''} maxLength={2000} {...rest} />
    </label>
  );
}

function Choice({
  label,
  name,
  value,
  options,
  none,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly none?: string;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      {/* Made anew when the options come, so that the right one is chosen. */}
      <select key={options.length} name={name} defaultValue={value}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map(({ id, name: text }) => (
          <option key={id} value={id} selected={id === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
