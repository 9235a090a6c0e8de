import { Dialog } from '../../parts/dialogs.tsx';
import { useSignal } from '@preact/signals';
import { Failure, sentenceOf, Waiting } from '../../parts/loading.tsx';
import { type Refused, refusedOf } from '../../service/fetch.ts';
import { datasetName } from '../../service/graph-words.ts';
import { useResource } from '../../service/resource.ts';
import type { Dataset } from '../../service/types.ts';
import { get, remove } from '../../service/request.ts';
import { changes } from '../../uploads/follow.ts';
import { deleteDataset } from '../../uploads/uploads.ts';
import { words } from '../../words/words.ts';
import { findDemonstration, type Demonstration } from './marked.ts';

/** Lists everything of the demonstration, asks for confirmation, and deletes it. */
export function RemoveDemonstration({ onClose }: { readonly onClose: () => void }) {
  const { welcome } = words();
  const { resource, reload } = useResource('demonstration', findDemonstration);
  const { value, failure } = resource.value;
  return (
    <Dialog title={welcome.remove.title} onClose={onClose}>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {value === undefined && failure === undefined && <Waiting />}
      {value !== undefined && <Question found={value} onClose={onClose} />}
    </Dialog>
  );
}

function Question({ found, onClose }: { readonly found: Demonstration; readonly onClose: () => void }) {
  const { welcome, selection, shell } = words();
  const left = useSignal(found);
  const deleted = useSignal<number | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const { uploads, outputs } = left.value;
  const count = uploads.length + outputs.length;
  const remove = async (): Promise<void> => {
    failure.value = undefined;
    deleted.value = 0;
    const reason = await deleteAll(left.peek(), (rest) => {
      left.value = rest;
      deleted.value = (deleted.peek() ?? 0) + 1;
    });
    deleted.value = undefined;
    changes.value += 1;
    if (reason === undefined) onClose();
    else {
      const { length } = [...left.peek().uploads, ...left.peek().outputs];
      failure.value = `${selection.unchanged(length)} ${sentenceOf(reason)}`;
    }
  };
  return (
    <>
      <p>{count === 0 ? welcome.remove.none : welcome.remove.text}</p>
      <Names title={welcome.remove.uploads(uploads.length)} datasets={uploads} />
      <Names title={welcome.remove.outputs(outputs.length)} datasets={outputs} />
      <p role="status" class="small muted">
        {deleted.value !== undefined && welcome.remove.deleted(deleted.value)}
      </p>
      <p class="wrong" role="alert">
        {failure.value}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button danger"
          disabled={deleted.value !== undefined}
          onClick={() => void remove()}
        >
          {welcome.remove.action}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {shell.cancel}
        </button>
      </div>
    </>
  );
}

function Names({ title, datasets }: { readonly title: string; readonly datasets: readonly Dataset[] }) {
  if (datasets.length === 0) return undefined;
  return (
    <section class="demonstration-names">
      <h3>{title}</h3>
      <ul class="small">
        {datasets.map((dataset) => (
          <li key={dataset.id}>{datasetName(dataset)}</li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Deletes derived maps before their inputs, and then the category unless it has other datasets. Returns the last reason
 * why something stays.
 */
async function deleteAll(
  { uploads, outputs, categoryId }: Demonstration,
  onDeleted: (left: Demonstration) => void,
): Promise<Refused | undefined> {
  let left = { uploads, outputs, categoryId };
  let reason: Refused | undefined;
  for (const { id } of [...outputs, ...uploads])
    try {
      await deleteDataset(id);
      const others = (all: readonly Dataset[]) => all.filter((dataset) => dataset.id !== id);
      left = { ...left, uploads: others(left.uploads), outputs: others(left.outputs) };
      onDeleted(left);
    } catch (error) {
      reason = refusedOf(error);
    }
  if (reason !== undefined || categoryId === undefined) return reason;
  try {
    // A person may have added other datasets to the category.
    const { total } = await get('/datasets', { query: { category_id: categoryId, page_size: 1 } });
    if (total === 0) await remove('/categories/{id}', { path: { id: categoryId } });
  } catch (error) {
    const refused = refusedOf(error);
    // Something was added to the category meanwhile, or another person has deleted it.
    if (refused.status !== 409 && refused.status !== 404) return refused;
  }
  return undefined;
}
