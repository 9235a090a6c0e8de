import { useMemo } from 'preact/hooks';
import { Failure } from '../../parts/loading.tsx';
import { Choice, Field } from '../../parts/fields.tsx';
import { ChangeDialog, type Changes, FormDialog } from '../../parts/dialogs.tsx';
import { shownCategory, shownGroup } from '../../service/graph-words.ts';
import { useResource } from '../../service/resource.ts';
import type { Dataset } from '../../service/types.ts';
import { listGroups } from '../../service/groups.ts';
import { get, patch } from '../../service/request.ts';
import { words } from '../../words/words.ts';
import { deleteDataset } from '../../uploads/uploads.ts';

/** Changes the metadata of a dataset; its file stays. Choices that cannot be loaded are not offered, and stay unchanged. */
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
  // The dataset when the dialog opened, so that a change by others is not reverted.
  const before = useMemo(() => dataset, []);
  const categories = useResource('categories', async (signal) => await get('/categories', { signal }));
  const groups = useResource('groups', listGroups);
  const { value: knownCategories, ...category } = categories.resource.value;
  const { value: knownGroups, ...group } = groups.resource.value;
  const save = async (changes: Changes): Promise<void> => {
    await patch('/datasets/{id}', { path: { id: dataset.id }, body: bodyOf(changes) });
    onSaved();
  };
  const failure = category.failure ?? group.failure;
  const retry = (): void => {
    if (category.failure !== undefined) categories.reload();
    if (group.failure !== undefined) groups.reload();
  };
  return (
    <FormDialog
      title={text.edit}
      isLoading={category.isLoading || group.isLoading}
      save={save}
      onClose={onClose}
    >
      <Field label={text.name} name="name" value={before.name} maxLength={255} required />
      <Field label={text.description} name="description" value={before.description} isLong />
      <Field label={text.unit} name="unit" value={before.unit} />
      <div class="pair">
        <Field label={text.from} name="start_date" value={before.start_date} type="date" />
        <Field label={text.to} name="end_date" value={before.end_date} type="date" />
      </div>
      {knownCategories !== undefined && (
        <Choice
          label={text.category}
          name="category_id"
          value={before.category_id}
          options={knownCategories.map(shownCategory)}
        />
      )}
      {knownGroups !== undefined && (
        <Choice
          label={text.group}
          name="dg_id"
          value={before.dg_id ?? ''}
          options={knownGroups.map(shownGroup)}
          none={text.none}
        />
      )}
      {failure !== undefined && <Failure failure={failure} retry={retry} title={text.choicesFailed} />}
    </FormDialog>
  );
}

const nullable: ReadonlySet<string> = new Set(['start_date', 'end_date', 'dg_id']);

/** An empty text clears the field; an empty day or group is sent as null. */
function bodyOf(changes: Changes): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value === '' && nullable.has(name) ? null : value]),
  );
}

/** Asks for confirmation before a dataset is deleted permanently. */
export function DeleteDialog({
  id,
  name,
  onClose,
  onDeleted,
}: {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) {
  const { dataset: text } = words();
  return (
    <ChangeDialog
      ids={[id]}
      title={text.removeTitle(name)}
      action={text.remove}
      isDanger
      change={deleteDataset}
      onClose={onClose}
      onDone={(unchanged) => {
        if (unchanged.length === 0) onDeleted();
      }}
    >
      <p>{text.removeText}</p>
    </ChangeDialog>
  );
}
