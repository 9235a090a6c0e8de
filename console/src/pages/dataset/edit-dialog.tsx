import { Choice, Field } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { ask } from '../../service/ask.ts';
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
  const { dataset: text } = words();
  const categories = useResource('categories', listCategories).resource.value.value ?? [];
  const groups = useResource('groups', listGroups).resource.value.value ?? [];
  const save = async (form: FormData): Promise<void> => {
    await ask(`/datasets/${dataset.id}`, { method: 'PATCH', body: changesIn(form) });
    onSaved();
  };
  return (
    <FormDialog title={text.edit} save={save} onClose={onClose}>
      <Field label={text.name} name="name" value={dataset.name} required />
      <Field label={text.description} name="description" value={dataset.description} />
      <Field label={text.unit} name="unit" value={dataset.unit} />
      <div class="pair">
        <Field label={text.from} name="start_date" value={dataset.start_date} type="date" />
        <Field label={text.to} name="end_date" value={dataset.end_date} type="date" />
      </div>
      <Choice label={text.category} name="category_id" value={dataset.category_id} options={categories} />
      <Choice label={text.group} name="dg_id" value={dataset.dg_id ?? ''} options={groups} none={text.none} />
    </FormDialog>
  );
}

/** An empty text clears; an empty day or group is sent as null. */
function changesIn(form: FormData): Readonly<Record<string, unknown>> {
  const nullable = new Set(['start_date', 'end_date', 'dg_id']);
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, value === '' && nullable.has(name) ? null : value]),
  );
}
