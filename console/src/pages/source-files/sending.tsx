import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { address, hrefOf } from '../../address/address.ts';
import { Failure } from '../../parts/loading.tsx';
import { may } from '../../service/capabilities.ts';
import { isFinal, Refused, refusedOf } from '../../service/fetch.ts';
import { isReadable } from '../../uploads/inspect.ts';
import { sendSourceFile } from '../../uploads/pieces.ts';
import { openSourceFiles, waitingSources } from '../../uploads/source-files.ts';
import { words } from '../../words/words.ts';
import { sourceFilesWords } from './words/words.ts';

interface Sent {
  readonly name: string;
  readonly percent: number;
  /** True while the connection is lost. */
  readonly isLost: boolean;
  readonly cancel: () => void;
}

interface Failed {
  readonly file: File;
  readonly failure: Refused;
}

/** Number of files that have arrived during this visit. */
export const sentCount = signal(0);
/** The file that is being sent, also while another page is open. */
const sending = signal<Sent | undefined>(undefined);
/** Files that did not arrive, until each is sent again or removed from the list. */
const failed = signal<readonly Failed[]>([]);
let isRunning = false;

/** Sends the files that wait, one after the other, and opens the last one. */
async function sendWaiting(): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  let hasFailed = false;
  for (let [file] = waitingSources.peek(); file !== undefined; [file] = waitingSources.peek()) {
    const current = file;
    const made = await send(current);
    waitingSources.value = waitingSources.peek().filter((each) => each !== current);
    hasFailed ||= failed.peek().some(({ file: each }) => each === current);
    if (made === undefined) continue;
    sentCount.value += 1;
    // A person who has left the page meanwhile stays there, and one who must see a failure stays here.
    const isHere = address.peek().path.join('/') === 'source-files';
    const isLast = waitingSources.peek().length === 0 && !hasFailed;
    if (isHere && isLast) location.hash = hrefOf(['source-files', made]);
  }
  isRunning = false;
}

/** Returns the id of the file in the service, or nothing if it did not arrive. */
async function send(file: File): Promise<string | undefined> {
  const ended = new AbortController();
  const { name, size } = file;
  const show = (news: Partial<Sent>): void => {
    const before = sending.peek() ?? { name, percent: 0, isLost: false, cancel: () => ended.abort() };
    if (!ended.signal.aborted) sending.value = { ...before, ...news };
  };
  failed.value = failed.peek().filter((each) => each.file.name !== name);
  show({});
  try {
    const { id } = await sendSourceFile({
      file,
      onProgress: (bytes) => show({ percent: Math.floor((100 * bytes) / Math.max(1, size)) }),
      onNews: ({ isLost }) => show(isLost === undefined ? {} : { isLost }),
      signal: ended.signal,
    });
    return id;
  } catch (error) {
    if (ended.signal.aborted) return undefined;
    // A deleted file causes the same error as a network failure.
    const failure = (await isReadable(file))
      ? refusedOf(error)
      : new Refused(words().upload.unreadable, { status: 404 });
    failed.value = [...failed.peek(), { file, failure }];
    return undefined;
  } finally {
    sending.value = undefined;
  }
}

function forget(file: File): void {
  failed.value = failed.peek().filter((each) => each.file !== file);
}

function sendAgain(file: File): void {
  forget(file);
  waitingSources.value = [...waitingSources.peek(), file];
}

/** The button that chooses files, the file that is being sent, and those that did not arrive. */
export function Sending() {
  const text = sourceFilesWords();
  const { upload, shell } = words();
  useEffect(() => void sendWaiting(), [waitingSources.value]);
  const { value: sent } = sending;
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
          {sent !== undefined && (
            <button
              type="button"
              class="button quiet"
              aria-label={`${shell.cancel}: ${sent.name}`}
              onClick={sent.cancel}
            >
              {shell.cancel}
            </button>
          )}
        </div>
      )}
      <p class="muted" role="status">
        {sent !== undefined && text.sending(sent.name, sent.percent)}
        {sent?.isLost === true && ` · ${upload.lost}`}
      </p>
      {failed.value.map(({ file, failure }) => (
        <div key={file} class="stack">
          <Failure
            failure={failure}
            title={file.name}
            {...(!isFinal(failure) && { retry: () => sendAgain(file) })}
          />
          <div class="actions">
            <button
              type="button"
              class="button quiet"
              aria-label={`${upload.dismiss}: ${file.name}`}
              onClick={() => forget(file)}
            >
              {upload.dismiss}
            </button>
          </div>
        </div>
      ))}
    </>
  );
}
