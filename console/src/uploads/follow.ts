import { signal } from '@preact/signals';
import { ask, isFinal, type Refused, refusedOf } from '../service/ask.ts';
import type { DatasetStatusView, DatasetSummary } from '../service/types.ts';

type Status = DatasetSummary['status'];

const lookEveryMs = 2000;
const ends: ReadonlySet<Status> = new Set(['ready', 'failed', 'awaiting_mapping']);

/** Counts what this visit has added or seen change, for those who show datasets. */
export const changes = signal(0);

/** What was seen of a dataset: another status, or why there will be none. `Refused` with 404: it was deleted. */
export type Seen = DatasetStatusView | Refused;

interface Followed {
  readonly id: string;
  status: Status;
  readonly tell: (seen: Seen) => void;
}

const followed = new Set<Followed>();
let isLooking = false;

/** Returns whether a dataset stays as it is until a person or a client changes it. */
export function isEnd(status: Status): boolean {
  return ends.has(status);
}

/**
 * Polls the status of a dataset, together with all others in work, and tells each change until one is final. Returns how to
 * stop.
 */
export function follow(id: string, status: Status, tell: (seen: Seen) => void): () => void {
  const entry = { id, status, tell };
  if (!isEnd(status)) followed.add(entry);
  void lookWhileNeeded();
  return () => void followed.delete(entry);
}

async function lookWhileNeeded(): Promise<void> {
  if (isLooking) return;
  isLooking = true;
  while (followed.size > 0) {
    for (const entry of followed) await look(entry);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  isLooking = false;
}

async function look(entry: Followed): Promise<void> {
  const seen = await ask<DatasetStatusView>(`/datasets/${entry.id}/status`).catch(refusedOf);
  if (!followed.has(entry)) return;
  if (seen instanceof Error) {
    if (!isFinal(seen)) return;
    followed.delete(entry);
    entry.tell(seen);
    return;
  }
  if (seen.status === entry.status) return;
  entry.status = seen.status;
  if (isEnd(seen.status)) followed.delete(entry);
  entry.tell(seen);
  changes.value += 1;
}
