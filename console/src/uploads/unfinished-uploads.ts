import { signal } from '@preact/signals';
import type { Slot } from './destination.ts';

/** The storage key of the ids of unfinished uploads. */
const storageKey = 'steppe-uploads';
/** By then the service has deleted an upload without new bytes. */
const daysKept = 7;

/** Facts about a file that are known without reading it. */
export type FileFacts = Pick<File, 'name' | 'size' | 'lastModified'>;
/** Fields of an upload, by the names of the parts of a form, or its slot. */
export type Fields = Readonly<Record<string, string>>;

/** An upload that was begun and not finished. */
export interface UnfinishedUpload {
  readonly id: string;
  readonly day: number;
  readonly file: FileFacts;
  readonly fields: Fields;
  readonly slot?: Slot | undefined;
}

/** An upload that an earlier visit did not finish, with the received bytes. */
export interface Interrupted extends UnfinishedUpload {
  readonly received: number;
}

/** The unfinished uploads whose files the person is asked to choose. */
export const interrupted = signal<readonly Interrupted[]>([]);

export function forgetInterrupted(id: string): void {
  if (interrupted.peek().length > 0) interrupted.value = interrupted.peek().filter((each) => each.id !== id);
}

type StoredUploads = Readonly<Record<string, UnfinishedUpload>>;

/** Identifies a file and its destination; a modified file has another time. */
export function fingerprintOf({ name, size, lastModified }: FileFacts, fields: Fields): string {
  return JSON.stringify([name, size, lastModified, fields['slot'], fields['category_id'], fields['dg_id']]);
}

/** The id of the unfinished upload of a file. */
export function unfinishedUpload(fingerprint: string): string | undefined {
  return read()[fingerprint]?.id;
}

/** All unfinished uploads, in the order in which they were begun. */
export function unfinishedUploads(): readonly UnfinishedUpload[] {
  return Object.values(read());
}

export function storeUpload(stored: Omit<UnfinishedUpload, 'day'>): void {
  const { name, size, lastModified } = stored.file;
  const entry = { ...stored, day: today(), file: { name, size, lastModified } };
  write({ ...read(), [fingerprintOf(stored.file, stored.fields)]: entry });
}

export function forgetUpload(fingerprint: string): void {
  const { [fingerprint]: _forgotten, ...others } = read();
  write(others);
}

const today = (): number => Math.floor(Date.now() / 86_400_000);

function read(): StoredUploads {
  try {
    const stored: StoredUploads = Object(JSON.parse(localStorage.getItem(storageKey) ?? '{}'));
    return Object.fromEntries(
      Object.entries(stored).filter(([, { day, file }]) => today() - day < daysKept && file !== undefined),
    );
  } catch {
    return {};
  }
}

function write(stored: StoredUploads): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(stored));
  } catch {
    // Without storage, uploads start again.
  }
}

const channelName = 'steppe-uploads';
/** Other tabs answer at once, even hidden ones. */
const answerMs = 300;
const here = new Set<string>();
let answering: BroadcastChannel | undefined;

/** Records that this tab continues an upload, so that other tabs leave it alone. */
export function claimUpload(id: string): void {
  here.add(id);
  if (answering !== undefined) return;
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    if (data === 'which') channel.postMessage([...here]);
  });
  answering = channel;
}

/** Returns true if this tab continues, or has continued, an upload. */
export function isClaimedHere(id: string): boolean {
  return here.has(id);
}

/** Asks all open tabs which uploads they continue. */
export async function findClaimed(): Promise<ReadonlySet<string>> {
  const channel = new BroadcastChannel(channelName);
  const found = new Set(here);
  channel.addEventListener('message', ({ data }) => {
    if (Array.isArray(data)) for (const id of data) found.add(String(id));
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.postMessage('which');
  await new Promise((resolve) => setTimeout(resolve, answerMs));
  channel.close();
  return found;
}
