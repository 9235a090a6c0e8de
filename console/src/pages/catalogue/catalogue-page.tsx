import { useSignal } from '@preact/signals';
import { hrefOf } from '../../address/address.ts';
import { Freshness } from '../../parts/freshness.tsx';
import { ChangeDialog } from '../../parts/dialogs.tsx';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useTitle } from '../../parts/hooks.ts';
import { may } from '../../service/capabilities.ts';
import { listGroups } from '../../service/groups.ts';
import { shownCategory, shownGroup } from '../../service/graph-words.ts';
import { useResource } from '../../service/resource.ts';
import type { Category, DatasetGroup, GroupFreshness } from '../../service/types.ts';
import { get, remove } from '../../service/request.ts';
import { changes } from '../../uploads/follow.ts';
import { words } from '../../words/words.ts';
import { type Branch, treeOf, withoutBranch } from '../datasets/category-tree.ts';
import { CadenceDialog } from './cadence-dialog.tsx';
import { type Entry, EntryDialog, shownEntry } from './entry-dialog.tsx';

type Opened = Entry & { readonly isDeleting?: boolean };

/** Lists, adds, renames and deletes categories and groups. */
export function CataloguePage() {
  const { catalogue: text, dataset } = words();
  const categories = useResource(
    'categories',
    async (signal) => await get('/categories', { signal }),
    changes.value,
  );
  const groups = useResource('groups', listGroups, changes.value);
  const freshness = useResource(
    'freshness',
    async (signal) => await get('/dataset-groups/freshness', { signal }),
    changes.value,
  );
  const opened = useSignal<Opened | undefined>(undefined);
  /** The group whose cadence is being set. */
  const cadenceGroup = useSignal<DatasetGroup | undefined>(undefined);
  const failure =
    categories.resource.value.failure ?? groups.resource.value.failure ?? freshness.resource.value.failure;
  const { value: known, isLoading } = categories.resource.value;
  const knownGroups = groups.resource.value.value;
  const freshnessOf = (id: string) =>
    freshness.resource.value.value?.find(({ group_id: group }) => group === id);
  useTitle(text.title);
  const open = (what: Opened) => () => void (opened.value = what);
  const close = (): void => void (opened.value = undefined);
  const changed = (): void => void (changes.value += 1);
  return (
    <article class="catalogue">
      <p class="small">
        <a href={hrefOf(['datasets'])}>‹ {dataset.back}</a>
      </p>
      <h1 tabIndex={-1}>{text.title}</h1>
      {failure !== undefined && <Failure failure={failure} retry={changed} />}
      <div class="columns even">
        <section class="sheet pad" aria-labelledby="categories">
          <Head
            id="categories"
            title={text.categories}
            action={text.newCategory}
            onAdd={known && open({ kind: 'categories', entry: undefined })}
          />
          {known === undefined && isLoading && <Waiting />}
          <Tree
            branches={treeOf(known ?? [])}
            onEdit={(entry) => void (opened.value = { kind: 'categories', entry })}
            onDelete={(entry) => void (opened.value = { kind: 'categories', entry, isDeleting: true })}
          />
        </section>
        <section class="sheet pad" aria-labelledby="groups">
          <Head
            id="groups"
            title={text.groups}
            action={text.newGroup}
            onAdd={open({ kind: 'dataset-groups', entry: undefined })}
          />
          {knownGroups === undefined && groups.resource.value.isLoading && <Waiting />}
          <ul class="entries">
            {(knownGroups ?? []).map((entry) => (
              <li key={entry.id}>
                <Name
                  entry={shownGroup(entry)}
                  href={hrefOf(['datasets'], { group: entry.id })}
                  freshness={freshnessOf(entry.id)}
                />
                <Actions
                  name={shownGroup(entry).name}
                  onEdit={open({ kind: 'dataset-groups', entry })}
                  onDelete={open({ kind: 'dataset-groups', entry, isDeleting: true })}
                  onCadence={() => void (cadenceGroup.value = entry)}
                />
              </li>
            ))}
          </ul>
        </section>
      </div>
      {cadenceGroup.value !== undefined && (
        <CadenceDialog
          group={shownGroup(cadenceGroup.value)}
          freshness={freshnessOf(cadenceGroup.value.id)}
          onClose={() => void (cadenceGroup.value = undefined)}
          onSaved={changed}
        />
      )}
      <Dialogs opened={opened.value} categories={known ?? []} onClose={close} onChanged={changed} />
    </article>
  );
}

