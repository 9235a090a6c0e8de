import { signal } from '@preact/signals';
import { isFinal, type Refused, refusedOf } from '../service/ask.ts';
import { isEnd } from '../service/follow-status.ts';
import { hearEvents, isHearing, nextEvent } from '../service/events.ts';
import type { DatasetStatusView, DatasetSummary } from '../service/types.ts';
import { get } from '../service/request.ts';

type Status = DatasetSummary['status'];

const lookEveryMs = 2000;
/** Interval of requests while events arrive. */
const lookAnywayMs = 15_000;

/** Counts the datasets that this visit has added or seen change; lists of datasets reload when it changes. */
export const changes = signal(0);

/**
 * An update of a dataset: a new status, more progress, or the reason why there will be none. `Refused` with 404: it was
 * deleted.
 */
export type Seen = DatasetStatusView | Refused;

interface Followed {
  readonly id: string;
  status: Status;
  progress?: number | undefined;
  readonly tell: (seen: Seen) => void;
}

const followed = new Set<Followed>();
let isLooking = false;

/**
 * Polls the status of a dataset, together with all others that are being processed, and reports each change of status
 * and progress until a final one. Returns a function that stops it.
 */
export function follow(id: string, status: Status, tell: (seen: Seen) => void): () => void {
  const entry: Followed = { id, status, tell };
  if (!isEnd(status)) followed.add(entry);
  void lookWhileNeeded();
  return () => void followed.delete(entry);
}

async function lookWhileNeeded(): Promise<void> {
  if (isLooking) return;
  isLooking = true;
  const stop = hearEvents(() => undefined);
  while (followed.size > 0) {
    // Created before the request, so that a later event is not missed.
    const news = isHearing.peek() ? nextEvent(isAboutFollowed, { atMostMs: lookAnywayMs }) : undefined;
    for (const entry of followed) await refresh(entry);
    await (news ?? new Promise((resolve) => setTimeout(resolve, lookEveryMs)));
  }
  stop();
  isLooking = false;
}

const isAboutFollowed = ({ dataset_id: about }: { readonly dataset_id?: string }): boolean =>
  [...followed].some(({ id }) => id === about);

async function refresh(entry: Followed): Promise<void> {
  const seen = await get('/datasets/{id}/status', { path: { id: entry.id } }).catch(refusedOf);
  if (!followed.has(entry)) return;
  if (seen instanceof Error) {
    if (!isFinal(seen)) return;
    followed.delete(entry);
    entry.tell(seen);
    return;
  }
  if (seen.status === entry.status) {
    if (seen.progress !== entry.progress) entry.tell(seen);
    entry.progress = seen.progress;
    return;
  }
  entry.status = seen.status;
  if (isEnd(seen.status)) followed.delete(entry);
  entry.tell(seen);
  changes.value += 1;
}
