import { useEffect } from 'preact/hooks';
import { isFinal, refusedOf } from './ask.ts';
import { hearEvents, isHearing, nextEvent } from './events.ts';
import { get } from './request.ts';
import type { Dataset } from './types.ts';

const waitSeconds = 10;
/** Between two questions, also while the service does not answer. */
const lookAgainMs = 1000;
/** While events say when there is something to see. */
const lookAnywayMs = 30_000;
const ends: ReadonlySet<Dataset['status']> = new Set(['ready', 'failed', 'awaiting_mapping']);

/** Returns whether a dataset stays as it is until a person or a client changes it. */
export function isEnd(status: Dataset['status']): boolean {
  return ends.has(status);
}

/** Calls `onChange` at each new status of a dataset in work, and when more of its file is worked through, as long as the page is there. */
export function useFollowed(dataset: Dataset | undefined, onChange: () => void): void {
  useEffect(() => {
    if (dataset === undefined || isEnd(dataset.status)) return undefined;
    const left = new AbortController();
    void follow(dataset, { signal: left.signal, onChange });
    return () => left.abort();
  }, [dataset?.id, dataset?.status]);
}

interface Following {
  readonly signal: AbortSignal;
  readonly onChange: () => void;
}

/** Reports each new status and progress until the page is left: when an event says so, and by long polling without events. */
async function follow({ id, status, progress }: Dataset, { signal, onChange }: Following): Promise<void> {
  let known = progress;
  const stop = hearEvents(() => undefined); // so that there are events while anything is in work
  signal.addEventListener('abort', stop);
  while (!signal.aborted) {
    // Before the look: what comes after it is not missed.
    const isTold = isHearing.peek();
    const news = isTold
      ? nextEvent(({ dataset_id: about }) => about === id, { atMostMs: lookAnywayMs, left: signal })
      : undefined;
    const wait = isTold ? 0 : waitSeconds;
    const refused = await get('/datasets/{id}/status', {
      path: { id },
      query: { current: status, wait },
      patienceMs: (wait + 15) * 1000,
      isQuiet: true,
      signal,
    }).then((seen) => {
      if (seen.status !== status || seen.progress !== known) onChange();
      known = seen.progress;
    }, refusedOf);
    if (signal.aborted) return;
    if (refused !== undefined && isFinal(refused)) {
      // It was deleted, or the token has ended: the page says so when it asks.
      onChange();
      return;
    }
    await (news ?? new Promise((resolve) => setTimeout(resolve, lookAgainMs)));
  }
}