function Head({
  id,
  title,
  action,
  onAdd,
}: {
  readonly id: string;
  readonly title: string;
  readonly action: string;
  /** Undefined until the list is loaded. */
  readonly onAdd: (() => void) | undefined;
}) {
  return (
    <div class="page-head">
      <h2 id={id}>{title}</h2>
      <span class="spacer" />
      {may('catalog:write') && (
        <button type="button" class="button" disabled={onAdd === undefined} onClick={onAdd}>
          + {action}
        </button>
      )}
    </div>
  );
}

interface TreeProps {
  readonly branches: readonly Branch[];
  readonly onEdit: (category: Category) => void;
  readonly onDelete: (category: Category) => void;
}

function Tree({ branches, onEdit, onDelete }: TreeProps) {
  return (
    <ul class="entries">
      {branches.map(({ category, branches: below }) => (
        <li key={category.id}>
          <Name entry={shownCategory(category)} href={hrefOf(['datasets'], { category: category.id })} />
          <Actions
            name={shownCategory(category).name}
            onEdit={() => onEdit(category)}
            onDelete={() => onDelete(category)}
          />
          {below.length > 0 && <Tree branches={below} onEdit={onEdit} onDelete={onDelete} />}
        </li>
      ))}
    </ul>
  );
}

function Name({
  entry,
  href,
  freshness,
}: {
  readonly entry: Category | DatasetGroup;
  readonly href: string;
  readonly freshness?: GroupFreshness | undefined;
}) {
  return (
    <span class="entry">
      <a href={href}>{entry.name}</a> <code class="small muted">{entry.code}</code>
      {entry.description !== '' && <span class="small muted">{entry.description}</span>}
      {freshness !== undefined && <Freshness of={freshness} />}
    </span>
  );
}

function Actions({
  name,
  onEdit,
  onDelete,
  onCadence,
}: {
  readonly name: string;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  /** Defined for a group only. */
  readonly onCadence?: () => void;
}) {
  const { dataset, catalogue } = words();
  if (!may('catalog:write')) return undefined;
  return (
    <span class="actions">
      {onCadence !== undefined && (
        <button
          type="button"
          class="button quiet"
          aria-label={`${catalogue.cadence.edit}: ${name}`}
          onClick={onCadence}
        >
          {catalogue.cadence.edit}
        </button>
      )}
      <button type="button" class="button quiet" aria-label={`${dataset.edit}: ${name}`} onClick={onEdit}>
        {dataset.edit}
      </button>
      <button type="button" class="button quiet" aria-label={`${dataset.remove}: ${name}`} onClick={onDelete}>
        {dataset.remove}
      </button>
    </span>
  );
}

function Dialogs({
  opened,
  categories,
  onClose,
  onChanged,
}: {
  readonly opened: Opened | undefined;
  readonly categories: readonly Category[];
  readonly onClose: () => void;
  readonly onChanged: () => void;
}) {
  const { catalogue: text, dataset } = words();
  if (opened === undefined) return undefined;
  const { kind, entry, isDeleting = false } = opened;
  if (!isDeleting || entry === undefined) {
    const parents = entry === undefined ? categories : withoutBranch(categories, entry.id);
    return <EntryDialog {...opened} parents={parents} onClose={onClose} onSaved={onChanged} />;
  }
  return (
    <ChangeDialog
      ids={[entry.id]}
      title={dataset.removeTitle(shownEntry(opened)?.name ?? '')}
      action={dataset.remove}
      isDanger
      change={async (id) => await remove(`/${kind}/{id}` as const, { path: { id } })}
      onClose={onClose}
      onDone={onChanged}
    >
      <p>{text.removeText}</p>
    </ChangeDialog>
  );
}
