import { Choice, Field } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { ask } from '../../service/ask.ts';
import type { Category, DatasetGroup } from '../../service/types.ts';
import { words } from '../../words/words.ts';
import { codeOf } from './code-of.ts';

/** The subject of the dialog: a new category or group, or one that there is. */
export type Entry =
  | { readonly kind: 'categories'; readonly entry: Category | undefined }
  | { readonly kind: 'dataset-groups'; readonly entry: DatasetGroup | undefined };

/** Adds or changes a category or a group. Its code is made of its name unless somebody writes one. */
export function EntryDialog({
  kind,
  entry,
  parents,
  onClose,
  onSaved,
}: Entry & {
  /** The categories that a category may lie in. */
  readonly parents: readonly Category[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { catalogue: text, dataset } = words();
  const isCategory = kind === 'categories';
  const added = isCategory ? text.newCategory : text.newGroup;
  const save = async (form: FormData): Promise<void> => {
    const [path, method] = entry === undefined ? [`/${kind}`, 'POST'] : [`/${kind}/${entry.id}`, 'PUT'];
    await ask(path, { method, body: bodyOf(form, entry?.code) });
    onSaved();
  };
  return (
    <FormDialog title={entry === undefined ? added : text.edit(entry.name)} save={save} onClose={onClose}>
      <Field label={dataset.name} name="name" value={entry?.name ?? ''} maxLength={255} required />
      <Field
        label={text.code}
        name="code"
        value={entry?.code ?? ''}
        maxLength={255}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        hint={text.codeHint}
      />
      <Field label={dataset.description} name="description" value={entry?.description ?? ''} />
      {isCategory && (
        <Choice
          label={text.parent}
          name="parent_id"
          value={entry?.parent_id ?? ''}
          options={parents}
          none={dataset.none}
        />
      )}
    </FormDialog>
  );
}

function bodyOf(form: FormData, known: string | undefined): Readonly<Record<string, unknown>> {
  const textOf = (field: string) => {
    const value = form.get(field);
    return typeof value === 'string' ? value : '';
  };
  const name = textOf('name');
  return {
    name,
    code: textOf('code') || known || codeOf(name),
    description: textOf('description'),
    ...(form.has('parent_id') ? { parent_id: textOf('parent_id') || null } : {}),
  };
}
