import type { Refused } from '../service/fetch.ts';
import { words } from '../words/words.ts';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** The reason of a refusal in a sentence: that of the service, or a general one. */
export function sentenceOf({ status, message, isChange }: Refused): string {
  const { failure: text } = words();
  if (status === 0) return isChange ? text.uncertain : text.network;
  if (message !== '') return message;
  return status === 401 || status === 403 ? text.forbidden : text.answered(status);
}

/** Shows why something could not be loaded, and offers to try again. */
export function Failure({
  failure,
  retry,
  title,
}: {
  readonly failure: Refused;
  readonly retry?: () => void;
  /** Title of the failure, for a part of the page. */
  readonly title?: string;
}) {
  const { failure: text } = words();
  return (
    <div class="notice failed" role="alert">
      {title === undefined ? <h2>{text.title}</h2> : <p>{title}</p>}
      <p>{sentenceOf(failure)}</p>
      {failure.requestId !== undefined && (
        <p class="small muted">
          {text.request} <code>{failure.requestId}</code>
        </p>
      )}
      {retry !== undefined && (
        <button type="button" class="button" onClick={retry}>
          {text.again}
        </button>
      )}
    </div>
  );
}

/** After this time a text appears. */
const slowAfterMs = 4000;

/** A placeholder for a part of the page that is loading; shows a text if that takes long. */
export function Waiting() {
  const isSlow = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => void (isSlow.value = true), slowAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <div class="skeleton" aria-hidden="true" />
      <p class="muted" role="status">
        {isSlow.value && words().failure.slow}
      </p>
    </>
  );
}
