import { signal } from '@preact/signals';
import { ask, Refused } from '../service/ask.ts';
import type { DatasetStatusView, DatasetSummary } from '../service/types.ts';
import { type FileType, inspectFile, type Refusal } from './inspect.ts';
import { sendForm } from './send.ts';
import { createSpeedMeter, type Speed } from './speed.ts';

const sendingAtOnce = 2;
const lookEveryMs = 2000;
const ends: ReadonlySet<DatasetSummary['status']> = new Set(['ready', 'failed', 'awaiting_mapping']);

/** A file on its way, from the check before the first byte to the end of its processing. */
export type Upload = {
  readonly id: number;
  readonly file: File;
} & (
  | { readonly state: 'checking' }
  /** The page will not send it; the service would refuse it. */
  | { readonly state: 'refused'; readonly refusal: Refusal | 'double'; readonly maxBytes: number }
  | { readonly state: 'queued'; readonly type: FileType }
  | {
      readonly state: 'sending';
      readonly type: FileType;
      readonly sentBytes: number;
      readonly speed: Speed | undefined;
    }
  | { readonly state: 'cancelled' }
  /** The service has refused it, or the network has failed. */
  | { readonly state: 'failed'; readonly type: FileType; readonly failure: Refused }
  | {
      readonly state: 'sent';
      readonly datasetId: string;
      readonly status: DatasetSummary['status'];
      readonly parseError: string | null;
    }
);

/** Choices that hold for all files that are added together. */
export interface Destination {
  readonly categoryId: string;
  readonly maxBytes: number;
  /** New names of files, by the names that they have. */
  readonly names?: ReadonlyMap<string, string>;
}

/** Every file of this visit that was not dismissed, the first one first. */
export const uploads = signal<readonly Upload[]>([]);
/** True while the tray shows its head alone. */
export const isFolded = signal(false);
/** Counts what this visit has added or seen change, for those who show datasets. */
export const changes = signal(0);
const controllers = new Map<number, AbortController>();
const destinations = new Map<number, Destination>();
let lastId = 0;
let following = false;

/** How many files are neither ready nor given up. */
export function countInWork(list: readonly Upload[]): number {
  return list.filter((upload) => isInWork(upload)).length;
}

export function isInWork(upload: Upload): boolean {
  if (upload.state === 'sent') return !ends.has(upload.status);
  return upload.state === 'checking' || upload.state === 'queued' || upload.state === 'sending';
}

/** Checks files, and sends those that the service will take, two at a time. */
export async function addFiles(files: Iterable<File>, destination: Destination): Promise<void> {
  const added = [...files].map((file): Upload => ({ id: (lastId += 1), file, state: 'checking' }));
  const before = uploads.peek();
  uploads.value = [...before, ...added];
  isFolded.value = false;
  for (const { id, file } of added) {
    destinations.set(id, destination);
    const { maxBytes } = destination;
    const isDouble = before.some((other) => isKept(other) && isSameFile(other.file, file));
    const { type, refusal } = await inspectFile(file, maxBytes);
    if (refusal !== undefined) replace({ id, file, state: 'refused', refusal, maxBytes });
    else if (isDouble) replace({ id, file, state: 'refused', refusal: 'double', maxBytes });
    else replace({ id, file, state: 'queued', type });
  }
  sendNext();
}

/** Tells what has come, or will come, of an upload: one that was cancelled or refused, or has failed, may be sent anew. */
function isKept(upload: Upload): boolean {
  return isInWork(upload) || (upload.state === 'sent' && upload.status !== 'failed');
}

function isSameFile(one: File, other: File): boolean {
  return one.name === other.name && one.size === other.size;
}

/** Ends an upload that waits or is under way; nothing of it stays in the service. */
export function cancel(id: number): void {
  const upload = find(id);
  if (upload === undefined) return;
  replace({ id, file: upload.file, state: 'cancelled' });
  controllers.get(id)?.abort();
  sendNext();
}

