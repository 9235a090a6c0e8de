import { signal } from '@preact/signals';
import { isFinal, type Refused, refusedOf } from '../service/fetch.ts';
import { isEnd } from '../service/follow-status.ts';
import { listenToEvents, hasEvents, nextEvent } from '../service/events.ts';
import type { DatasetStatusView, DatasetSummary } from '../service/types.ts';
import { get } from '../service/request.ts';

type Status = DatasetSummary['status'];

const pollMs = 2000;
/** Interval of requests while events arrive. */
const fallbackPollMs = 15_000;

/** Counts the datasets that this visit has added or seen change; lists of datasets reload when it changes. */
export const changes = signal(0);

/** An update of a dataset: a new status, more progress, or the reason why there will be none. `Refused` with 404: it was deleted. */
export type Seen = DatasetStatusView | Refused;

interface Followed {
  readonly id: string;
  status: Status;
  progress?: number | undefined;
  readonly notify: (seen: Seen) => void;
}

const followed = new Set<Followed>();
let isPolling = false;

/**
 * Polls the status of a dataset, together with all others that are being processed, and reports each change of status
 * and progress until a final one. Returns a function that stops it.
 */
export function follow(id: string, status: Status, notify: (seen: Seen) => void): () => void {
  const entry: Followed = { id, status, notify };
  if (!isEnd(status)) followed.add(entry);
  void pollWhileNeeded();
  return () => void followed.delete(entry);
}

async function pollWhileNeeded(): Promise<void> {
  if (isPolling) return;
  isPolling = true;
  const stop = listenToEvents(() => undefined);
  while (followed.size > 0) {
    // Created before the request, so that a later event is not missed.
    const news = hasEvents.peek() ? nextEvent(isAboutFollowed, { atMostMs: fallbackPollMs }) : undefined;
    for (const entry of followed) await refresh(entry);
    await (news ?? new Promise((resolve) => setTimeout(resolve, pollMs)));
  }
  stop();
  isPolling = false;
}

const isAboutFollowed = ({ dataset_id: about }: { readonly dataset_id?: string }): boolean =>
  [...followed].some(({ id }) => id === about);

async function refresh(entry: Followed): Promise<void> {
  const seen = await get('/datasets/{id}/status', { path: { id: entry.id } }).catch(refusedOf);
  if (!followed.has(entry)) return;
  if (seen instanceof Error) {
    if (!isFinal(seen)) return;
    followed.delete(entry);
    entry.notify(seen);
    return;
  }
  if (seen.status === entry.status) {
    if (seen.progress !== entry.progress) entry.notify(seen);
    entry.progress = seen.progress;
    return;
  }
  entry.status = seen.status;
  if (isEnd(seen.status)) followed.delete(entry);
  entry.notify(seen);
  changes.value += 1;
}
