import './source-files.css';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatDay } from '../../../../common/formats/days.ts';
import { formatBytes } from '../../../../common/formats/sizes.ts';
import { hrefOf } from '../../address/address.ts';
import { ChangeDialog } from '../../parts/dialogs.tsx';
import { useTitle } from '../../parts/hooks.ts';
import { Failure, sentenceOf, Waiting } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import { refusedOf } from '../../service/fetch.ts';
import { get, remove } from '../../service/request.ts';
import { useResource } from '../../service/resource.ts';
import type { SourceFile } from '../../service/types.ts';
import { sendSourceFile } from '../../uploads/pieces.ts';
import { openSourceFiles, waitingSources } from '../../uploads/source-files.ts';
import { language } from '../../words/words.ts';
import { MakeRasters } from './make-rasters.tsx';
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
  );
  const { value, failure } = resource.value;
  return (
    <>
      <p class="muted">{text.lead}</p>
      <Sending onSent={reload} />
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

/** Sends the files that wait, one after the other, and opens the last one. */
function Sending({ onSent }: { readonly onSent: () => void }) {
  const text = sourceFilesWords();
  const sent = useSignal<{ readonly name: string; readonly percent: number } | undefined>(undefined);
  const failures = useSignal<readonly string[]>([]);
  const [first] = waitingSources.value;
  useEffect(() => {
    if (first === undefined) return;
    const ended = new AbortController();
    const onProgress = (bytes: number): void =>
      void (sent.value = { name: first.name, percent: Math.floor((100 * bytes) / Math.max(1, first.size)) });
    onProgress(0);
    const send = async (): Promise<void> => {
      try {
        const file = await sendSourceFile({
          file: first,
          onProgress,
          onNews: () => undefined,
          signal: ended.signal,
        });
        if (waitingSources.peek().length === 1) location.hash = hrefOf(['source-files', file.id]);
      } catch (error) {
        if (ended.signal.aborted) return;
        failures.value = [...failures.peek(), `${first.name}: ${sentenceOf(refusedOf(error))}`];
      }
      sent.value = undefined;
      waitingSources.value = waitingSources.peek().filter((file) => file !== first);
      onSent();
    };
    void send();
  }, [first]);
  return (
    <>
      {may('data:write') && (
        <div class="actions">
          <label class="button primary source-choose">
            ↑ {text.choose}
            <input
              type="file"
              multiple
              class="visually-hidden"
              onChange={({ currentTarget: field }) => {
                openSourceFiles([...(field.files ?? [])]);
                field.value = '';
              }}
            />
          </label>
        </div>
      )}
      <p class="muted" role="status">
        {sent.value !== undefined && text.sending(sent.value.name, sent.value.percent)}
      </p>
      {failures.value.map((failure) => (
        <p key={failure} class="wrong" role="alert">
          {failure}
        </p>
      ))}
    </>
  );
}
