import { signal } from '@preact/signals';
import { hrefOf } from '../address/address.ts';
import { newRequestKey, isFinal, Refused, refusedOf } from '../service/fetch.ts';
import type { DatasetSummary } from '../service/types.ts';
import { isEnd } from '../service/follow-status.ts';
import { remove } from '../service/request.ts';
import { changes, follow } from './follow.ts';
import { type FileType, inspectFile, isNamedTiff, isReadable, type Refusal } from './inspect.ts';
import { createSpeedMeter, type Speed } from './send.ts';
import type { Destination, Slot } from './destination.ts';
import { findLimitFor, type News, sendUpload } from './sending.ts';

const sendingAtOnce = 2;
/** An upload without a byte for this time counts as stalled. */
const stalledAfterMs = 15_000;

/** An upload, from the check before the first byte to the end of its processing. */
export type Upload = {
  readonly id: number;
  readonly file: File;
  /** Finds the destination; files that are added together share the answer, and a failed request is repeated. */
  readonly findDestination: () => Promise<Destination>;
  /** The input of the Landscape Program for the file. */
  readonly slot: Slot | undefined;
  /** True for a KATO table made from a spreadsheet; the page of its columns opens after the upload. */
  readonly isTable: boolean;
} & (
  | { readonly state: 'checking' }
  /** The page does not send the file, since the service would refuse it. */
  | {
      readonly state: 'refused';
      readonly refusal: Refusal | 'double' | 'notForSlot';
      readonly maxBytes: number;
    }
  | { readonly state: 'queued'; readonly type: FileType; readonly destination: Destination }
  | {
      readonly state: 'sending';
      readonly type: FileType;
      readonly destination: Destination;
      readonly sentBytes: number;
      readonly speed: Speed | undefined;
      readonly isStalled: boolean;
      readonly resumedBytes?: number;
      readonly isLost?: boolean;
    }
  | { readonly state: 'cancelled' }
  /** The service has refused it, or the network has failed. */
  | { readonly state: 'failed'; readonly failure: Refused }
  | {
      readonly state: 'sent';
      readonly datasetId: string;
      readonly status: DatasetSummary['status'];
      readonly parseError: string | null;
      /** Share of the file that is processed, if it is known. */
      readonly progress?: number | undefined;
      /** The reason why the service no longer reports the status. */
      readonly failure?: Refused;
    }
);

/** Every file of this visit that was not dismissed, in the order in which they were added. */
export const uploads = signal<readonly Upload[]>([]);
/** True while the tray shows only its header. */
export const isFolded = signal(true);
/** Idempotency keys of uploads that may have arrived without an answer: sent again, they create no second dataset. */
const keys = new Map<number, string>();
const controllers = new Map<number, AbortController>();
let lastId = 0;

/** Counts the files that are neither ready nor given up. */
export function countInProgress(list: readonly Upload[]): number {
  return list.filter((upload) => isInProgress(upload)).length;
}

export function isInProgress(upload: Upload): boolean {
  if (upload.state === 'sent') return upload.failure === undefined && !isEnd(upload.status);
  return upload.state === 'checking' || upload.state === 'queued' || upload.state === 'sending';
}

/** Returns true if an upload needs the attention of a person. */
export function needsAttention(upload: Upload): boolean {
  if (upload.state === 'sent') return upload.status === 'awaiting_mapping' || upload.status === 'failed';
  return upload.state === 'failed' || upload.state === 'refused';
}

/** Checks files in parallel, and sends those that the service accepts, two at a time. */
export function addFiles(
  files: Iterable<File>,
  findDestination: () => Promise<Destination>,
  { slot, isTable = false }: { readonly slot?: Slot | undefined; readonly isTable?: boolean } = {},
): void {
  let asked: Promise<Destination> | undefined;
  const find = async (): Promise<Destination> => {
    asked ??= findDestination();
    return await asked.catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
  };
  const before = uploads.peek();
  const added = [...files].map((file): Upload => {
    lastId += 1;
    return { id: lastId, file, findDestination: find, slot, isTable, state: 'checking' };
  });
  uploads.value = [...before, ...added];
  isFolded.value = false;
  for (const { id } of added) void check(id);
}

/** Checks a file and finds its destination; a failure is shown in its row. */
async function check(id: number): Promise<void> {
  const upload = find(id);
  if (upload === undefined) return;
  const { file, findDestination, slot, isTable } = upload;
  const next = async (): Promise<State> => {
    if (!(await isReadable(file))) return { state: 'refused', refusal: 'unreadable', maxBytes: Infinity };
    if (slot !== undefined && !isNamedTiff(file))
      return { state: 'refused', refusal: 'notForSlot', maxBytes: Infinity };
    const destination = await findDestination();
    const maxBytes = await findLimitFor(file, destination.maxBytes);
    const { type, refusal } = await inspectFile(file, maxBytes);
    if (refusal !== undefined) return { state: 'refused', refusal, maxBytes };
    const others = uploads.peek().filter((other) => other.id < id && isKept(other));
    if (others.some((other) => other.slot?.code === slot?.code && isSameFile(other.file, file)))
      return { state: 'refused', refusal: 'double', maxBytes };
    return { state: 'queued', type: isTable ? 'vector_with_kato' : type, destination };
  };
  const found = await next().catch((error: unknown): State => ({
    state: 'failed',
    failure: refusedOf(error),
  }));
  // The upload may have been cancelled meanwhile.
  if (find(id)?.state === 'checking') replace(id, found);
  sendNext();
}

