import { useEffect } from 'preact/hooks';
import { formatMoment } from '../../../../common/formats/days.ts';
import { useAction } from '../../parts/hooks.ts';
import { may } from '../../service/capabilities.ts';
import { post } from '../../service/request.ts';
import type { Dataset } from '../../service/types.ts';
import { language } from '../../words/words.ts';
import { referencesWords } from './words/words.ts';

/** While a file is copied, the dataset is read again after this time. */
const againAfterMs = 2000;

/** The place and state of a file that stays on another server, and a button that copies it. */
export function ReferenceSection({
  dataset: { id, status, reference },
  reload,
}: {
  readonly dataset: Dataset;
  readonly reload: () => void;
}) {
  const text = referencesWords();
  const copy = useAction(async () => {
    await post('/datasets/{id}/copy', { path: { id } });
    reload();
  });
  const { copying: isCopying = false } = reference ?? {};
  useEffect(() => {
    if (!isCopying) return undefined;
    const timer = setInterval(reload, againAfterMs);
    return () => clearInterval(timer);
  }, [isCopying]);
  if (reference === undefined) return undefined;
  const { address: place, state, reason, checked_at: checkedAt } = reference;
  return (
    <section class="sheet pad stack" aria-labelledby="reference">
      <h2 id="reference">{text.place}</h2>
      <dl class="facts">
        <div>
          <dt>{text.address}</dt>
          <dd style={{ overflowWrap: 'anywhere' }}>
            {place.startsWith('https:') ? (
              <a href={place} rel="noreferrer">
                {place}
              </a>
            ) : (
              place
            )}
          </dd>
        </div>
        <div>
          <dt>{text.state}</dt>
          <dd>{text.states[state]}</dd>
        </div>
        <div>
          <dt>{text.looked}</dt>
          <dd>{formatMoment(checkedAt, language())}</dd>
        </div>
      </dl>
      {reason === null ? <p class="small muted">{text.meaning}</p> : <p class="wrong">{reason}</p>}
      {status === 'ready' && may('data:write') && (
        <>
          {isCopying ? (
            <p role="status">{text.copying}</p>
          ) : (
            <button
              type="button"
              class="button"
              disabled={copy.isRunning || state === 'changed'}
              onClick={copy.run}
            >
              {text.copy}
            </button>
          )}
          <p class="small muted">{text.copyHint}</p>
          <p class="wrong" role="alert">
            {copy.failure}
          </p>
        </>
      )}
    </section>
  );
}
