import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../../address/address.ts';
import { Failure } from '../../parts/failure.tsx';
import { TypeSign } from '../../parts/icons.tsx';
import { Status } from '../../parts/status.tsx';
import { ask } from '../../service/ask.ts';
import { may } from '../../service/capabilities.ts';
import { getDataset, getReport } from '../../service/catalogue.ts';
import { useResource } from '../../service/resource.ts';
import type { Dataset, ImportReport } from '../../service/types.ts';
import { language, words } from '../../words/words.ts';
import { LazyMiniMap } from '../map/lazy-map.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { Facts } from './facts.tsx';
import { Files } from './files.tsx';

const waitSeconds = 10;
/** While the service does not answer. */
const lookAgainMs = 2000;
const ends: ReadonlySet<Dataset['status']> = new Set(['ready', 'failed', 'awaiting_mapping']);

/** All that is known of a dataset. */
export function DatasetPage({ id }: { readonly id: string }) {
  const { resource, reload } = useResource(
    `${id} ${language()}`,
    async (signal) => await getDataset(id, signal),
  );
  const { value: dataset, failure } = resource.value;
  const { dataset: text } = words();
  const isInWork = dataset !== undefined && !ends.has(dataset.status);
  useEffect(() => {
    if (!isInWork) return undefined;
    const left = new AbortController();
    const follow = async (): Promise<void> => {
      await untilChanged(dataset, left.signal);
      if (!left.signal.aborted) reload();
    };
    void follow();
    return () => left.abort();
  }, [isInWork, resource.value]);
  return (
    <article class="dataset">
      <p class="small">
        <a href={hrefOf(['datasets'])}>‹ {text.back}</a>
      </p>
      {failure !== undefined && <Failure failure={failure} retry={reload} />}
      {dataset === undefined && failure === undefined && <div class="skeleton" aria-hidden="true" />}
      {dataset !== undefined && <Loaded dataset={dataset} reload={reload} />}
    </article>
  );
}

/** The service answers as soon as the status is another one, or after some seconds. */
async function untilChanged({ id, status }: Dataset, signal: AbortSignal): Promise<void> {
  try {
    await ask(`/datasets/${id}/status?current=${status}&wait=${waitSeconds}`, { signal });
  } catch {
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

function Loaded({ dataset, reload }: { readonly dataset: Dataset; readonly reload: () => void }) {
  const { dataset: text } = words();
  const report = useResource(
    `${dataset.id} ${dataset.updated_at} ${language()}`,
    async (signal) => await getReport(dataset.id, signal),
  );
  const found = report.resource.value.value;
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>
          <TypeSign type={dataset.file_type} /> {dataset.name}
        </h1>
        <Status status={dataset.status} />
        <span class="spacer" />
        <Actions dataset={dataset} reload={reload} />
      </div>
      {dataset.parse_error !== null && (
        <div class="notice failed">
          <h2>{text.failedTitle}</h2>
          <p>{dataset.parse_error}</p>
          <button type="button" class="button" onClick={() => void tryAgain(dataset.id, reload)}>
            {text.again}
          </button>
        </div>
      )}
      <div class="columns">
        {dataset.status === 'ready' && (
          <section class="sheet pad">
            <LazyMiniMap ids={[dataset.id]} />
          </section>
        )}
        <div class="stack">
          <section class="sheet pad" aria-labelledby="facts">
            <h2 id="facts">{text.facts}</h2>
            <Facts dataset={dataset} report={found} />
          </section>
          <section class="sheet pad" aria-labelledby="remarks">
            <h2 id="remarks">{text.remarks}</h2>
            <Remarks warnings={found?.warnings ?? []} />
          </section>
          <section class="sheet pad" aria-labelledby="files">
            <h2 id="files">{text.files}</h2>
            <Files dataset={dataset} />
          </section>
        </div>
      </div>
    </>
  );
}

/** Has the file read once more; what becomes of it is seen in its status. */
async function tryAgain(id: string, reload: () => void): Promise<void> {
  await ask(`/datasets/${id}/retry`, { method: 'POST' }).catch(() => undefined);
  reload();
}

function Actions({ dataset, reload }: { readonly dataset: Dataset; readonly reload: () => void }) {
  const { dataset: text } = words();
  const open = useSignal<'edit' | 'delete' | undefined>(undefined);
  if (!may('data:write')) return undefined;
  const close = (): void => void (open.value = undefined);
  return (
    <span class="actions">
      <button type="button" class="button" onClick={() => void (open.value = 'edit')}>
        {text.edit}
      </button>
      <button type="button" class="button danger" onClick={() => void (open.value = 'delete')}>
        {text.remove}
      </button>
      {open.value === 'edit' && (
        <EditDialog
          dataset={dataset}
          onClose={close}
          onSaved={() => {
            close();
            reload();
          }}
        />
      )}
      {open.value === 'delete' && (
        <DeleteDialog
          id={dataset.id}
          name={dataset.name}
          onClose={close}
          onDeleted={() => void (location.hash = hrefOf(['datasets']))}
        />
      )}
    </span>
  );
}

function Remarks({ warnings }: { readonly warnings: ImportReport['warnings'] }) {
  if (warnings.length === 0) return <p class="muted">{words().dataset.noRemarks}</p>;
  return (
    <ul class="remarks">
      {warnings.map(({ code, message }) => (
        <li key={code + message}>{message}</li>
      ))}
    </ul>
  );
}
