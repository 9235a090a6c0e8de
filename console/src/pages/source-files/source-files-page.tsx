import './source-files.css';
import { useSignal } from '@preact/signals';
import { formatDay } from '../../../../common/formats/days.ts';
import { formatBytes } from '../../../../common/formats/sizes.ts';
import { hrefOf } from '../../address/address.ts';
import { ChangeDialog } from '../../parts/dialogs.tsx';
import { useTitle } from '../../parts/hooks.ts';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import { get, remove } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import type { SourceFile } from '../../service/types.ts';
import { language } from '../../words/words.ts';
import { MakeRasters } from './make-rasters.tsx';
import { Sending, sentCount } from './sending.tsx';
import { sourceFilesWords } from './words/words.ts';

/** The files from which rasters are made, or one of them. */
export function SourceFilesPage({ id }: { readonly id: string }) {
  const text = sourceFilesWords();
  useTitle(text.title);
  return (
    <article class="stack source-files">
      <div class="page-head">
        <h1 tabIndex={-1}>{text.title}</h1>
      </div>
      {id === '' ? <List /> : <MakeRasters key={id} id={id} />}
    </article>
  );
}

function List() {
  const text = sourceFilesWords();
  const deleted = useSignal<SourceFile | undefined>(undefined);
  const { resource, reload } = useResource(
    'source files',
    async (signal) => await get('/source-files', { signal }),
    sentCount.value,
  );
  const { value, failure } = resource.value;
  return (
    <>
      <p class="muted">{text.lead}</p>
      <Sending />
      {failure !== undefined && <Failure failure={failure} retry={reload} title={text.failed} />}
      {value === undefined && failure === undefined && <Waiting />}
      {value?.length === 0 && <p>{text.none}</p>}
      <ul class="entries">
        {value?.map((file) => (
          <li key={file.id}>
            <span class="entry">
              {file.filename}{' '}
              <span class="small muted">
                {formatBytes(file.size_bytes, language())},{' '}
                {text.until(formatDay(file.expires_at.slice(0, 10), language()))}
              </span>
            </span>
            <span class="actions">
              <a
                class="button"
                href={hrefOf(['source-files', file.id])}
                aria-label={`${text.open}: ${file.filename}`}
              >
                {text.open}
              </a>
              {may('data:write') && (
                <button
                  type="button"
                  class="button quiet"
                  aria-label={`${text.remove}: ${file.filename}`}
                  onClick={() => void (deleted.value = file)}
                >
                  {text.remove}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {deleted.value !== undefined && (
        <ChangeDialog
          ids={[deleted.value.id]}
          title={text.removeTitle(deleted.value.filename)}
          action={text.remove}
          isDanger
          change={async (id) => await remove('/source-files/{id}', { path: { id } })}
          onClose={() => void (deleted.value = undefined)}
          onDone={reload}
        >
          <p>{text.removeText}</p>
        </ChangeDialog>
      )}
    </>
  );
}
