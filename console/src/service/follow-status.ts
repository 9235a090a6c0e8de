import { useEffect } from 'preact/hooks';
import { isFinal, refusedOf } from './fetch.ts';
import { listenToEvents, hasEvents, nextEvent } from './events.ts';
import { get } from './request.ts';
import type { Dataset } from './types.ts';

const waitSeconds = 10;
/** Interval of requests, also while the service does not answer. */
const retryMs = 1000;
/** Interval of requests while events arrive. */
const fallbackPollMs = 30_000;
const ends: ReadonlySet<Dataset['status']> = new Set(['ready', 'failed', 'awaiting_mapping']);

/** Returns true if a dataset only changes by an action of a person or a client. */
export function isEnd(status: Dataset['status']): boolean {
  return ends.has(status);
}

/** Calls `onChange` at each new status and progress of a dataset that is being processed, while the component is mounted. */
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

/** Reports each new status and progress until the page is left: on events, or by long polling without events. */
async function follow({ id, status, progress }: Dataset, { signal, onChange }: Following): Promise<void> {
  let known = progress;
  const stop = listenToEvents(() => undefined); // keeps the stream open while anything is being processed
  signal.addEventListener('abort', stop);
  while (!signal.aborted) {
    // Read before the request, so that a later event is not missed.
    const isPushed = hasEvents.peek();
    const news = isPushed
      ? nextEvent(({ dataset_id: about }) => about === id, { atMostMs: fallbackPollMs, left: signal })
      : undefined;
    const wait = isPushed ? 0 : waitSeconds;
    const refused = await get('/datasets/{id}/status', {
      path: { id },
      query: { current: status, wait },
      timeoutMs: (wait + 15) * 1000,
      isBackground: true,
      signal,
    }).then((seen) => {
      if (seen.status !== status || seen.progress !== known) onChange();
      known = seen.progress;
    }, refusedOf);
    if (signal.aborted) return;
    if (refused !== undefined && isFinal(refused)) {
      // The dataset was deleted or the token has expired; the page finds out with its next request.
      onChange();
      return;
    }
    await (news ?? new Promise((resolve) => setTimeout(resolve, retryMs)));
  }
}