/** Returns true for an upload in progress or done. One that was cancelled, was refused or failed may be sent again. */
function isKept(upload: Upload): boolean {
  return isInProgress(upload) || (upload.state === 'sent' && upload.status !== 'failed');
}

function isSameFile(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size;
}

/** Cancels a waiting or running upload; nothing of it stays in the service. */
export function cancel(id: number): void {
  replace(id, { state: 'cancelled' });
  controllers.get(id)?.abort();
  sendNext();
}

/** Sends a file again, after the network, the service or the disk has failed. */
export function retry(id: number): void {
  replace(id, { state: 'checking' });
  void check(id);
}

/** Follows a table again after its columns were mapped. */
export function followMapped(datasetId: string): void {
  const upload = uploads.peek().find((each) => each.state === 'sent' && each.datasetId === datasetId);
  if (upload?.state !== 'sent') return;
  followSent(upload.id, { ...upload, status: 'extracting' });
}

/** Removes the row of a deleted dataset from the list. */
export function forgetDataset(datasetId: string): void {
  uploads.value = uploads
    .peek()
    .filter((upload) => upload.state !== 'sent' || upload.datasetId !== datasetId);
}

/** Removes a row from the list. The dataset of that upload stays. */
export function dismiss(id: number): void {
  uploads.value = uploads.peek().filter((upload) => upload.id !== id);
}

function find(id: number): Upload | undefined {
  return uploads.peek().find((upload) => upload.id === id);
}

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type State = Without<Upload, 'id' | 'file' | 'findDestination' | 'slot' | 'isTable'>;

type Sent = Extract<State, { readonly state: 'sent' }>;

/** Sets the next state of an upload, unless it was dismissed. */
function replace(id: number, state: State): void {
  uploads.value = uploads.peek().map((upload) => {
    const { file, findDestination, slot, isTable } = upload;
    return upload.id === id ? { ...state, id, file, findDestination, slot, isTable } : upload;
  });
}

function sendNext(): void {
  for (const upload of uploads.peek()) {
    const sending = uploads.peek().filter(({ state }) => state === 'sending').length;
    if (sending >= sendingAtOnce) return;
    if (upload.state === 'queued') void send(upload);
  }
}

async function send(upload: Extract<Upload, { readonly state: 'queued' }>): Promise<void> {
  const { id, file, type, destination } = upload;
  const controller = new AbortController();
  controllers.set(id, controller);
  let measure = createSpeedMeter(file.size);
  let [sentBytes, movedAt] = [0, performance.now()];
  let news: News = {};
  const onNews = (more: News): void => {
    news = { ...news, ...more };
    measure = createSpeedMeter(file.size); // earlier progress belongs to another connection
    show(undefined, false);
  };
  const show = (speed: Speed | undefined, isStalled: boolean): void => {
    if (find(id)?.state === 'cancelled') return;
    replace(id, { state: 'sending', type, destination, sentBytes, speed, isStalled, ...news });
  };
  const onProgress = (bytes: number): void => {
    sentBytes = Math.min(bytes, file.size);
    movedAt = performance.now();
    show(measure(sentBytes, movedAt), false);
  };
  const watch = setInterval(() => {
    if (performance.now() - movedAt > stalledAfterMs) show(undefined, true);
  }, 1000);
  onProgress(0);
  try {
    const key = keys.get(id) ?? newRequestKey();
    keys.set(id, key);
    const sending = { key, onProgress, onNews, signal: controller.signal };
    const { id: datasetId, status } = await sendUpload(upload, sending);
    followSent(id, { state: 'sent', datasetId, status, parseError: null });
    changes.value += 1;
  } catch (error) {
    // A deleted file causes the same error as a network failure.
    const isThere = await isReadable(file);
    const refused = refusedOf(error);
    if (isFinal(refused) && refused.status !== 409) keys.delete(id);
    if (!controller.signal.aborted) {
      if (isThere) replace(id, { state: 'failed', failure: refused });
      else replace(id, { state: 'refused', refusal: 'unreadable', maxBytes: Infinity });
    }
  } finally {
    clearInterval(watch);
    controllers.delete(id);
    sendNext();
  }
}

/** Follows a sent file until its status is final; removes the row of a deleted dataset. */
function followSent(id: number, { failure: _before, ...sent }: Sent): void {
  replace(id, sent);
  const { datasetId } = sent;
  const { href } = location;
  follow(datasetId, sent.status, (seen) => {
    const isWaiting = !(seen instanceof Refused) && seen.status === 'awaiting_mapping';
    // A person who has left the page meanwhile stays there.
    if (isWaiting && find(id)?.isTable === true && location.href === href)
      location.hash = hrefOf(['datasets', datasetId, 'columns']);
    if (!(seen instanceof Refused))
      replace(id, { ...sent, status: seen.status, parseError: seen.parse_error, progress: seen.progress });
    else if (seen.status === 404) forgetDataset(datasetId);
    else replace(id, { ...sent, failure: seen });
  });
}

/** Deletes a dataset, with its row in the tray. A dataset that no longer exists counts as deleted. @throws {Refused} */
export async function deleteDataset(id: string): Promise<void> {
  try {
    await remove('/datasets/{id}', { path: { id } });
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
  }
  forgetDataset(id);
}
