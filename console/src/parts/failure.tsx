import type { Refused } from '../service/ask.ts';
import { words } from '../words/words.ts';

/** Says why something could not be loaded, and offers to try again. */
export function Failure({ failure, retry }: { readonly failure: Refused; readonly retry?: () => void }) {
  const { failure: text } = words();
  const reason =
    failure.status === 0 ? text.network : failure.status === 403 ? text.forbidden : failure.message;
  return (
    <div class="notice failed" role="alert">
      <h2>{text.title}</h2>
      <p>{reason}</p>
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
