import { signal } from '@preact/signals';
import type { Slot } from './destination.ts';

/** Where the browser keeps the ids of uploads that are not at their end. */
const keptAs = 'steppe-uploads';
/** The service has given up by then what nothing was added to. */
const daysKept = 7;

/** What is known of a file before it is read. */
export type FileFacts = Pick<File, 'name' | 'size' | 'lastModified'>;
/** What the service has to know of a file, by the names of the parts of a form, or its slot. */
export type Fields = Readonly<Record<string, string>>;

/** An upload that was begun and did not come to its end. */
export interface KeptUpload {
  readonly id: string;
  readonly day: number;
  readonly file: FileFacts;
  readonly fields: Fields;
  readonly slot?: Slot | undefined;
}

/** An upload that an earlier visit has left, with what has come of it. */
export interface Interrupted extends KeptUpload {
  readonly received: number;
}

/** Those that the person is asked to choose the file of. */
export const interrupted = signal<readonly Interrupted[]>([]);

export function forgetInterrupted(id: string): void {
  if (interrupted.peek().length > 0) interrupted.value = interrupted.peek().filter((each) => each.id !== id);
}

type Kept = Readonly<Record<string, KeptUpload>>;

/** What tells a file and where it goes from any other; a file that has changed has another time. */
export function fingerprintOf({ name, size, lastModified }: FileFacts, fields: Fields): string {
  return JSON.stringify([name, size, lastModified, fields['slot'], fields['category_id'], fields['dg_id']]);
}

/** The id of the upload of a file that was begun and did not come to its end. */
export function keptUpload(fingerprint: string): string | undefined {
  return read()[fingerprint]?.id;
}

/** All of them, in the order in which they were begun. */
export function keptUploads(): readonly KeptUpload[] {
  return Object.values(read());
}

export function keepUpload(kept: Omit<KeptUpload, 'day'>): void {
  const { name, size, lastModified } = kept.file;
  const entry = { ...kept, day: today(), file: { name, size, lastModified } };
  write({ ...read(), [fingerprintOf(kept.file, kept.fields)]: entry });
}

export function forgetUpload(fingerprint: string): void {
  const { [fingerprint]: _forgotten, ...others } = read();
  write(others);
}

const today = (): number => Math.floor(Date.now() / 86_400_000);

function read(): Kept {
  try {
    const kept: Kept = Object(JSON.parse(localStorage.getItem(keptAs) ?? '{}'));
    return Object.fromEntries(
      Object.entries(kept).filter(([, { day, file }]) => today() - day < daysKept && file !== undefined),
    );
  } catch {
    return {};
  }
}

function write(kept: Kept): void {
  try {
    localStorage.setItem(keptAs, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing begins again.
  }
}

const channelName = 'steppe-uploads';
/** Other tabs answer at once, also those that are not looked at. */
const answerMs = 300;
const here = new Set<string>();
let answering: BroadcastChannel | undefined;

/** Notes that this tab is at an upload, which others then leave alone. */
export function beAt(id: string): void {
  here.add(id);
  if (answering !== undefined) return;
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    if (data === 'which') channel.postMessage([...here]);
  });
  answering = channel;
}

/** Returns whether this tab is, or was, at an upload. */
export function isHere(id: string): boolean {
  return here.has(id);
}

/** Asks all open tabs which uploads they are at. */
export async function findAttended(): Promise<ReadonlySet<string>> {
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