/** Sends a file once more after the network or the service has refused it. */
export function retry(id: number): void {
  const upload = find(id);
  if (upload?.state !== 'failed') return;
  replace({ id, file: upload.file, state: 'queued', type: upload.type });
  sendNext();
}

/** Follows a table again whose columns have been mapped. */
export function followMapped(datasetId: string): void {
  const upload = uploads.peek().find((each) => each.state === 'sent' && each.datasetId === datasetId);
  if (upload?.state !== 'sent') return;
  replace({ ...upload, status: 'extracting' });
  void follow();
}

/** Takes the row of a dataset that was deleted from the list. */
export function forgetDataset(datasetId: string): void {
  uploads.value = uploads
    .peek()
    .filter((upload) => upload.state !== 'sent' || upload.datasetId !== datasetId);
}

/** Takes a row from the list; a dataset that came of it stays. */
export function dismiss(id: number): void {
  uploads.value = uploads.peek().filter((upload) => upload.id !== id);
}

function find(id: number): Upload | undefined {
  return uploads.peek().find((upload) => upload.id === id);
}

/** Puts an upload in the place of its earlier state; one that was dismissed stays away. */
function replace(next: Upload): void {
  uploads.value = uploads.peek().map((upload) => (upload.id === next.id ? next : upload));
}

function sendNext(): void {
  for (const upload of uploads.peek()) {
    const sending = uploads.peek().filter(({ state }) => state === 'sending').length;
    if (sending >= sendingAtOnce) return;
    if (upload.state === 'queued') void send(upload.id, upload.file, upload.type);
  }
}

async function send(id: number, file: File, type: FileType): Promise<void> {
  const controller = new AbortController();
  controllers.set(id, controller);
  const measure = createSpeedMeter(file.size);
  const show = (sentBytes: number): void => {
    const sent = Math.min(sentBytes, file.size);
    if (find(id)?.state !== 'cancelled')
      replace({ id, file, state: 'sending', type, sentBytes: sent, speed: measure(sent, performance.now()) });
  };
  show(0);
  try {
    const form = new FormData();
    form.set('file_type', type);
    form.set('category_id', destinations.get(id)?.categoryId ?? '');
    form.set('name', destinations.get(id)?.names?.get(file.name) ?? nameOf(file));
    form.set('file', file);
    const { id: datasetId, status } = await sendForm(form, { onProgress: show, signal: controller.signal });
    replace({ id, file, state: 'sent', datasetId, status, parseError: null });
    changes.value += 1;
    void follow();
  } catch (error) {
    if (!controller.signal.aborted) {
      const failure = error instanceof Refused ? error : new Refused(String(error), { status: 0 });
      replace({ id, file, state: 'failed', type, failure });
    }
  } finally {
    controllers.delete(id);
    sendNext();
  }
}

/** The name of a file without its extension, as people would call it. */
function nameOf({ name }: File): string {
  return name.replace(/\.[^.]+$/, '') || name;
}

/** Looks at the statuses of what was sent until each is at its end. */
async function follow(): Promise<void> {
  if (following) return;
  following = true;
  for (;;) {
    const inWork = uploads
      .peek()
      .flatMap((upload) => (upload.state === 'sent' && isInWork(upload) ? [upload] : []));
    if (inWork.length === 0) break;
    for (const upload of inWork) {
      const seen = await look(upload.datasetId);
      if (seen === undefined || seen.status === upload.status) continue;
      replace({ ...upload, status: seen.status, parseError: seen.parse_error });
      changes.value += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  following = false;
}

/** Undefined when nobody says; the row of a dataset that somebody has deleted meanwhile goes. */
async function look(datasetId: string): Promise<DatasetStatusView | undefined> {
  try {
    return await ask<DatasetStatusView>(`/datasets/${datasetId}/status`);
  } catch (error) {
    if (error instanceof Refused && error.status === 404) forgetDataset(datasetId);
    return undefined;
  }
}
