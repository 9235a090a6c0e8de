import { Choice, Field } from '../../parts/fields.tsx';
import { type Changes, FormDialog } from '../../parts/dialogs.tsx';
import { shownCategory, shownGroup } from '../../service/graph-words.ts';
import type { Category, DatasetGroup } from '../../service/types.ts';
import { get, post, put } from '../../service/request.ts';
import { words } from '../../words/words.ts';
import { codeOf } from './code-of.ts';

/** The subject of the dialog: a new category or group, or an existing one. */
export type Entry =
  | { readonly kind: 'categories'; readonly entry: Category | undefined }
  | { readonly kind: 'dataset-groups'; readonly entry: DatasetGroup | undefined };

/** The entry in the language of the reader. */
export function shownEntry({ kind, entry }: Entry): Category | DatasetGroup | undefined {
  if (entry === undefined) return undefined;
  return kind === 'categories' ? shownCategory(entry) : shownGroup(entry);
}

/** Adds or changes a category or a group. The code is derived from the name unless one is typed. */
export function EntryDialog({
  parents,
  onClose,
  onSaved,
  ...opened
}: Entry & {
  /** The categories that can be a parent. */
  readonly parents: readonly Category[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { catalogue: text, dataset } = words();
  const { kind, entry } = opened;
  const isCategory = kind === 'categories';
  const added = isCategory ? text.newCategory : text.newGroup;
  const save = async (changes: Changes): Promise<void> => {
    if (entry === undefined) await post(`/${kind}` as const, { body: bodyOf(changes) });
    else await change(kind, entry.id, changes);
    onSaved();
  };
  return (
    <FormDialog
      title={entry === undefined ? added : text.edit(shownEntry(opened)?.name ?? '')}
      save={save}
      onClose={onClose}
    >
      <Field label={dataset.name} name="name" value={entry?.name ?? ''} maxLength={255} required />
      {/* The code of a category cannot change. */}
      {(entry === undefined || !isCategory) && (
        <Field
          label={text.code}
          name="code"
          value={entry?.code ?? ''}
          maxLength={255}
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          hint={text.codeHint}
        />
      )}
      <Field label={dataset.description} name="description" value={entry?.description ?? ''} isLong />
      {isCategory && (
        <Choice
          label={text.parent}
          name="parent_id"
          value={entry?.parent_id ?? ''}
          options={parents.map(shownCategory)}
          none={dataset.none}
        />
      )}
    </FormDialog>
  );
}

type Body = Readonly<Record<string, string | null>>;

/** Empty fields are not sent; the code is derived from the name unless one is typed. */
function bodyOf(changes: Changes): Body {
  const filled = Object.entries(changes).filter(([, value]) => value !== '');
  return { code: codeOf(changes['name'] ?? ''), ...Object.fromEntries(filled) };
}

/** PUT replaces all fields, so the others are sent as they are stored now, not as the page has loaded them. */
async function change(
  kind: Entry['kind'],
  id: string,
  { code, parent_id: parent, ...changes }: Changes,
): Promise<void> {
  const now = await get(`/${kind}/{id}` as const, { path: { id } });
  const body: Body = {
    code: code === undefined || code === '' ? now.code : code,
    name: now.name,
    description: now.description,
    ...('parent_id' in now && { parent_id: parent === undefined ? now.parent_id : parent || null }),
    ...changes,
  };
  await put(`/${kind}/{id}` as const, { path: { id }, body });
}
