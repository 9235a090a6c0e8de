import { computed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { address, hrefOf } from '../address/address.ts';
import { sentenceOf } from '../parts/loading.tsx';
import { Status } from '../parts/signs.tsx';
import { capabilities, may } from '../service/capabilities.ts';
import { formatBytes } from '../../../common/formats/sizes.ts';
import { formatShare } from '../../../common/formats/shares.ts';
import { language, words } from '../words/words.ts';
import {
  cancel,
  countInProgress,
  dismiss,
  isFolded,
  isInProgress,
  needsAttention,
  retry,
  type Upload,
  uploads,
} from './uploads.ts';
import { InterruptedRow } from './interrupted-row.tsx';
import { interrupted, unfinishedUploads } from './unfinished-uploads.ts';
import { goesInPieces } from './sending.ts';
import { task } from './task.ts';

/** True while an upload or a task runs, or needs attention. */
const isBusy = computed(
  () =>
    (task.value !== undefined && task.value.href === undefined) ||
    interrupted.value.length > 0 ||
    uploads.value.some((upload) => isInProgress(upload) || needsAttention(upload)),
);

/** Shows the uploads that an earlier visit did not finish. */
async function showInterrupted(): Promise<void> {
  if (capabilities.peek() === undefined || !may('data:write') || unfinishedUploads().length === 0) return;
  const { findInterrupted } = await import('./interrupted.ts');
  await findInterrupted();
  if (interrupted.peek().length > 0) isFolded.value = false;
}

/** Folds the tray when nothing in it needs attention, and when another page opens. */
function foldWhenIdle(): () => void {
  let page = address.peek().path.join('/');
  const endWork = isBusy.subscribe((busy) => {
    if (!busy) isFolded.value = true;
  });
  const endPage = address.subscribe(({ path }) => {
    if (path.join('/') === page) return;
    page = path.join('/');
    isFolded.value = true;
  });
  return () => {
    endWork();
    endPage();
  };
}

/** The files of this visit, on every page, until each is dismissed. */
export function Tray() {
  useEffect(foldWhenIdle, []);
  useEffect(() => void showInterrupted(), [capabilities.value]);
  const list = uploads.value;
  const left = interrupted.value;
  if (list.length + left.length === 0 && task.value === undefined) return undefined;
  const { upload: text, shell } = words();
  const inWork = countInProgress(list);
  const attentionCount = left.length + list.filter(needsAttention).length;
  return (
    <aside class={isFolded.value ? 'tray folded' : 'tray'} aria-labelledby="tray-title">
      <button
        type="button"
        class="tray-head"
        aria-expanded={!isFolded.value}
        aria-controls="tray-list"
        onClick={() => void (isFolded.value = !isFolded.value)}
      >
        <span id="tray-title">{text.title}</span>
        <span class="muted small" aria-live="polite">
          {task.value !== undefined && isFolded.value ? task.value.step : undefined}
          {(task.value === undefined || !isFolded.value) &&
            (inWork > 0 ? shell.inWork(inWork) : text.files(list.length + left.length))}
          {attentionCount > 0 && <strong> · {text.needy(attentionCount)}</strong>}
        </span>
        <span aria-hidden="true">{isFolded.value ? '▾' : '▴'}</span>
      </button>
      {!isFolded.value && <Task />}
      <ul id="tray-list" hidden={isFolded.value}>
        {left.map((upload) => (
          <li key={upload.id}>
            <InterruptedRow upload={upload} />
          </li>
        ))}
        {list
          .toSorted((one, other) => urgencyOf(one) - urgencyOf(other))
          .map((upload) => (
            <li key={upload.id}>
              <Row upload={upload} />
            </li>
          ))}
      </ul>
    </aside>
  );
}

/** The current step of the task to which the files belong. */
function Task() {
  if (task.value === undefined) return undefined;
  const { title, step, share, href } = task.value;
  const end = (): void => void (task.value = undefined);
  return (
    <div class="tray-task">
      <p class="small">
        <strong>{title}</strong> ·{' '}
        <span role="status">
          {href === undefined ? (
            step
          ) : (
            <a href={href} onClick={end}>
              {step}
            </a>
          )}
        </span>
      </p>
      {href === undefined ? (
        <progress max={1} value={share} aria-label={step} />
      ) : (
        <button
          type="button"
          class="button quiet"
          aria-label={`${words().upload.dismiss}: ${title}`}
          onClick={end}
        >
          ✕
        </button>
      )}
    </div>
  );
}

/** The strip does not have room for all rows: those that need attention come first, then those that run. */
function urgencyOf(upload: Upload): number {
  if (needsAttention(upload)) return 0;
  return isInProgress(upload) ? 1 : 2;
}

function Row({ upload }: { readonly upload: Upload }) {
  const { upload: text, shell } = words();
  return (
    <div class="tray-row">
      <span class="tray-name" title={upload.file.name}>
        {upload.file.name}
        {upload.slot !== undefined && <span class="muted small"> {upload.slot.title}</span>}
      </span>
      <div class="tray-state">
        <State upload={upload} />
      </div>
      <span class="actions">
        {canRetry(upload) && <Action label={text.retry} onClick={() => retry(upload.id)} />}
        {upload.state === 'sent' && upload.status === 'awaiting_mapping' && (
          <a class="button" href={hrefOf(['datasets', upload.datasetId, 'columns'])}>
            {words().dataset.chooseColumns}
          </a>
        )}
        {upload.state === 'sent' && upload.status !== 'awaiting_mapping' && (
          <a class="button quiet" href={hrefOf(['datasets', upload.datasetId])}>
            {text.open}
          </a>
        )}
        {upload.state !== 'sent' && isInProgress(upload) ? (
          <Action label={shell.cancel} onClick={() => cancel(upload.id)} />
        ) : (
          !isInProgress(upload) && (
            <button
              type="button"
              class="button quiet"
              aria-label={`${text.dismiss}: ${upload.file.name}`}
              onClick={() => dismiss(upload.id)}
            >
              ✕
            </button>
          )
        )}
      </span>
    </div>
  );
}

/** Returns true if an upload can be repeated, unlike one whose file was refused. */
function canRetry(upload: Upload): boolean {
  return (
    upload.state === 'failed' ||
    upload.state === 'cancelled' ||
    (upload.state === 'refused' && upload.refusal === 'unreadable')
  );
}

function Action({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" class="button quiet" onClick={onClick}>
      {label}
    </button>
  );
}

function State({ upload }: { readonly upload: Upload }) {
  const { upload: text } = words();
  switch (upload.state) {
    case 'checking':
      return <p class="small muted">{text.checking}</p>;
    case 'queued':
      return <p class="small muted">{text.queued}</p>;
    case 'cancelled':
      return <p class="small muted">{text.cancelled}</p>;
    case 'refused':
      return <p class="small wrong">{refusalOf(upload)}</p>;
    case 'failed':
      return <p class="small wrong">{sentenceOf(upload.failure)}</p>;
    case 'sending':
      return <Progress upload={upload} />;
    default:
      return (
        <p class="small">
          {upload.failure === undefined ? (
            <Status status={upload.status} progress={upload.progress} />
          ) : (
            sentenceOf(upload.failure)
          )}{' '}
          {upload.parseError}
        </p>
      );
  }
}

function refusalOf({ refusal, maxBytes, slot }: Extract<Upload, { readonly state: 'refused' }>): string {
  const { upload: text } = words();
  if (refusal === 'tooLarge') return text.tooLarge(formatBytes(maxBytes, language()));
  if (refusal === 'notForSlot') return text.notForSlot(slot?.title ?? '');
  return text[refusal];
}

function Progress({ upload }: { readonly upload: Extract<Upload, { readonly state: 'sending' }> }) {
  const { upload: text } = words();
  const { sentBytes, speed, file, isStalled, resumedBytes, isLost } = upload;
  const parts = [text.sent(formatBytes(sentBytes, language()), formatBytes(file.size, language()))];
  if (speed !== undefined) {
    const { bytesPerSecond, secondsLeft } = speed;
    const time = secondsLeft < 100 ? text.seconds(secondsLeft) : text.minutes(Math.round(secondsLeft / 60));
    parts.push(text.speed(formatBytes(bytesPerSecond, language())), text.left(time));
  }
  if (resumedBytes !== undefined) parts.push(text.resumed(formatShare(resumedBytes / file.size, language())));
  // When everything is sent, it is the answer that is missing, not the network.
  const isStored = sentBytes === file.size && isLost !== true;
  const isInterrupted = isLost === true || (isStalled && !isStored && goesInPieces(file));
  if (isStored) parts.push(text.arrived);
  else if (isStalled && !isInterrupted) parts.push(text.still);
  return (
    <>
      <progress
        class={isInterrupted ? 'paused' : undefined}
        max={file.size}
        value={sentBytes}
        aria-label={file.name}
      />
      <p class="small muted">{parts.join(' · ')}</p>
      <p class="small" role="status">
        {isInterrupted ? text.lost : undefined}
      </p>
    </>
  );
}
